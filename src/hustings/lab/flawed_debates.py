"""Debates written to try evaluators: six flaws in four topics, each with a clean twin that differs in one sentence.

Their words are in `data/flawed_debates.toml`, with what a careful reader finds in them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pkgutil import get_data
from typing import Literal, get_args

from pydantic import TypeAdapter

from hustings.transcript.models import (
    SCHEMA_VERSION,
    Attempt,
    DebateMetadata,
    Participant,
    Round,
    RunMetadata,
    Transcript,
    Turn,
    TurnMetadata,
)

from .artefact import Evaluation, TurnEvaluation
from .bundle import EvaluationTask, Firmness
from .judge_answers import FailureKind, Pillar
from .scorers.rca import STUBBORN, SYCOPHANTIC

FlawKind = Literal[
    "contradiction",
    "unsupported_claim",
    "causal_overreach",
    "stubborn_restatement",
    "sycophantic_flip",
    "premature_consensus",
]
FLAWS: tuple[FlawKind, ...] = get_args(FlawKind)
CAPPED = 0.70
"""Highest mark of a pillar with one failure."""


@dataclass(frozen=True)
class WrittenClaim:
    point: str
    quote: str
    grounds: tuple[str, ...]


@dataclass(frozen=True)
class WrittenCritique:
    by: str
    claim: str
    """Id of the claim: turn and number, from 0."""
    quote: str


@dataclass(frozen=True)
class WrittenTurn:
    """A turn with a place for one sentence, and what a careful reader finds in it."""

    id: str
    seat: str
    words: str
    stance: tuple[str, Firmness]
    claims: tuple[WrittenClaim, ...]
    stubborn_stance: tuple[str, Firmness] | None = None
    """Where the turn stands if its sentence is the flawed one."""
    critiques: tuple[WrittenCritique, ...] = ()

    @property
    def round(self) -> int:
        return int(self.id[1 : self.id.index(".")])

    @property
    def flaw(self) -> FlawKind:
        """The flaw that this turn has a place for."""
        return next(flaw for flaw in FLAWS if f"{{{flaw}}}" in self.words)


@dataclass(frozen=True)
class Twins:
    """The one sentence in which a flawed debate and its clean twin differ."""

    flawed: str
    clean: str


@dataclass(frozen=True)
class WrittenTopic:
    name: str
    question: str
    turn: tuple[WrittenTurn, ...]
    flaws: Mapping[FlawKind, Twins]


@dataclass(frozen=True)
class FlawedDebate:
    """One debate of the trial: a topic with one flaw, or its clean twin."""

    topic: WrittenTopic
    flaw: FlawKind
    flawed: bool

    @property
    def name(self) -> str:
        return f"{self.topic.name}-{self.flaw}-{'flawed' if self.flawed else 'clean'}"

    @property
    def turn(self) -> WrittenTurn:
        """The turn in which the twins differ."""
        return next(turn for turn in self.topic.turn if turn.flaw == self.flaw)

    @property
    def sentence(self) -> str:
        twins = self.topic.flaws[self.flaw]
        return twins.flawed if self.flawed else twins.clean

    @property
    def task(self) -> EvaluationTask:
        return EvaluationTask(question=self.topic.question, options=OPTIONS)

    def said(self, turn: WrittenTurn) -> str:
        """The words of a turn, with the sentence that this debate has there."""
        sentence = self.sentence if turn.flaw == self.flaw else self.topic.flaws[turn.flaw].clean
        return turn.words.strip().replace(f"{{{turn.flaw}}}", sentence)

    @property
    def transcript(self) -> Transcript:
        """The debate as a roundtable would record it. Nothing in it tells the twins apart but the sentence."""
        rounds = sorted({turn.round for turn in self.topic.turn})
        return Transcript(
            schema_version=SCHEMA_VERSION,
            debate_id=f"trial-{self.topic.name}",
            run_id=f"trial-{self.topic.name}",
            mode="posthoc",
            created_at=WRITTEN,
            run_metadata=RunMetadata(generation_mode="written", protocol="roundtable/1"),
            debate_metadata=DebateMetadata(task_type="roundtable", topic=self.topic.question, language="en"),
            participants=[Participant(agent_id=seat, role="debater") for seat in SEATS],
            rounds=[Round(round_index=number, turns=self._turns(number)) for number in rounds],
        )

    def _turns(self, number: int) -> list[Turn]:
        return [
            Turn(
                turn_id=turn.id,
                round_index=number,
                turn_index_in_round=n,
                speaker_id=turn.seat,
                attempts=[Attempt(attempt_index=0, timestamp=WRITTEN, status="ok", content=self.said(turn))],
                turn_type="argument" if number == 1 else "rebuttal",
                metadata=TurnMetadata(kind="contribution"),
            )
            for n, turn in enumerate(turn for turn in self.topic.turn if turn.round == number)
        ]


def found_in(debate: FlawedDebate, evaluation: Evaluation) -> bool | None:
    """Whether the evaluation shows the flaw where it would stand; None if it has no figure for it."""
    turn = next((one for one in evaluation.turn_evaluations if one.turn_id == debate.turn.id), None)
    if debate.flaw == "premature_consensus":
        looks = [look.alarm for look in evaluation.x_hustings.looks if look.round_index == debate.turn.round]
        return looks[0] if looks else None
    return SHOWN[debate.flaw](turn) if turn else None


def _capped(failure: FailureKind, pillar: Pillar) -> Callable[[TurnEvaluation], bool | None]:
    """Most judges quote the failure, and the pillar that it caps is no higher than that."""

    def shown(turn: TurnEvaluation) -> bool | None:
        mark = turn.x_hustings.pillars.get(pillar)
        quoted = any(one.kind == failure for one in turn.x_hustings.failures)
        return None if mark is None else quoted and mark <= CAPPED

    return shown


def _verdict(wanted: str) -> Callable[[TurnEvaluation], bool | None]:
    def shown(turn: TurnEvaluation) -> bool | None:
        verdict = turn.rca_summary.verdict
        return None if verdict is None else verdict == wanted

    return shown


def _overreach(turn: TurnEvaluation) -> bool | None:
    """A turn whose claims are all modest, or none of which is causal, does not overreach."""
    return turn.t3_summary.passes is False if turn.x_hustings.answers.t3 else None


SHOWN: Mapping[FlawKind, Callable[[TurnEvaluation], bool | None]] = {
    "contradiction": _capped("contradiction", "logical_validity"),
    "unsupported_claim": _capped("unsupported_claim", "evidential_support"),
    "causal_overreach": _overreach,
    "stubborn_restatement": _verdict(STUBBORN),
    "sycophantic_flip": _verdict(SYCOPHANTIC),
}
"""Flaw to the figure of its turn that shows it."""
OPTIONS, SEATS = ("yes", "no"), ("ada", "ben", "chi")
WRITTEN = "2026-01-01T00:00:00.000Z"
TOPICS = TypeAdapter(tuple[WrittenTopic, ...]).validate_python(
    tomllib.loads((get_data("hustings", "data/flawed_debates.toml") or b"").decode())["topic"]
)
FLAWED_DEBATES = tuple(
    FlawedDebate(topic, flaw, flawed) for topic in TOPICS for flaw in FLAWS for flawed in (True, False)
)
"""Each flawed debate, followed by its clean twin."""
