"""T³: how far up the ladder of causes claims reach, against what their grounds show. One claim speaks for the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median_high, median_low

from hustings.lab.artefact import MajorityRung, T3Details, T3Summary
from hustings.lab.judge_answers import ClaimRung, T3Answer
from hustings.transcript.models import Rung

HEIGHT: Mapping[Rung | None, int] = {None: 0, "L1": 1, "L2": 2, "L3": 3}
RUNGS: tuple[Rung | None, ...] = (None, "L1", "L2", "L3")


def gap_of(claim: MajorityRung) -> int:
    """How many rungs the claim asserts beyond what its grounds show."""
    return max(0, HEIGHT[claim.asserts] - HEIGHT[claim.shows])


def panel_rungs(answers: Sequence[T3Answer]) -> tuple[MajorityRung, ...]:
    """What the panel makes of each causal claim, in order of the claims.

    Rungs are medians, between two of them in favour of the claim; a trap is open, and a claim declined, if more than
    half of the judges who read the claim say so. At least half of them must find the claim causal.
    """
    read: dict[str, list[ClaimRung]] = {}
    for answer in answers:
        for rung in answer.rungs:
            read.setdefault(rung.claim, []).append(rung)
    return tuple(found for claim in sorted(read) if (found := _agreed(claim, read[claim])))


def _agreed(claim: str, readings: Sequence[ClaimRung]) -> MajorityRung | None:
    causal = [reading for reading in readings if reading.asserts]
    if not causal or 2 * len(causal) < len(readings):
        return None
    asserts = RUNGS[median_low([HEIGHT[reading.asserts] for reading in causal])]
    assert asserts is not None  # noqa: S101 - a causal claim asserts a rung
    traps = Counter(code for reading in readings for code in {t.code for t in reading.traps if not t.dealt_with})
    return MajorityRung(
        claim=claim,
        asserts=asserts,
        shows=RUNGS[median_high([HEIGHT[reading.shows] for reading in causal])],
        declines=2 * sum(reading.declines for reading in readings) > len(readings),
        open_trap=min((code for code, count in traps.items() if 2 * count > len(readings)), default=None),
    )


def t3_summary(
    claims: Sequence[MajorityRung], task: Rung | None = None, *, independent: bool = True
) -> tuple[T3Summary, T3Details]:
    """The worst failure speaks for all, else the highest claim, so that the fields always agree.

    Claims that were wisely declined assert nothing; where nothing is asserted there is nothing to pass.
    """
    asserted = [claim for claim in claims if not claim.declines]
    details = T3Details(
        claims=len(claims),
        collapses=sum(gap_of(claim) > 0 for claim in asserted),
        open_traps=sum(claim.open_trap is not None for claim in asserted),
        refusals=len(claims) - len(asserted),
    )
    if not asserted:
        return T3Summary(), details
    worst, best, highest = (max(asserted, key=key) for key in (_badness, _shown, _height))
    required: Rung | None
    if gap_of(worst) or worst.open_trap:
        speaks, required, passed = worst, worst.asserts, False
    elif HEIGHT[task] > HEIGHT[highest.asserts]:
        speaks, required, passed = best, task, HEIGHT[best.shows] >= HEIGHT[task]
    else:
        speaks, required, passed = highest, highest.asserts, True
    summary = T3Summary(
        required_rung=required,
        detected_rung=speaks.shows,
        trap_detected=speaks.open_trap,
        passes=passed if independent else None,
    )
    return summary, details.model_copy(update={"claim": speaks.claim})


# Claims that tie in all but their ids give the same fields, so the order of the record does not matter.
def _badness(claim: MajorityRung) -> tuple[int, bool, int, str]:
    return gap_of(claim), claim.open_trap is not None, HEIGHT[claim.asserts], claim.open_trap or ""


def _shown(claim: MajorityRung) -> int:
    return HEIGHT[claim.shows]


def _height(claim: MajorityRung) -> tuple[int, int]:
    return HEIGHT[claim.asserts], HEIGHT[claim.shows]


def all_rungs(turns: Iterable[Sequence[MajorityRung]]) -> list[MajorityRung]:
    return [rung for rungs in turns for rung in rungs]
