"""The arguments of a debate: claims and the responses to them, from its forms or from its judging."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from hustings.script.debate import Proceedings
from hustings.script.forms import OBJECTIONS, Point
from hustings.text.words import called
from hustings.transcript.models import SILENT_ROLES, Participant, Transcript, Turn

from .dossier import Dossier
from .judgement import Judgement, Standing


@dataclass(frozen=True)
class Claim:
    id: str
    seat: str
    side: str
    """Team or seat whose total it counts for."""
    turn_id: str
    claim: str
    words: str
    """The argument in full, as it was said."""
    quote: str = ""
    standing: Standing | None = None
    """None if it was not judged."""
    issue: str = ""
    """The issue of a moderated panel that it speaks to."""


@dataclass(frozen=True)
class ClaimResponse:
    id: str
    kind: str
    """A `ResponseKind`."""
    target: str
    """A claim, or the response that an answer defends against."""
    seat: str
    side: str
    turn_id: str
    words: str
    questions: tuple[str, ...] = ()
    source: str = ""
    """The claim that carries it, where it was drawn from plain words: what weakens that claim weakens this."""
    owner: bool = False
    """Made by the side that made its target: a concession that gives an argument up."""
    confirmed: bool = True
    """A concession that its author's closing repeats, or one where no closing was due."""
    extent: str = ""
    """How much a concession accepts or a withdrawal takes back: all, core or point; empty if it does not say."""
    quote: str = ""
    """The words of its target that it accepts or takes back."""
    disputes: str = ""
    """What of its target an objection is about, if its form asked."""
    drawn: bool = False
    """Read from plain words by a clerk, not from a form."""
    answerable: bool = True
    """Whether the author of its target spoke again after it."""
    softened: bool = False
    """An objection whose author has since conceded the core: it counts against the extent alone."""

    @property
    def attacks(self) -> bool:
        """A concession supports what another side claimed, and attacks an argument of its own side."""
        return self.owner if self.kind == "concede" else self.kind not in {"support", "agree"}

    @property
    def withdraws(self) -> bool:
        """Takes back an argument of its own side."""
        return self.kind == "withdraw" or (self.kind == "concede" and self.owner)

    @property
    def origin(self) -> str:
        """The node that its edge comes from."""
        return self.source or self.id

    @property
    def said(self) -> str:
        """Its words without the prefix in which a form repeats target and kind."""
        return self.words.removeprefix(f"[{self.target}] {self.kind}:").strip() or self.words


class QuestionLeftOpen(NamedTuple):
    """A question about a claim that cross-examination left open."""

    claim: str
    question: str
    answered: bool = False


@dataclass(frozen=True)
class Argumentation:
    claims: tuple[Claim, ...] = ()
    responses: tuple[ClaimResponse, ...] = ()
    """In the order of the record: targets come before responses."""
    dropped: int = 0
    """Claims and responses without a verbatim quote."""

    @property
    def spoken(self) -> tuple[ClaimResponse, ...]:
        """Responses that are nodes of their own, not relations between two claims."""
        return tuple(response for response in self.responses if not response.source)


def arguments_of(dossier: Dossier) -> Argumentation:
    """Return the arguments from the forms, with standings from judging; from judging alone if there were no forms."""
    found, judgement = argued(dossier.proceedings), dossier.judgement
    if judgement and not found.claims:
        return _from_judgement(judgement)
    standings = {argument.id: argument.standing for argument in judgement.trace} if judgement else {}
    idle = {response.id for response in found.responses if not response.attacks}
    return Argumentation(
        tuple(replace(claim, standing=standings.get(claim.id)) for claim in found.claims),
        # An answer defends against an attack: to a support it does nothing.
        tuple(r for r in found.responses if r.kind != "answer" or r.target not in idle),
    )


