"""What to show of a debate in three minutes: its best exchange, a concession, how it was judged, the result.

Chosen from the record by rule, so that a debate recorded anew needs no hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from hustings.judging.arguments import Argumentation, Claim, ClaimResponse, arguments_of, names, points_of
from hustings.judging.dossier import Dossier
from hustings.judging.explanation import WORDS
from hustings.judging.judgement import ArgumentResult, Judgement, MarkGround
from hustings.judging.speech_parts import SpeechPart, speech_parts
from hustings.script.forms import OBJECTIONS
from hustings.text.words import count_words, shortened
from hustings.transcript.models import Turn

from .view import unjudged

Deed = Literal["argues", "objects", "answers", "concedes", "takes back"]
READING_PACE = 4.0
"""Words per second at which people read: 720 in three minutes, to which the limits below add up."""
PASSAGE_WORDS = 90
"""Of each of four passages."""
REASON_WORDS = 60
"""Of why the argument stands where it does, and of the result."""
MARK_WORDS = 20
"""Of a judge's reason."""
JUDGES = 3
QUOTED_WORDS = 10
LEAST_WORDS = 25
"""A passage with fewer shows little."""


@dataclass(frozen=True)
class SpokenWords:
    """Some of what a seat said, cut between sentences."""

    seat: str
    name: str
    turn: str
    round: str
    does: Deed
    id: str
    """The argument it speaks to, as speakers name it; empty if they name none."""
    claim: str
    """The same in a sentence."""
    words: str


@dataclass(frozen=True)
class Highlights:
    exchange: tuple[SpokenWords, ...]
    """An argument, the objection to it and the answer, as far as there are any."""
    concession: SpokenWords | None
    marks: tuple[str, ...]
    """How judges marked the argument of the exchange, and what became of it and of all others."""
    result: tuple[str, ...]

    @property
    def passages(self) -> tuple[SpokenWords, ...]:
        return (*self.exchange, *([self.concession] if self.concession else []))


def highlights(dossier: Dossier) -> Highlights:
    found, judgement = arguments_of(dossier), dossier.judgement
    results = {result.id: result for result in judgement.trace} if judgement else {}
    cutter = _Cutter(dossier, found)
    chain = _best_exchange(found, results, cutter)
    conceded = _concession(found, {said.id for said in chain}, cutter)
    return Highlights(
        exchange=tuple(map(cutter.spoken, chain)),
        concession=cutter.spoken(conceded) if conceded else None,
        marks=tuple(_judging(judgement, results[chain[0].id])) if judgement and chain else (),
        result=tuple(_result(dossier)),
    )


# -- choosing ----------------------------------------------------------------------------


def _best_exchange(
    found: Argumentation, results: Mapping[str, ArgumentResult], cutter: _Cutter
) -> tuple[Claim | ClaimResponse, ...]:
    """Prefer an argument that was attacked and defended at some length, then the one that judges scored best."""
    by_target: dict[str, list[ClaimResponse]] = {}
    for response in found.responses:
        by_target.setdefault(response.target, []).append(response)

    def exchange(claim: Claim) -> tuple[Claim | ClaimResponse, ...]:
        objections = [r for r in by_target.get(claim.id, ()) if r.kind in OBJECTIONS and r.side != claim.side]
        answered = [(objection, by_target[objection.id][0]) for objection in objections if objection.id in by_target]
        return (claim, *(answered[0] if answered else objections[:1]))

    def rank(links: tuple[Claim | ClaimResponse, ...]) -> tuple[int, int, float]:
        shortest = min(count_words(cutter.spoken(said).words) for said in links)
        result = results.get(links[0].id)
        return len(links), min(shortest, LEAST_WORDS), (result.score or 0.0) if result else 0.0

    return max(map(exchange, found.claims), key=rank, default=())


def _concession(found: Argumentation, shown: set[str], cutter: _Cutter) -> ClaimResponse | None:
    """The longest that names a reason, not of an argument whose exchange is shown anyway, if there is another."""
    claims = {claim.id for claim in found.claims}
    given = [r for r in found.responses if r.target in claims and (r.kind == "concede" or r.withdraws)]
    elsewhere = [r for r in given if r.target not in shown] or [r for r in given if r.id not in shown]
    return max(elsewhere, key=lambda r: count_words(cutter.spoken(r).words), default=None)


# -- words -------------------------------------------------------------------------------


