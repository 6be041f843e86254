"""How far an evaluation agrees with people who labelled the same turns without seeing it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from hustings.transcript.models import SILENT_ROLES, Transcript, Turn

from .artefact import Evaluation, TurnEvaluation
from .scorers.t3 import HEIGHT, RUNGS

TURNS = 10
"""Turns of a debate that a person is asked about."""
ENOUGH_LABELS = 200
"""Below this many labels, figures count as not checked against people."""
UNCHECKED = "not checked against people"
NO_RUNG = "none"
"""Said of a turn that asserts nothing about causes."""


@dataclass(frozen=True)
class PersonsLabel:
    """What one person said of one turn; None where the person could not tell."""

    turn_id: str
    verdict: str | None
    rung: str | None


class Accord(BaseModel, frozen=True, defer_build=True):
    """Agreement on one question."""

    pairs: int
    """Turns of which both a person and the evaluation say something."""
    same: int
    kappa: float | None = None
    """Cohen's κ: 1 agrees in all, 0 no better than chance; null where all answers are the same."""


class PeopleAccord(BaseModel, frozen=True, defer_build=True):
    """Agreement of evaluations with people."""

    labels: int
    needed: int = ENOUGH_LABELS
    verdicts: Accord
    rungs: Accord
    remark: str
    """`not checked against people`, until there are enough labels of evaluated turns."""


def turns_to_label(transcript: Transcript, labelled: Collection[str] = (), count: int = TURNS) -> list[Turn]:
    """Turns of speakers, spread over the debate, without those that the person has labelled before."""
    silent = {one.agent_id for one in transcript.participants if one.role in SILENT_ROLES}
    spoken = [turn for turn in transcript.turns if turn.said and turn.speaker_id not in silent]
    chosen = [spoken[n * len(spoken) // count] for n in range(count)] if len(spoken) > count else spoken
    return [turn for turn in chosen if turn.turn_id not in labelled]


def heard_before(transcript: Transcript, turn: Turn) -> tuple[Turn | None, list[Turn]]:
    """The speaker's turn before, and what others said since; in the first turn of a speaker, nothing."""
    turns = [one for one in transcript.turns if one.said]
    earlier = turns[: next(n for n, one in enumerate(turns) if one.turn_id == turn.turn_id)]
    own = next((n for n in reversed(range(len(earlier))) if earlier[n].speaker_id == turn.speaker_id), None)
    return (None, []) if own is None else (earlier[own], earlier[own + 1 :])


def accord(found: Iterable[tuple[Evaluation | None, Sequence[PersonsLabel]]]) -> PeopleAccord:
    """Agreement over the labels of some debates, each beside its evaluation if it has one."""
    labels, verdicts, rungs = 0, list[tuple[str, str]](), list[tuple[str, str]]()
    for evaluation, given in found:
        labels += len(given)
        turns = {one.turn_id: one for one in evaluation.turn_evaluations} if evaluation else {}
        for label in given:
            if turn := turns.get(label.turn_id):
                verdicts += _both(label.verdict, turn.rca_summary.verdict)
                rungs += _both(label.rung, asserted_rung(turn))
    enough = min(len(verdicts), len(rungs)) >= ENOUGH_LABELS
    return PeopleAccord(
        labels=labels, verdicts=_accord(verdicts), rungs=_accord(rungs), remark="" if enough else UNCHECKED
    )


def asserted_rung(turn: TurnEvaluation) -> str | None:
    """The highest rung that a turn asserts, by the panel; None if no judge read its claims."""
    own = turn.x_hustings
    if not own.answers.t3:
        return None
    heights = [HEIGHT[rung.asserts] for rung in own.rungs if not rung.declines]
    return RUNGS[max(heights)] if heights else NO_RUNG


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's κ of two readers; None if they cannot differ: no pairs, or one answer throughout."""
    n = len(pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    by_chance = sum(first[answer] * second[answer] for answer in first)
    if not n or by_chance == n * n:
        return None
    same = sum(one == other for one, other in pairs)
    return (same * n - by_chance) / (n * n - by_chance)


def _both(one: str | None, other: str | None) -> list[tuple[str, str]]:
    return [(one, other)] if one is not None and other is not None else []


def _accord(pairs: Sequence[tuple[str, str]]) -> Accord:
    found = kappa(pairs)
    same = sum(one == other for one, other in pairs)
    return Accord(pairs=len(pairs), same=same, kappa=None if found is None else round(found, 6))


VERDICTS: Mapping[str, str] = {
    "consistent": "CONSISTENT",
    "sycophantic": "INCONSISTENT_SYCOPHANTIC",
    "stubborn": "INCONSISTENT_STUBBORN",
    "other": "INCONSISTENT_OTHER",
}
"""What a person types, and how an evaluation says it."""