def last_words(argumentation: Argumentation) -> Argumentation:
    """What each side says of each argument in the end.

    A side concedes an argument once, by its latest words. Conceding all of it takes back what it said against it;
    conceding its core leaves an objection to its extent.
    """
    owners = {claim.id: claim.side for claim in argumentation.claims}
    latest = {
        (r.target, r.side): r
        for r in argumentation.responses
        if r.kind == "concede" and r.target in owners and r.side != owners[r.target]
    }
    kept: list[ClaimResponse] = []
    for r in argumentation.responses:
        final = latest.get((r.target, r.side))
        if final is None or r is final:
            kept.append(r)
        elif r.kind in OBJECTIONS and (final.extent or "core") != "all":
            whole = r.kind != "partial" and final.extent != "point"
            kept.append(replace(r, kind="partial", softened=True) if whole else r)
        elif r.kind not in OBJECTIONS and r.kind != "concede":
            kept.append(r)
    known = {*owners, *(r.id for r in kept)}
    return replace(argumentation, responses=tuple(r for r in kept if r.target in known))


# -- who speaks for which side -----------------------------------------------------------


def sides(transcript: Transcript) -> dict[str, str]:
    """Speaking seat to its side: its team, or itself."""
    return {p.agent_id: p.team or p.agent_id for p in speaking(transcript)}


def names(transcript: Transcript) -> dict[str, str]:
    """Seats and teams as people call them; what stands behind a comma is a role, not a name."""
    teams = {p.team: called(p.team) for p in transcript.participants if p.team}
    shown = {p.agent_id: (p.display_name or "").partition(",")[0] for p in transcript.participants}
    return teams | {seat: name or called(seat) for seat, name in shown.items()}


def last_turns(transcript: Transcript) -> set[str]:
    """Turns after which no other side spoke; turns of an isolated round are written at the same time."""
    seats, after, found = sides(transcript), set[str](), set[str]()
    for round_ in reversed(transcript.rounds):
        turns = [turn for turn in reversed(round_.turns) if turn.said and turn.speaker_id in seats]
        for turn in turns:
            if not after - {seats[turn.speaker_id]}:
                found.add(turn.turn_id)
            if round_.transcript_visibility != "isolated":
                after.add(seats[turn.speaker_id])
        after |= {seats[turn.speaker_id] for turn in turns}
    return found


def speaking(transcript: Transcript) -> list[Participant]:
    return [p for p in transcript.participants if (p.role or "") not in SILENT_ROLES]


def speeches(transcript: Transcript) -> list[Turn]:
    """Turns with words by the seats that speak for a side, in order."""
    seats = sides(transcript)
    return [turn for turn in transcript.turns if turn.said and turn.speaker_id in seats]


def present(transcript: Transcript) -> list[str]:
    """Seats that were asked to speak, even if no answer came."""
    asked = {turn.speaker_id for turn in transcript.turns}
    asked |= {state.agent_id for state in transcript.participant_state_log or ()}
    return [p.agent_id for p in speaking(transcript) if p.agent_id in asked]


def voters(transcript: Transcript) -> list[str]:
    """Seats that were asked to speak and may take a side."""
    neutral = {p.agent_id for p in transcript.participants if p.role in NEUTRAL_ROLES}
    return [seat for seat in present(transcript) if seat not in neutral]


def opposed(transcript: Transcript) -> tuple[str, str] | None:
    """The two assigned sides, if there are exactly two: teams, or a pro and a con."""
    seats = speaking(transcript)
    named = list(dict.fromkeys(p.team or (p.agent_id if p.role in {"pro", "con"} else "") for p in seats))
    return (named[0], named[1]) if len(named) == 2 and all(named) else None


NEUTRAL_ROLES = frozenset({"synthesizer"})
"""Roles that speak for no answer to the question."""


# -- from forms --------------------------------------------------------------------------


