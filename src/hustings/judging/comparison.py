"""Compares two debates: how their settings differ, how their results differ, and which turns correspond.

Arguments match if they make the same claim, or have the same id in turns with the same words. The rest is only counted:
two debates that argued differently neither agree nor disagree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, JsonValue

from hustings.script.forms import Point
from hustings.text.words import count_words
from hustings.transcript.models import Turn
from hustings.transcript.notes import Decided, Outcome

from .arguments import Claim, argued, points_of
from .dossier import Dossier
from .judgement import ArgumentResult, Judgement, Standing
from .speech_parts import SpeechPart, speech_parts

Place = tuple[str, str, int]
"""Label of the round, seat, and number of the seat's turn there."""


class Aligned(BaseModel, frozen=True, defer_build=True):
    """Turns of two debates in the same place."""

    label: str
    seat: str
    turns: tuple[str | None, str | None]
    words: tuple[str, str]
    parts: tuple[tuple[SpeechPart, ...], tuple[SpeechPart, ...]] = ((), ())
    """The same words as arguments and replies, if forms gave them."""


def aligned(first: Dossier, second: Dossier) -> tuple[Aligned, ...]:
    """Return every turn of either once, in the order of the first; turns of the second alone keep their place."""
    ours, theirs = _places(first), _places(second)
    points = points_of(first.proceedings), points_of(second.proceedings)
    order, after = list(ours), 0
    for place in theirs:
        if place in ours:
            after = order.index(place) + 1
        else:
            order.insert(after, place)
            after += 1
    return tuple(
        Aligned(
            label=place[0],
            seat=place[1],
            turns=(_name(ours.get(place)), _name(theirs.get(place))),
            words=(_words(ours.get(place)), _words(theirs.get(place))),
            parts=(_parts(ours.get(place), points[0]), _parts(theirs.get(place), points[1])),
        )
        for place in order
    )


def _places(dossier: Dossier) -> dict[Place, Turn]:
    found: dict[Place, Turn] = {}
    times = Counter[tuple[str, str]]()
    for round_ in dossier.proceedings.transcript.rounds:
        label = round_.label or f"round {round_.round_index}"
        for turn in round_.turns:
            times[label, turn.speaker_id] += 1
            found[label, turn.speaker_id, times[label, turn.speaker_id]] = turn
    return found


def _name(turn: Turn | None) -> str | None:
    return turn.turn_id if turn else None


def _words(turn: Turn | None) -> str:
    return turn.said if turn else ""


def _parts(turn: Turn | None, points: Mapping[str, Sequence[Point]]) -> tuple[SpeechPart, ...]:
    return speech_parts(turn, points) if turn else ()


T = TypeVar("T")
FEW = 5
"""With fewer arguments in common, agreement says little."""


@dataclass(frozen=True)
class DebateFacts:
    """A finished debate, and the settings of its run spec."""

    run_id: str
    dossier: Dossier
    settings: Mapping[str, JsonValue]


class Matched(BaseModel, frozen=True, defer_build=True):
    """One argument that both debates have."""

    ids: tuple[str, str]
    claim: str
    standings: tuple[Standing | None, Standing | None]
    strengths: tuple[float | None, float | None]

    @property
    def judged(self) -> bool:
        return None not in self.standings

    @property
    def same(self) -> bool:
        return self.judged and self.standings[0] == self.standings[1]


class Spoke(BaseModel, frozen=True, defer_build=True):
    """How much a seat said."""

    turns: int
    words: int
    model: str


class Took(BaseModel, frozen=True, defer_build=True):
    calls: int
    tokens: int
    spent: float
    """In dollars, including judging and control."""