class _Cutter:
    """Cuts passages out of turns."""

    def __init__(self, dossier: Dossier, found: Argumentation) -> None:
        transcript = dossier.proceedings.transcript
        points = points_of(dossier.proceedings)
        self._turns: Mapping[str, Turn] = {turn.turn_id: turn for turn in transcript.turns}
        self._rounds = {turn.turn_id: round_.label or "" for round_ in transcript.rounds for turn in round_.turns}
        self._names = names(transcript)
        self._claims = {claim.id: claim.claim for claim in found.claims}
        self._targets = {response.id: response.target for response in found.responses}
        self._parts: Mapping[str, SpeechPart] = {
            part.id: part for turn in transcript.turns for part in speech_parts(turn, points) if part.id
        }

    def spoken(self, said: Claim | ClaimResponse) -> SpokenWords:
        about = self._argument(said.id)
        return SpokenWords(
            seat=said.seat,
            name=self._names.get(said.seat, said.seat),
            turn=said.turn_id,
            round=self._rounds.get(said.turn_id, ""),
            does=_deed(said),
            id=about if about in self._parts else "",
            claim=shortened(self._claims[about], PASSAGE_WORDS // 3),
            words=self._words(said),
        )

    def _argument(self, name: str) -> str:
        """The argument behind a response, or behind an answer to one."""
        while name not in self._claims and name in self._targets:
            name = self._targets[name]
        return name

    def _words(self, said: Claim | ClaimResponse) -> str:
        if part := self._parts.get(said.id):
            return cut("\n".join([part.text, *(detail.text for detail in part.details)]))
        spoken = said.quote or said.words if isinstance(said, Claim) else said.said
        turn = self._turns.get(said.turn_id)
        return _around(turn.said, spoken) if turn else cut(spoken)


def _deed(said: Claim | ClaimResponse) -> Deed:
    if isinstance(said, Claim):
        return "argues"
    if said.withdraws:
        return "takes back"
    if said.kind == "concede":
        return "concedes"
    return "answers" if said.kind == "answer" else "objects"


def cut(text: str, most: int = PASSAGE_WORDS) -> str:
    """As many whole sentences from the beginning as fit, with an ellipsis where more follow."""
    kept = ""
    for sentence in SENTENCES.findall(text.strip()):
        if count_words(kept + sentence) > most:
            return f"{kept.rstrip()} …" if kept else shortened(text.strip(), most)
        kept += sentence
    return kept.rstrip()


def _around(said: str, quote: str) -> str:
    """As much of the paragraph in which a quote stands as fits: from its sentence on, and some before if it is late."""
    paragraph = next((text for text in said.splitlines() if quote in text), "")
    if not paragraph:
        return cut(quote)
    sentences = SENTENCES.findall(paragraph.strip())
    first = 0
    while len("".join(sentences[: first + 1])) <= paragraph.strip().index(quote):
        first += 1
    while first and count_words("".join(sentences[first - 1 :])) <= PASSAGE_WORDS:
        first -= 1
    return ("… " if first else "") + cut("".join(sentences[first:]))


SENTENCES = re.compile(r".+?(?:[.!?][”\"'’)\]]*(?:\s+|$)|\n\s*|$)")


# -- judging -----------------------------------------------------------------------------


def _judging(judgement: Judgement, result: ArgumentResult) -> Iterator[str]:
    models, said = {judge.seat: judge.model for judge in judgement.panel}, set[str]()
    for judge, grounds in [*_by_judge(result)][:JUDGES]:
        marks = ", ".join(f"{ground.dimension} {ground.score:g}" for ground in grounds)
        # What another judge has said already tells a reader nothing new.
        fresh = min(grounds, key=lambda ground: (ground.reason in said, ground.score))
        said.add(fresh.reason)
        quote = f"“{shortened(fresh.quote, QUOTED_WORDS)}”: " if fresh.quote else ""
        yield f"{models.get(judge) or judge}: {marks}. {quote}{cut(fresh.reason, MARK_WORDS)}"
    yield cut(result.reason, REASON_WORDS)
    if len(judgement.trace) > 1:
        yield f"Of all {len(judgement.trace)} arguments: {', '.join(_standing_counts(judgement.trace))}."


def _by_judge(result: ArgumentResult) -> Iterator[tuple[str, list[MarkGround]]]:
    for judge, grounds in groupby(result.grounds, key=lambda ground: ground.judge):
        yield judge, [*grounds]


def _standing_counts(results: Iterable[ArgumentResult]) -> Iterator[str]:
    count = Counter(result.standing for result in results)
    yield from (f"{count[standing]} {words.lower()}" for standing, words in WORDS.items() if count[standing])


def _result(dossier: Dossier) -> Iterator[str]:
    if dossier.judgement is None:
        yield unjudged(dossier.proceedings)
        return
    briefing = dossier.judgement.briefing
    yield cut(briefing.bottom_line, REASON_WORDS)
    if briefing.sure:
        yield f"How sure: {briefing.sure}. {cut(briefing.sure_because, MARK_WORDS)}"