def points_of(proceedings: Proceedings) -> dict[str, list[Point]]:
    """Return the points of each turn, as its form gave them.

    Without retries, an answer is kept even if it breaks the rules of its form: a point whose target was not put forward
    before it, or whose id is taken, is read as a statement.
    """
    given = {
        note.about[0].turn_id: [Point.model_validate(point) for point in listed]
        for note in proceedings.notes
        if note.kind == "points" and note.about and isinstance(listed := note.body.get("points"), list)
    }
    kinds: dict[str, str] = {}
    found: dict[str, list[Point]] = {}
    for turn in speeches(proceedings.transcript):
        for point in given.get(turn.turn_id, ()):
            sound = point.kind != "statement" and point.id not in kinds and _has_target(point, kinds)
            if sound:
                kinds[point.id] = point.kind
            kept = point if sound else point.model_copy(update={"id": "", "kind": "statement"})
            found.setdefault(turn.turn_id, []).append(kept)
    return found


def _has_target(point: Point, kinds: Mapping[str, str]) -> bool:
    """Answers target responses; responses target arguments."""
    if point.kind == "argument":
        return True
    target = kinds.get(point.target)
    return target not in {None, "argument", "answer"} if point.kind == "answer" else target == "argument"


def argued(proceedings: Proceedings) -> Argumentation:
    """Return the arguments from the forms; empty if the debate was held in plain words."""
    seats, claims, responses = sides(proceedings.transcript), dict[str, Claim](), list[ClaimResponse]()
    points, turns = points_of(proceedings), speeches(proceedings.transcript)
    for turn in turns:
        seat, side = turn.speaker_id, seats[turn.speaker_id]
        for point in points.get(turn.turn_id, ()):
            if point.kind == "argument":
                claims[point.id] = Claim(point.id, seat, side, turn.turn_id, point.claim, point.words)
            elif point.kind != "statement":
                said = (seat, side, turn.turn_id, point.words, point.questions)
                own = point.kind in {"concede", "withdraw"} and claims[point.target].side == side
                response = ClaimResponse(point.id, point.kind, point.target, *said, owner=own)
                more = {"extent": point.extent, "quote": point.quote, "disputes": point.disputes}
                responses.append(replace(response, **more))
    # A concession may still ask a question; the answer to that defends against nothing.
    conceded = {r.id for r in responses if r.kind == "concede"}
    kept = [r for r in responses if r.target not in conceded]
    return Argumentation(tuple(claims.values()), tuple(_confirmed(kept, {t.speaker_id: t.turn_id for t in turns})))


def _confirmed(responses: Sequence[ClaimResponse], last: Mapping[str, str]) -> list[ClaimResponse]:
    """A concession in cross-examination counts as confirmed if its author's last words repeat it."""
    by_target = defaultdict[tuple[str, str], list[ClaimResponse]](list)
    for response in responses:
        if response.kind == "concede":
            by_target[response.target, response.seat].append(response)
    lone = {some[0].id for some in by_target.values() if len(some) == 1 and some[0].turn_id != last[some[0].seat]}
    return [replace(response, confirmed=response.id not in lone) for response in responses]


# -- from a judging ----------------------------------------------------------------------


def _from_judgement(judgement: Judgement) -> Argumentation:
    """Claims that a clerk extracted from plain words, and the relations between them."""
    claims = {
        f.id: Claim(f.id, f.seat, f.side, f.turn_id, f.claim, f.quote or f.claim, f.quote, f.standing)
        for f in judgement.trace
    }
    responses: list[ClaimResponse] = []
    sides_of = {claim.seat: claim.side for claim in claims.values()}
    known = {*claims, *(r.id for r in judgement.responses)}
    for r in judgement.responses:
        source = claims.get(r.source)
        if source and r.target in claims and r.source != r.target:
            said = (r.by, source.side, r.turn_id, source.words)
            responses.append(ClaimResponse(r.id, r.kind, r.target, *said, source=r.source, owner=r.attacks, drawn=True))
        elif r.words and not r.source and r.target in known:
            said = (r.by, sides_of.get(r.by, r.by), r.turn_id, r.words)
            responses.append(ClaimResponse(r.id, r.kind, r.target, *said, owner=r.attacks, drawn=True))
    return Argumentation(tuple(claims.values()), tuple(responses))