class Comparison(BaseModel, frozen=True, defer_build=True):
    runs: tuple[str, str]
    topics: tuple[str, str]
    protocols: tuple[str, str]
    comparable: bool
    """Same question, same protocol."""
    caveats: tuple[str, ...]
    """Why they are not comparable, or only with care."""
    settings: Mapping[str, tuple[JsonValue, JsonValue]]
    """Settings that differ; null where one debate lacks a setting."""
    endings: tuple[str, str]
    outcomes: tuple[Outcome | None, Outcome | None]
    same_outcome: bool | None
    """None unless both were judged."""
    totals: Mapping[str, tuple[float | None, float | None]]
    """By side, out of ten."""
    matched: tuple[Matched, ...]
    alone: tuple[int, int]
    """Number of arguments that only one of them has."""
    agreement: float | None
    """Share of the common arguments with the same standing."""
    spoke: Mapping[str, tuple[Spoke | None, Spoke | None]]
    took: tuple[Took, Took]


def side_by_side(first: DebateFacts, second: DebateFacts) -> Comparison:
    judgements = first.dossier.judgement, second.dossier.judgement
    topics, protocols = (_topic(first), _topic(second)), (_protocol(first), _protocol(second))
    matched, alone = _match(first, second)
    weighed = [argument for argument in matched if argument.judged]
    return Comparison(
        runs=(first.run_id, second.run_id),
        topics=topics,
        protocols=protocols,
        comparable=same_question(first, second) and protocols[0] == protocols[1],
        caveats=tuple(_caveats(topics, protocols, judgements, len(weighed))),
        settings={
            name: pair for name, pair in _aligned(_settings(first), _settings(second)).items() if pair[0] != pair[1]
        },
        endings=(first.dossier.proceedings.ending.kind, second.dossier.proceedings.ending.kind),
        outcomes=(_outcome(judgements[0]), _outcome(judgements[1])),
        same_outcome=_same(*judgements),
        totals=_aligned(_totals(judgements[0]), _totals(judgements[1])),
        matched=matched,
        alone=alone,
        agreement=sum(argument.same for argument in weighed) / len(weighed) if weighed else None,
        spoke=_aligned(_spoke(first), _spoke(second)),
        took=(_took(first), _took(second)),
    )


def _aligned(first: Mapping[str, T], second: Mapping[str, T]) -> dict[str, tuple[T | None, T | None]]:
    return {name: (first.get(name), second.get(name)) for name in dict.fromkeys([*first, *second])}


# -- how they were held --------------------------------------------------------------------


def _topic(held: DebateFacts) -> str:
    return held.dossier.proceedings.transcript.debate_metadata.topic or ""


def same_question(first: DebateFacts, second: DebateFacts) -> bool:
    return _plain(_topic(first)) == _plain(_topic(second))


def _protocol(held: DebateFacts) -> str:
    return held.dossier.proceedings.transcript.run_metadata.protocol or ""


def _settings(held: DebateFacts) -> dict[str, JsonValue]:
    """Settings of the run spec, the model in each seat, and how it was judged."""
    people = held.dossier.proceedings.transcript.participants
    found: dict[str, JsonValue] = {**held.settings, **{f"model of {p.agent_id}": p.model_name for p in people}}
    if judgement := held.dossier.judgement:
        found["judges"] = [judge.model for judge in judgement.panel]
        found["policy"], found["orders"] = judgement.policy, judgement.orders
        found["rubrics"] = list(judgement.rubrics)
    return found


def _caveats(
    topics: tuple[str, str],
    protocols: tuple[str, str],
    judgements: tuple[Judgement | None, Judgement | None],
    common: int,
) -> Iterator[str]:
    if _plain(topics[0]) != _plain(topics[1]):
        yield "they are about different questions"
    if protocols[0] != protocols[1]:
        yield f"they were held under different protocols: {protocols[0]} and {protocols[1]}"
    judged = [judgement for judgement in judgements if judgement]
    if len(judged) < 2:
        yield "only one of them was judged" if judged else "neither was judged"
        return
    if judged[0].policy != judged[1].policy or judged[0].rubrics != judged[1].rubrics:
        yield "they were judged by different rules"
    if any(judgement.reliability.word == "do not rely" for judgement in judged):
        yield "the judges of at least one agree too little to be relied on"
    if common < FEW:
        yield f"{common} arguments in common say little" if common else "they have no argument in common"


