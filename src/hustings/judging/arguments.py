"""The arguments of a debate: claims and the responses to them, from its forms or from its judging."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hustings.script.debate import Proceedings
from hustings.script.forms import Point
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

    @property
    def attacks(self) -> bool:
        """A concession supports what another side claimed, and attacks an argument of its own side."""
        return self.owner if self.kind == "concede" else self.kind != "support"

    @property
    def examines(self) -> bool:
        """Whether it tests its target: a further reason for a claim does not."""
        return self.kind != "support"

    @property
    def origin(self) -> str:
        """The node that its edge comes from."""
        return self.source or self.id

    @property
    def said(self) -> str:
        """Its words without the prefix in which a form repeats target and kind."""
        return self.words.removeprefix(f"[{self.target}] {self.kind}:").strip() or self.words


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


# -- who speaks for which side -----------------------------------------------------------


def sides(transcript: Transcript) -> dict[str, str]:
    """Speaking seat to its side: its team, or itself."""
    return {p.agent_id: p.team or p.agent_id for p in speaking(transcript)}


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


def opposed(transcript: Transcript) -> tuple[str, str] | None:
    """The two assigned sides, if there are exactly two: teams, or a pro and a con."""
    seats = speaking(transcript)
    named = list(dict.fromkeys(p.team or (p.agent_id if p.role in {"pro", "con"} else "") for p in seats))
    return (named[0], named[1]) if len(named) == 2 and all(named) else None


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
                own = point.kind == "concede" and claims[point.target].side == side
                responses.append(ClaimResponse(point.id, point.kind, point.target, *said, owner=own))
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
    for r in judgement.responses:
        source = claims.get(r.source)
        if source and r.target in claims and r.source != r.target:
            said = (r.by, source.side, r.turn_id, source.words)
            responses.append(ClaimResponse(r.id, r.kind, r.target, *said, source=r.source, owner=r.attacks))
    return Argumentation(tuple(claims.values()), tuple(responses))
