"""Computes the findings of a judging from the panel's marks; verdict and briefing read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.rubric import Rubric
from hustings.script.stage import AuditSubject
from hustings.text.words import count_words
from hustings.transcript.notes import Ending, Note

from .arguments import Argumentation, argued, opposed, present
from .audits.judging import Settings, rubrics_for, seed_of
from .case import find_policy
from .extract_claims import drawn
from .judgement import (
    ArgumentResult,
    Board,
    Control,
    Flag,
    Gap,
    Judge,
    JudgedResponse,
    Reliability,
    Total,
    Votes,
)
from .marks import Observation, accepted, ballots, flags, observations, without_answers
from .quorum import SeatsHeard, Sheets, tally, voices
from .reliability import doublings, reliability
from .score_board import board
from .sheets import Material, count_of
from .totals import gap, item_scores, observed, panel_means, side_totals
from .trace import trace


@dataclass(frozen=True)
class Findings:
    """Everything that a judgement is built from, each part computed once."""

    debate: DebateSpec
    judging: Proceedings
    subject: AuditSubject
    rubric: type[Rubric]
    control: Control | None = None

    @cached_property
    def settings(self) -> Settings:
        return Settings.model_validate(self.debate.settings)

    @cached_property
    def seed(self) -> str:
        return seed_of(self.settings, self.subject.judged)

    @cached_property
    def case(self) -> Argumentation:
        found = argued(self.subject.judged)
        return found if found.claims else drawn(self.subject.judged, self.judging.notes)

    @cached_property
    def unread(self) -> list[str]:
        """Warning about failed calls to the clerk, which leave out claims or responses to them."""
        clerk = self.debate.seats[0].id
        lost = [note for note in self.judging.notes if note.kind == "failure" and note.body.get("seat") == clerk]
        return [f"{len(lost)} readings of the clerk were not given or not accepted"] if lost else []

    @cached_property
    def material(self) -> Material:
        return Material(self.subject.judged, self.case, rubrics_for(self.subject, self.rubric))

    # -- whether enough was heard ------------------------------------------------------

    @cached_property
    def endings(self) -> dict[str, Ending]:
        return {"the debate": self.subject.judged.ending, "judging": self.judging.ending}

    @cached_property
    def voices(self) -> SeatsHeard:
        return voices(self.subject.judged.transcript)

    # -- the panel ---------------------------------------------------------------------

    @cached_property
    def family_of(self) -> dict[str, str]:
        """A judge without a named family is a family of its own."""
        judges, named = [seat.id for seat in self.debate.seats[1:]], self.settings.families
        return {judge: named[n] if n < len(named) else judge for n, judge in enumerate(judges)}

    @cached_property
    def sheets(self) -> dict[tuple[str, int], Sheets]:
        """A judge that could not be reached counts as asked."""
        most, given = self.settings.items_per_sheet, accepted(self.judging.notes)
        asked = sum(count_of(items, most) for items in self.material.items.values())
        asked += self.by_vote and bool(self.material.turns)
        keys = [(judge, order) for judge in self.family_of for order in range(self.settings.orders)]
        return {key: Sheets(asked, given[key]) for key in keys}

    @cached_property
    def panel(self) -> tuple[Judge, ...]:
        return tuple(
            Judge(
                seat=judge,
                model=self.debate.cast[judge].model,
                family=family,
                asked=sum(sheets.asked for (seat, _), sheets in self.sheets.items() if seat == judge),
                accepted=sum(sheets.accepted for (seat, _), sheets in self.sheets.items() if seat == judge),
                kin=family in self.settings.debaters,
            )
            for judge, family in self.family_of.items()
        )

    @cached_property
    def heard(self) -> list[tuple[str, int]]:
        """Observations that count, by judge and order."""
        return [key for key, sheets in self.sheets.items() if sheets.count]

    @cached_property
    def counted(self) -> list[Note]:
        """Notes of the observations that count."""
        notes = self.judging.notes
        return [note for note in notes if (note.body.get("judge"), note.body.get("order")) in self.heard]

    @cached_property
    def seen(self) -> list[Observation]:
        return observations(self.counted)

    # -- figures -----------------------------------------------------------------------

    @cached_property
    def by_speech(self) -> bool:
        return "speech" in self.material.rubrics

    @cached_property
    def weights(self) -> dict[str, float]:
        return self.material.rubrics["argument"].weights()

    @cached_property
    def filled(self) -> list[Observation]:
        return without_answers(self.seen, self.case, self.weights)

    @cached_property
    def measured(self) -> tuple[Sequence[Observation], dict[str, float], dict[str, str], dict[str, int]]:
        """What the verdict is computed from: observations, weights, each item's side, and its length in words."""
        if self.by_speech:
            turns = self.material.turns.values()
            sides = {turn.turn_id: self.material.sides[turn.speaker_id] for turn in turns}
            words = {turn.turn_id: count_words(turn.said) for turn in turns}
            return self.seen, self.material.rubrics["speech"].weights(), sides, words
        sides = {claim.id: claim.side for claim in self.case.claims}
        words = {claim.id: count_words(claim.quote or claim.words) for claim in self.case.claims}
        return self.filled, self.weights, sides, words

    @cached_property
    def totals(self) -> tuple[Total, ...]:
        seen, weights, sides, _ = self.measured
        return side_totals(seen, weights, sides, self.seed)

    @cached_property
    def gap(self) -> Gap | None:
        seen, weights, sides, _ = self.measured
        pair = opposed(self.subject.judged.transcript)
        return gap(seen, weights, sides, pair, self.seed) if pair else None

    @cached_property
    def reliability(self) -> Reliability:
        seen, weights, sides, words = self.measured
        return reliability(seen, observed(seen, weights), words, sides, self.seed)

    @cached_property
    def doublings(self) -> float:
        """How much longer the items of the gap's first side are than those of its second, in doublings."""
        _, _, sides, words = self.measured
        pair = opposed(self.subject.judged.transcript)
        return doublings(words, sides, pair) if pair else 0.0

    @cached_property
    def trace(self) -> tuple[ArgumentResult, ...]:
        claims = [claim.id for claim in self.case.claims]
        scores = item_scores(panel_means(self.filled, self.weights, claims), self.weights)
        return trace(
            self.case,
            self.seen,
            find_policy(self.settings.policy),
            seed=self.seed,
            unreliable=self.reliability.word == "do not rely",
            totals=scores,
            dimensions=panel_means(self.seen, self.weights, claims),
        )

    @cached_property
    def responses(self) -> tuple[JudgedResponse, ...]:
        return tuple(
            JudgedResponse(
                id=r.id, kind=r.kind, target=r.target, by=r.seat, turn_id=r.turn_id, attacks=r.attacks, source=r.source
            )
            for r in self.case.responses
        )

    @cached_property
    def flags(self) -> list[Flag]:
        seats = {turn.turn_id: turn.speaker_id for turn in self.material.turns.values()}
        seats |= {point.id: point.seat for point in (*self.case.claims, *self.case.responses)}
        return flags(self.counted, self.family_of, seats)

    @cached_property
    def board(self) -> Board | None:
        """None unless speeches are marked and teams gave them."""
        if not self.by_speech or not any(p.team for p in self.subject.judged.transcript.participants):
            return None
        rubric, judged = self.material.rubrics["speech"], self.subject.judged
        means = panel_means(self.seen, rubric.weights(), self.material.turns)
        scores = item_scores(means, rubric.weights())
        about_speeches = [flag for flag in self.flags if flag.about in self.material.turns]
        return board(judged.transcript, judged.notes, scores, about_speeches, rubric)

    # -- where the seats ended ---------------------------------------------------------

    @cached_property
    def by_vote(self) -> bool:
        """Whether votes decide: no seat was given a side."""
        return opposed(self.subject.judged.transcript) is None

    @cached_property
    def votes(self) -> Votes | None:
        seats = present(self.subject.judged.transcript)
        read = ballots(self.counted, seats, self.heard)
        return tally(seats, read, self.settings.options) if self.by_vote else None

    @cached_property
    def issues(self) -> dict[str, str]:
        """State of each issue in the last docket; all are open if there is an agenda and no docket."""
        dockets = [note.body for note in self.subject.judged.notes if note.kind == "docket"]
        agendas = [note.body.get("issues") for note in self.subject.judged.notes if note.kind == "agenda"]
        if dockets:
            return {issue: str(state) for issue, state in dockets[-1].items()}
        return dict.fromkeys(_questions(agendas[-1]), "open") if agendas else {}

    @cached_property
    def issues_in_words(self) -> dict[str, str]:
        agendas = [note.body.get("issues") for note in self.subject.judged.notes if note.kind == "agenda"]
        words = _questions(agendas[-1] if agendas else ())
        return {f"{issue}: {words[issue]}" if issue in words else issue: state for issue, state in self.issues.items()}

    @cached_property
    def questions(self) -> list[tuple[str, str]]:
        """Claims and questions of cross-examination that were not answered, or poorly."""
        answered = {r.target: r.id for r in self.case.responses if r.kind == "answer"}
        adequacy = panel_means(self.seen, {"adequacy": 1.0}, answered.values())
        weak = {r for r, answer in answered.items() if adequacy[answer].get("adequacy", 1.0) < WEAK}
        return [
            (response.target, question)
            for response in self.case.responses
            for question in response.questions
            if response.kind != "concede" and (response.id not in answered or response.id in weak)
        ]


def _questions(issues: Any) -> Mapping[str, str]:
    return {issue["id"]: issue["question"] for issue in issues or ()}


WEAK = 5.0
"""An answer marked lower leaves its question open."""