# -- what they came to ---------------------------------------------------------------------


def _outcome(judgement: Judgement | None) -> Outcome | None:
    return judgement.outcome if judgement else None


def _same(first: Judgement | None, second: Judgement | None) -> bool | None:
    """Whether the outcomes agree in kind and, if both are decided, in what they decide."""
    if first is None or second is None:
        return None
    one, other = first.outcome, second.outcome
    if isinstance(one, Decided) and isinstance(other, Decided):
        return one.what == other.what
    return one.kind == other.kind


def _totals(judgement: Judgement | None) -> dict[str, float | None]:
    return {total.side: total.score for total in judgement.totals} if judgement else {}


def _spoke(held: DebateFacts) -> dict[str, Spoke]:
    transcript = held.dossier.proceedings.transcript
    said = {
        p.agent_id: [t.said for t in transcript.turns if t.speaker_id == p.agent_id] for p in transcript.participants
    }
    return {
        p.agent_id: Spoke(
            turns=len(said[p.agent_id]), words=sum(map(count_words, said[p.agent_id])), model=p.model_name or ""
        )
        for p in transcript.participants
    }


def _took(held: DebateFacts) -> Took:
    expenses = held.dossier.expenses
    return Took(
        calls=sum(e.calls for e in expenses),
        tokens=sum(e.tokens for e in expenses),
        spent=sum(e.spent for e in expenses),
    )


# -- arguments -----------------------------------------------------------------------------


@dataclass(frozen=True)
class ComparedArgument:
    """An argument with the words it stands in, and what judging made of it, if the debate was judged."""

    argument: Claim | ArgumentResult
    said: str
    """Full text of its turn."""

    @property
    def result(self) -> ArgumentResult | None:
        return self.argument if isinstance(self.argument, ArgumentResult) else None


def arguments(held: DebateFacts) -> list[ComparedArgument]:
    """Return the judged arguments; for an unjudged debate, the arguments that its forms number."""
    said = {turn.turn_id: turn.said for turn in held.dossier.proceedings.transcript.turns}
    judgement = held.dossier.judgement
    rows = judgement.trace if judgement else argued(held.dossier.proceedings).claims
    return [ComparedArgument(argument, said.get(argument.turn_id, "")) for argument in rows]


def paired(ours: Sequence[ComparedArgument], theirs: Sequence[ComparedArgument]) -> dict[int, ComparedArgument]:
    """Map indexes in `ours` to at most one of `theirs` each; the same claim matches before the same id."""
    left = dict(enumerate(theirs))
    pairs: dict[int, ComparedArgument] = {}
    for alike in (_same_in_all, _same_claim, _same_place):
        for place, one in enumerate(ours):
            found = None if place in pairs else next((n for n, other in left.items() if alike(one, other)), None)
            if found is not None:
                pairs[place] = left.pop(found)
    return pairs


def _match(first: DebateFacts, second: DebateFacts) -> tuple[tuple[Matched, ...], tuple[int, int]]:
    ours, theirs = arguments(first), arguments(second)
    pairs = paired(ours, theirs)
    matched = tuple(
        Matched(
            ids=(one.argument.id, other.argument.id),
            claim=one.argument.claim,
            standings=(one.result and one.result.standing, other.result and other.result.standing),
            strengths=(one.result and one.result.strength, other.result and other.result.strength),
        )
        for place, one in enumerate(ours)
        if (other := pairs.get(place))
    )
    return matched, (len(ours) - len(matched), len(theirs) - len(matched))


def _same_in_all(one: ComparedArgument, other: ComparedArgument) -> bool:
    return one.argument.id == other.argument.id and _same_claim(one, other)


def _same_claim(one: ComparedArgument, other: ComparedArgument) -> bool:
    return bool(one.argument.claim) and _plain(one.argument.claim) == _plain(other.argument.claim)


def _same_place(one: ComparedArgument, other: ComparedArgument) -> bool:
    return bool(one.said) and one.argument.id == other.argument.id and one.said == other.said


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!?")
