"""Bundles, the canonical data of an evaluation: what one turn claims, what was put to its speaker, where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Literal

from pydantic import BaseModel, ConfigDict

from hustings.transcript.models import Rung

BUNDLE_VERSION = "1.0.0"

Distribution = Mapping[str, float]
"""Option to its probability; the probabilities add up to 1."""
Firmness = Literal["none", "leans", "holds", "certain"]
"""How firmly a reader finds that a turn takes its option."""
Amount = Literal["none", "part", "full"]
"""How much was accepted in words, or how far a position moved."""
StanceSource = Literal["reader", "elicited"]
"""A blind reader of the turn, or the seat itself, asked in private; the two are never mixed in one figure."""
Phase = Literal["opening", "critique", "revision", "synthesis"]

UNDECIDED = "undecided"

FIRMNESS: Mapping[Firmness, float] = {"none": 0.0, "leans": 0.4, "holds": 0.7, "certain": 0.9}
"""How far above chance each word puts the option: p = 1/k + w (1 - 1/k) for k options."""
MOVED, MOVED_FULLY = 0.10, 0.35
"""Total variation from which a position moved in part, and beyond which it moved fully."""


class _Frozen(BaseModel, defer_build=True):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Stance(_Frozen):
    """Where a turn stands on the question."""

    beliefs: Distribution
    source: StanceSource = "reader"
    quote: str = ""
    """The words that show it."""


class BundleClaim(_Frozen):
    """Something that a turn asserts about the question."""

    id: str
    quote: str
    point: str
    """Claims that make the same point have the same name for it."""
    claim: str = ""
    """The claim as one plain sentence."""
    reasons: tuple[str, ...] = ()
    grounds: tuple[str, ...] = ()
    """Ids of what it rests on: E1, E2 … or a passage of a document. The same ground has the same id everywhere."""
    limits: tuple[str, ...] = ()
    """The speaker's own words on where the claim ends."""
    carries: bool = True
    """Whether the position of the turn rests on it."""


class Critique(_Frozen):
    """A challenge to a claim of the seat, made since the seat last spoke."""

    label: str
    """How judges name it, such as `critique-1`."""
    by: str
    """The seat that made it."""
    quote: str
    claim: str = ""
    """Id of the claim it meets."""
    answered: bool = False
    """Whether any later turn of the seat answers it."""


class Bundle(_Frozen):
    """One turn of a seat as scorers read it: no model, no outcome, no other seat's score."""

    turn_id: str
    seat: str
    round: int
    phases: tuple[Phase, ...]
    claims: tuple[BundleClaim, ...] = ()
    critiques: tuple[Critique, ...] = ()
    """What was put to the seat since it last spoke, in order of the record."""
    stance: Stance | None = None
    """None where the side was assigned, the question has no options, or nothing could be read."""
    stated: str | None = None
    """The option that the speaker's own form names, or `undecided`: a cross-check, from which no figure is made."""

    @property
    def grounds(self) -> frozenset[str]:
        return frozenset(ground for claim in self.claims for ground in claim.grounds)

    @property
    def beliefs(self) -> Distribution | None:
        return self.stance.beliefs if self.stance else None


class EvaluationTask(_Frozen):
    """What the debate was asked."""

    question: str
    options: tuple[str, ...] = ()
    """Answers between which a stance is read; empty for an open question."""
    required_rung: Rung | None = None


class BundleProvenance(_Frozen):
    """Where bundles come from."""

    run_id: str
    transcript_digest: str
    evaluation_run_id: str = ""
    prompt_versions: Mapping[str, str] = {}


class Bundles(_Frozen):
    """All bundles of a debate as one file: what any scorer can be run on."""

    bundle_version: str = BUNDLE_VERSION
    task: EvaluationTask
    provenance: BundleProvenance
    bundles: tuple[Bundle, ...]
    """In order of the record."""


# -- stances -----------------------------------------------------------------------------


def beliefs(option: str | None, firmness: Firmness, options: Sequence[str]) -> dict[str, float]:
    """A reader names an option and one of four words; the numbers are ours. The rest is shared equally.

    No option, or one that was not offered, leaves all options equally likely.
    """
    weight, k = FIRMNESS[firmness] if option in options else 0.0, len(options)
    if not weight:
        return dict.fromkeys(options, 1 / k)
    top = 1 / k + weight * (1 - 1 / k)
    return {one: top if one == option else (1 - top) / (k - 1) for one in options}


def mean_beliefs(readings: Sequence[Distribution]) -> dict[str, float] | None:
    """Several readers of one turn, or several seats."""
    if not readings:
        return None
    return {option: fmean(reading[option] for reading in readings) for option in readings[0]}


def distance(p: Distribution, q: Distribution) -> float:
    """Total variation: 0 if they are equal, 1 if they have nothing in common."""
    return sum(abs(p[option] - q[option]) for option in p) / 2


def moved(before: Distribution | None, after: Distribution | None) -> Amount | None:
    """The deed: how far a position moved between two readings; None if one of them is not known."""
    if before is None or after is None:
        return None
    # Readings differ by multiples of .05, and a sum of floats must not push one of them over a limit.
    apart = round(distance(before, after), 9)
    return "none" if apart < MOVED else "part" if apart <= MOVED_FULLY else "full"


def favoured(stance: Distribution | None) -> str | None:
    """The option that a stance favours; None if it is undecided or unknown."""
    if stance is None:
        return None
    best = max(stance.values())
    found = [option for option, p in stance.items() if p > best - 1e-9]
    return found[0] if len(found) == 1 else None


# -- publishing --------------------------------------------------------------------------


def blinded(bundles: Iterable[Bundle], names: Mapping[str, str]) -> tuple[Bundle, ...]:
    """Bundles with pseudonyms instead of seats, as they are published and shown to judges."""
    return tuple(
        bundle.model_copy(
            update={
                "seat": names[bundle.seat],
                "critiques": tuple(one.model_copy(update={"by": names[one.by]}) for one in bundle.critiques),
            }
        )
        for bundle in bundles
    )
