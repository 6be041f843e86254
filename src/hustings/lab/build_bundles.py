"""Builds the bundles of a debate: by code from its forms where it has any, else from what reader and clerk noted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hustings.judging.arguments import points_of, sides
from hustings.judging.extract_claims import heard_before
from hustings.script.citing import Citation, citations_of
from hustings.script.debate import Proceedings
from hustings.script.forms import OBJECTIONS, Point
from hustings.text.words import shortened
from hustings.transcript.models import Turn
from hustings.transcript.notes import RULES, Note

from .bundle import UNDECIDED, Bundle, BundleClaim, Critique, Stance, beliefs, mean_beliefs
from .phases import PhasedTurn, evaluated_turns
from .scorers.claim_listing import ListedClaim, ListedGround, claims_noted
from .scorers.point_matching import ClaimRelation, Matches, matches_noted
from .scorers.stance_reading import NOTE as STANCE_NOTE

ASSERTS = frozenset({"argument", "support", "answer"}) | OBJECTIONS
"""Kinds of points that assert something; concessions and withdrawals give something up."""
REASONING, EVIDENCE = re.compile(r"(?m)^Reasoning: (.+)$"), re.compile(r"(?m)^Evidence: (.+)$")
NO_EVIDENCE = re.compile(r"(?i)^(?:none|general knowledge)\b")
QUOTED_WORDS = 30
"""Words of a point that stand for the whole of it."""
FIGURE = re.compile(r"\d[\d.,]*\s*(?:%|[^\W\d_]+)?")
ADDRESS = re.compile(r"(?:https?://|www\.|doi\.org/|arxiv[:. ])\S+", re.IGNORECASE)


@dataclass(frozen=True)
class DebateMaterial:
    """A finished debate and what is known of it before judges score it."""

    judged: Proceedings
    notes: tuple[Note, ...] = ()
    """Of the evaluating run."""
    options: tuple[str, ...] = ()
    """Answers between which a stance is read; empty for an open question."""

    @cached_property
    def turns(self) -> dict[str, PhasedTurn]:
        return {one.turn.turn_id: one for one in evaluated_turns(self.judged.transcript)}

    @cached_property
    def spoken(self) -> list[Turn]:
        return [one.turn for one in self.turns.values()]

    @cached_property
    def sides(self) -> dict[str, str]:
        return sides(self.judged.transcript)

    @cached_property
    def heard(self) -> dict[str, frozenset[str]]:
        """Turn to the turns that its speaker knew."""
        return {turn.turn_id: heard_before(self.judged.transcript, turn) for turn in self.spoken}

    @cached_property
    def on_forms(self) -> bool:
        """Whether the forms of the debate list its claims: then no clerk is asked."""
        return any(point.kind == "argument" for points in self.points.values() for point in points)

    @cached_property
    def points(self) -> dict[str, list[Point]]:
        return points_of(self.judged)

    @cached_property
    def citations(self) -> dict[str, list[Citation]]:
        return citations_of(self.judged.notes)

    @property
    def read_turns(self) -> list[Turn]:
        """Turns in which a stance is read: those of seats that were given no side, if there are options."""
        open_ = [one.turn for one in self.turns.values() if not one.assigned and "synthesis" not in one.phases]
        return open_ if self.options else []

    @cached_property
    def claims(self) -> tuple[ListedClaim, ...]:
        if self.on_forms:
            return tuple(claim for turn in self.spoken for claim in self._from_form(turn))
        return tuple(claims_noted(self.notes, self.spoken))

    @cached_property
    def matches(self) -> Matches:
        if self.on_forms:
            return Matches({}, {}, tuple(self._form_relations()))
        return matches_noted(self.notes, self.spoken)

    def claims_of(self, turn_id: str) -> list[ListedClaim]:
        return [claim for claim in self.claims if claim.turn_id == turn_id]

    def claims_before(self, turn_id: str) -> list[ListedClaim]:
        """Claims of all earlier turns of the record, also of those that its speaker had not heard."""
        order = list(self.turns)
        before = set(order[: order.index(turn_id)])
        return [claim for claim in self.claims if claim.turn_id in before]

    # -- from forms ----------------------------------------------------------------------

    def _from_form(self, turn: Turn) -> Iterator[ListedClaim]:
        for point in self.points.get(turn.turn_id, ()):
            if point.kind in ASSERTS:
                yield ListedClaim(
                    id=point.id,
                    turn_id=turn.turn_id,
                    seat=turn.speaker_id,
                    claim=point.claim or shortened(point.words, QUOTED_WORDS),
                    quote=point.claim or shortened(point.words, QUOTED_WORDS).rstrip("…"),
                    carries=point.kind == "argument",
                    reasons=tuple(REASONING.findall(point.words)) or (("as said",) if not point.claim else ()),
                    grounds=tuple(_evidence(point)),
                )

    def _form_relations(self) -> Iterator[ClaimRelation]:
        said = {point.id: point for points in self.points.values() for point in points}
        for turn in self.spoken:
            for point in self.points.get(turn.turn_id, ()):
                if point.target:
                    # An answer defends the argument that the objection is about.
                    target = said[point.target].target if point.kind == "answer" else point.target
                    quote = shortened(point.words, QUOTED_WORDS).rstrip("…")
                    source = point.id if point.kind in ASSERTS else ""
                    yield ClaimRelation(turn.turn_id, turn.speaker_id, target, point.kind, quote, source)

    # -- names of points and grounds -----------------------------------------------------

    @cached_property
    def point_names(self) -> dict[str, str]:
        """Claim to its point: P1 and so on, in the order of the record."""
        named: dict[str, str] = {}
        for claim in self.claims:
            same = self.matches.same_point.get(claim.id, "")
            named[claim.id] = named[same] if same in named else f"P{len(set(named.values())) + 1}"
        return named

    @cached_property
    def ground_names(self) -> dict[str, str]:
        """Ground to its name: the passage of a document that it cites, else E1 and so on; the same once."""
        named, known = dict[str, str](), dict[str, str]()
        for claim in self.claims:
            for ground in claim.grounds:
                same, kernel = self.matches.same_ground.get(ground.id, ""), _kernel(ground.quote)
                name = self._passage(claim, ground) or named.get(same) or known.get(kernel)
                if not name:
                    name = f"E{sum(bool(ENUMERATED.fullmatch(one)) for one in set(named.values())) + 1}"
                named[ground.id] = name
                if kernel:
                    known.setdefault(kernel, name)
        return named

    def _passage(self, claim: ListedClaim, ground: ListedGround) -> str:
        for citation in self.citations.get(claim.turn_id, ()):
            if citation.accepted and (citation.quote in ground.quote or ground.quote in citation.quote):
                return citation.passage or citation.document
        return ""

    # -- bundles -------------------------------------------------------------------------

    @cached_property
    def bundles(self) -> tuple[Bundle, ...]:
        stances, stated = _stances(self.notes, self.options), _stated(self.judged.notes, self.options)
        return tuple(
            Bundle(
                turn_id=one.turn.turn_id,
                seat=one.turn.speaker_id,
                round=one.turn.round_index,
                phases=one.phases,
                claims=tuple(map(self._claim, self.claims_of(one.turn.turn_id))),
                critiques=tuple(self._critiques(one.turn)),
                stance=None if one.assigned else stances.get(one.turn.turn_id),
                stated=None if one.assigned else stated.get(one.turn.turn_id),
            )
            for one in self.turns.values()
        )

    def _claim(self, claim: ListedClaim) -> BundleClaim:
        return BundleClaim(
            id=claim.id,
            quote=claim.quote,
            point=self.point_names[claim.id],
            claim=claim.claim,
            reasons=claim.reasons,
            grounds=tuple(dict.fromkeys(self.ground_names[ground.id] for ground in claim.grounds)),
            limits=(claim.limit,) if claim.limit else (),
            carries=claim.carries,
        )

    def _critiques(self, turn: Turn) -> Iterator[Critique]:
        """Objections to claims of the speaker that it heard since it last spoke."""
        own = {claim.id for claim in self.claims if claim.seat == turn.speaker_id}
        order = [one.turn_id for one in self.spoken if one.speaker_id == turn.speaker_id]
        last = order[order.index(turn.turn_id) - 1] if order.index(turn.turn_id) else None
        known = (self.heard[last] | {last}) if last else frozenset[str]()
        fresh = self.heard[turn.turn_id] - known
        found = [
            one
            for one in self.matches.relations
            if one.kind in OBJECTIONS and one.target in own and one.turn_id in fresh and one.seat != turn.speaker_id
        ]
        for n, one in enumerate(found, 1):
            yield Critique(
                label=f"critique-{n}",
                by=one.seat,
                quote=one.quote,
                claim=one.target,
                answered=self._answered(one, turn.speaker_id),
            )

    def _answered(self, critique: ClaimRelation, seat: str) -> bool:
        """Whether a later turn of the seat speaks to the criticised claim again, or to the claim that criticises."""
        return any(
            later.seat == seat
            and critique.turn_id in self.heard[later.turn_id]
            and (
                (later.target == critique.target and later.kind in {"answer", "withdraw"})
                or (bool(critique.source) and later.target == critique.source)
            )
            for later in self.matches.relations
        )


ENUMERATED = re.compile(r"E\d+")


def _evidence(point: Point) -> Iterator[ListedGround]:
    for n, words in enumerate(EVIDENCE.findall(point.words), 1):
        if not NO_EVIDENCE.match(words):
            yield ListedGround(f"{point.id}-g{n}", "source", words)


def _kernel(quote: str) -> str:
    """What makes two grounds the same for code: equal addresses, or equal figures with equal units."""
    if addresses := ADDRESS.findall(quote):
        return " ".join(sorted(one.rstrip(".,;)").casefold() for one in addresses))
    figures = [" ".join(one.split()).rstrip(".,").casefold() for one in FIGURE.findall(quote)]
    units = [one for one in figures if not one.replace(".", "").replace(",", "").isdigit()]
    return " ".join(sorted(units)) if units and len(units) == len(figures) else ""


def _stances(notes: Iterable[Note], options: Sequence[str]) -> dict[str, Stance]:
    """Turn to where its readers find it; a turn whose readings are all void has none."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for note in notes:
        if note.kind == STANCE_NOTE and not note.body["void"]:
            found.setdefault(str(note.body["turn"]), []).append(note.body)
    read = {turn: [beliefs(one["option"], one["firmness"], options) for one in some] for turn, some in found.items()}
    return {
        turn: Stance(beliefs=mean_beliefs(several) or {}, quote=str(found[turn][0]["quote"]))
        for turn, several in read.items()
    }


def _stated(notes: Iterable[Note], options: Sequence[str]) -> dict[str, str]:
    """Turn to where its form says that it stands, for protocols whose forms ask for that."""
    return {
        subject.turn_id: says
        for note in notes
        if note.kind == STANCE_NOTE
        and note.by == RULES
        and (says := str(note.body.get("says"))) in (*options, UNDECIDED)
        for subject in note.about
        if subject.turn_id
    }
