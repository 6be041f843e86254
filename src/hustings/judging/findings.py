"""Computes the findings of a judging from the panel's marks; verdict and briefing read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.protocol_result import ProtocolResult
from hustings.script.rubric import Rubric
from hustings.script.stage import AuditSubject
from hustings.text.words import called, count_words
from hustings.transcript.notes import Ending, Note

from .arguments import Argumentation, QuestionLeftOpen, argued, last_turns, names, opposed, voters
from .audits.judging import UNKNOWN_FAMILY, Settings, rubrics_for, seed_of
from .board import Board
from .case import lay_out
from .citations import Basis, Support
from .extract_claims import drawn
from .judgement import (
    ArgumentResult,
    Control,
    Flag,
    Gap,
    IssueResult,
    Judge,
    JudgedResponse,
    Lean,
    MarkGround,
    Movement,
    Reliability,
    Total,
    Votes,
)
from .lean import lean
from .marks import Observation, accepted, flags, observations, unfounded, without_answers
from .positions import issue_ends, movements, questions, settled, stances, states, votes
from .protocol_result import ruled
from .quorum import SeatsHeard, Sheets, voices
from .quote_support import citation_scores, references
from .reliability import doublings, reliability
from .score_board import board
from .sheets import Material, count_of
from .standings import PanelTrust
from .support import bases, capped, support
from .totals import gap, item_scores, margin, observed, panel_means, side_totals
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
    def independent(self) -> bool:
        """Whether judges of two families were heard: otherwise how certain they are cannot be told."""
        return len({self.family_of[judge] for judge, _ in self.heard}) > 1

    @cached_property
    def case(self) -> Argumentation:
        found = argued(self.subject.judged)
        return found if found.claims else drawn(self.subject.judged, self.judging.notes)

    @cached_property
    def unread(self) -> list[str]:
        """Warning about failed calls to the clerk, which leave out claims or responses to them."""
        clerk = self.debate.seats[0].id
        lost = [note for note in self.judging.notes if note.kind == "failure" and note.body.get("seat") == clerk]
        return [f"Some speeches could not be split into arguments ({len(lost)} failed readings)"] if lost else []

    @cached_property
    def missed(self) -> list[str]:
        """Speakers who were asked and gave no usable answer."""
        turns = [turn for turn in self.subject.judged.transcript.turns if turn.speaker_id in self.material.sides]
        asked, lost = Counter(t.speaker_id for t in turns), Counter(t.speaker_id for t in turns if not t.said)
        return [f"{self.name(seat)} gave no usable answer in {n} of {asked[seat]} turns" for seat, n in lost.items()]

    @cached_property
    def material(self) -> Material:
        return Material(self.subject.judged, self.case, rubrics_for(self.subject, self.rubric))

    # -- whether enough was heard ------------------------------------------------------

    @cached_property
    def endings(self) -> dict[str, Ending]:
        return {"the debate": self.subject.judged.ending, "judging": self.judging.ending}

    @cached_property
    def pair(self) -> tuple[str, str] | None:
        """The two assigned sides, if there are exactly two."""
        return opposed(self.subject.judged.transcript)

    @cached_property
    def names(self) -> dict[str, str]:
        """Seats and teams as people call them."""
        return names(self.subject.judged.transcript)

    def name(self, side: str) -> str:
        return self.names.get(side) or called(side)

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
        asked += self.by_vote and bool(self.material.turns) and not self._told_by_forms
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
    def strangers(self) -> bool:
        """Whether the record does not say of every speaker which model it is."""
        return UNKNOWN_FAMILY in self.settings.debaters

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
        return without_answers(self.limited, self.case, self.weights)

    @cached_property
    def limited(self) -> list[Observation]:
        """The same with marks for evidence no higher than what the argument rests on allows."""
        return capped(self.seen, self.bases)

    @cached_property
    def bases(self) -> dict[str, Basis]:
        """What each argument rests on, where documents were at hand."""
        return bases(self.case.claims, self.material.turns, self.subject.judged.notes)

    @cached_property
    def support(self) -> Support | None:
        found = support(self.bases, self.material.turns, self.subject.judged.notes)
        if found is None:
            return None
        given = references(self.case.claims, self.material.turns, self.subject.judged.notes)
        scores = citation_scores(given, len(self.case.claims), self.counted)
        return found.model_copy(update={"precision": scores.precision, "recall": scores.recall})

    @cached_property
    def measured(self) -> tuple[Sequence[Observation], dict[str, float], dict[str, str], dict[str, int]]:
        """What the verdict is computed from: observations, weights, each item's side, and its length in words."""
        if self.by_speech:
            turns = self.material.turns.values()
            sides = {turn.turn_id: self.material.sides[turn.speaker_id] for turn in turns}
            words = {turn.turn_id: count_words(turn.said) for turn in turns}
            return self.seen, self.material.rubrics["speech"].weights(), sides, words
        sides = {claim.id: claim.side for claim in self.case.claims if claim.id not in self.withdrawn}
        words = {claim.id: count_words(claim.quote or claim.words) for claim in self.case.claims}
        return self.filled, self.weights, sides, words

    @cached_property
    def withdrawn(self) -> set[str]:
        """Arguments that their own side took back as a whole."""
        return {r.target for r in self.case.responses if r.withdraws and r.extent != "point"}

    @cached_property
    def totals(self) -> tuple[Total, ...]:
        seen, weights, sides, _ = self.measured
        found = side_totals(seen, weights, sides, self.seed)
        return found if self.independent else tuple(total.model_copy(update={"interval": None}) for total in found)

    @cached_property
    def gap(self) -> Gap | None:
        found = gap(*self.measured[:3], self.pair, self.seed) if self.pair else None
        if found is None or self.independent:
            return found
        word = margin(found.value, None) if len(self.heard) > 1 else "evenly matched"
        return found.model_copy(update={"interval": None, "word": word})

    @cached_property
    def reliability(self) -> Reliability:
        seen, weights, sides, words = self.measured
        found = reliability(seen, observed(seen, weights), words, sides, self.seed)
        if self.independent:
            return found
        return found.model_copy(update={"word": "do not rely", **dict.fromkeys(AGREEMENT)})

    @cached_property
    def doublings(self) -> float:
        """How much longer the items of the gap's first side are than those of its second, in doublings."""
        _, _, sides, words = self.measured
        return doublings(words, sides, self.pair) if self.pair else 0.0

    @cached_property
    def trace(self) -> tuple[ArgumentResult, ...]:
        claims = [claim.id for claim in self.case.claims]
        scores = item_scores(panel_means(self.filled, self.weights, claims), self.weights)
        case = lay_out(self.case, self.limited, issues=issue_ends(self.case.claims, self.settled))
        rows = trace(
            case,
            seed=self.seed,
            trust=PanelTrust(self.reliability.word != "do not rely", self.independent),
            totals=scores,
            dimensions=panel_means(self.limited, self.weights, claims),
            names=self.names,
            last=last_turns(self.subject.judged.transcript),
        )
        grounds, issues = self._grounds, {claim.id: claim.issue for claim in self.case.claims}
        further = {row.id: {"grounds": tuple(grounds.get(row.id, ())), "issue": issues[row.id]} for row in rows}
        placed = [ruled(row, self.decision) for row in rows] if self.decision else rows
        return tuple(row.model_copy(update=further[row.id]) for row in placed)

    @cached_property
    def lean(self) -> Lean | None:
        return lean(self.trace, self.seen, self.pair) if self.pair else None

    @cached_property
    def _grounds(self) -> dict[str, list[MarkGround]]:
        """Argument to the quotes and reasons of each judge's first reading."""
        first: dict[str, Observation] = {}
        for one in self.seen:
            first.setdefault(one.judge, one)
        found: dict[str, list[MarkGround]] = {}
        for judge, one in first.items():
            for item, quotes in one.quotes.items():
                reasons = one.reasons.get(item, {})
                found.setdefault(item, []).extend(
                    MarkGround(
                        judge=judge, dimension=name, score=score, quote=quotes[name], reason=reasons.get(name, "")
                    )
                    for name, score in one.scores.get(item, {}).items()
                    if name in quotes
                )
        return found

    @cached_property
    def unfounded(self) -> int:
        return unfounded(self.counted)

    @cached_property
    def responses(self) -> tuple[JudgedResponse, ...]:
        return tuple(
            JudgedResponse(
                id=r.id,
                kind=r.kind,
                target=r.target,
                by=r.seat,
                turn_id=r.turn_id,
                attacks=r.attacks,
                source=r.source,
                extent=r.extent,
                quote=r.quote,
                words=r.words if r.drawn and not r.source else "",
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
        return self.pair is None

    @cached_property
    def decision(self) -> ProtocolResult | None:
        """What the protocol's own result decides; then nobody has a vote."""
        return self.subject.judged.decision

    @cached_property
    def votes(self) -> Votes | None:
        return None if self.decision else votes(self.subject.judged, self.counted, self.heard, self.settings.options)

    @property
    def _told_by_forms(self) -> bool:
        """Whether every seat with a vote said itself where it stands, so that no judge was asked."""
        spoke = {turn.speaker_id for turn in self.material.turns.values()}
        return all(seat in self.stances for seat in voters(self.subject.judged.transcript) if seat in spoke)

    @cached_property
    def stances(self) -> dict[str, Mapping[str, str]]:
        return stances(self.subject.judged.notes)

    @cached_property
    def movements(self) -> tuple[Movement, ...]:
        return movements(self.votes, self.counted, self.heard) if self.votes else ()

    @cached_property
    def settled(self) -> tuple[IssueResult, ...]:
        return settled(self.subject.judged.notes)

    @cached_property
    def issues(self) -> dict[str, str]:
        return states(self.subject.judged.notes)

    @cached_property
    def issues_in_words(self) -> dict[str, str]:
        words = questions(self.subject.judged.notes)
        return {f"{issue}: {words[issue]}" if issue in words else issue: state for issue, state in self.issues.items()}

    @cached_property
    def questions(self) -> list[QuestionLeftOpen]:
        """Questions of cross-examination without an answer, or with one that the judges marked low."""
        answered = {r.target: r.id for r in self.case.responses if r.kind == "answer"}
        adequacy = panel_means(self.seen, {"adequacy": 1.0}, answered.values())
        weak = {r for r, answer in answered.items() if adequacy[answer].get("adequacy", 1.0) < WEAK}
        return [
            QuestionLeftOpen(response.target, question, answered=response.id in answered)
            for response in self.case.responses
            for question in response.questions
            if response.kind != "concede" and (response.id not in answered or response.id in weak)
        ]


AGREEMENT = ("alpha", "alpha_interval", "icc_single", "icc_panel", "kendall_w", "mean_difference")
"""Figures that mean nothing if all judges are of one family."""
WEAK = 5.0
"""An answer marked lower leaves its question open."""
