"""View of the record: seats, rounds, speeches with their arguments and replies, issues and notes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Annotated, Literal

from pydantic import BaseModel

from hustings.judging.arguments import Argumentation, ClaimResponse, points_of
from hustings.judging.dossier import Dossier
from hustings.judging.judgement import Standing
from hustings.judging.positions import questions
from hustings.judging.speech_parts import SpeechPart, speech_parts
from hustings.script.debate import Proceedings
from hustings.script.forms import in_lines
from hustings.text.words import count_words
from hustings.transcript.empty_fields import OMIT_IF_EMPTY
from hustings.transcript.models import Address, Participant, Turn
from hustings.transcript.notes import Note

from . import remarks, wording

Side = Literal["pro", "con", "judge", ""]
"""The side whose colour a seat has, if any."""


class Chair(BaseModel, frozen=True, defer_build=True):
    """A seat, and who sat in it."""

    id: str
    name: str
    role: str
    team: str
    side: Side
    model: str
    """Not told in a blind view."""
    person: bool
    """Whether a person sat there; not told in a blind view."""
    lens: str
    """The lens or personality that it was given, by name; empty: none."""


class RoundHead(BaseModel, frozen=True, defer_build=True):
    index: int
    label: str
    status: str
    """Empty if complete."""
    speeches: tuple[str, ...]
    """Ids of its turns."""
    absent: tuple[str, ...]
    """Who missed it, and why, in words."""


class Edge(BaseModel, frozen=True, defer_build=True):
    """Whom a speech addresses, where its points do not say so."""

    words: str
    seat: str
    turn: str
    """Empty if unknown."""


class SpeechView(BaseModel, frozen=True, defer_build=True):
    """A turn as pages show it."""

    id: str
    round: int
    label: str
    """Label of its round."""
    kind: str
    """What the seat was asked for, such as `closing`."""
    seat: str
    at: str
    """When it was complete."""
    words: str
    count: int
    allowed: int | None
    """Word limit, if one applies to all words of the turn."""
    retries: int
    readers: tuple[str, ...]
    """Seats that could read it, where that was not everybody."""
    lost: str
    """Why there is no usable answer; empty if there is one."""
    remarks: tuple[str, ...]
    """Violations and penalties, in words."""
    claims: tuple[str, ...]
    """Ids of the arguments it puts forward."""
    replies: tuple[str, ...]
    """Ids of its replies to others."""
    speaks_to: tuple[Edge, ...]
    parts: Annotated[tuple[SpeechPart, ...], OMIT_IF_EMPTY] = ()
    """The same words as arguments and replies, if a form gave them."""


class ClaimView(BaseModel, frozen=True, defer_build=True):
    """An argument."""

    id: str
    seat: str
    side: Side
    turn: str
    claim: str
    standing: Standing | None
    """None if it was not judged."""
    replies: tuple[str, ...]
    """Ids of the replies to it."""


class ReplyView(BaseModel, frozen=True, defer_build=True):
    """A reply to a claim, or to another reply."""

    id: str
    kind: str
    deed: str
    """The kind as a noun."""
    target: str
    seat: str
    side: Side
    turn: str
    words: str
    attacks: bool
    """Otherwise it supports."""
    source: str
    """The claim that makes it, where it was drawn from plain words: then it is an edge, not a node of its own."""
    replies: tuple[str, ...]


class Thought(BaseModel, frozen=True, defer_build=True):
    """A note beside the record."""

    id: str
    kind: str
    by: str
    about: tuple[str, ...]
    """Ids of turns or claims."""
    after: str
    """The last turn its author knew of."""
    words: str


class IssueView(BaseModel, frozen=True, defer_build=True):
    """A line of the docket."""

    id: str
    question: str
    state: str


# -- seats -------------------------------------------------------------------------------


def chairs(proceedings: Proceedings) -> tuple[Chair, ...]:
    return tuple(map(_chair, proceedings.transcript.participants))


def _chair(participant: Participant) -> Chair:
    return Chair(
        id=participant.agent_id,
        name=participant.display_name or participant.agent_id,
        role=participant.role or "",
        team=participant.team or "",
        side=_side(participant),
        model=participant.model_name or "",
        person="human" in (participant.tags or ()),
        lens=wording.lens(participant),
    )


def _side(participant: Participant) -> Side:
    match (participant.team or participant.role or participant.agent_id).casefold():
        case "pro" | "con" | "judge" as side:
            return side
        case _:
            return ""


# -- speeches ----------------------------------------------------------------------------


def rounds(proceedings: Proceedings) -> tuple[RoundHead, ...]:
    transcript = proceedings.transcript
    missing: dict[int | None, list[str]] = {}
    for state in transcript.participant_state_log or ():
        missing.setdefault(state.round_index, []).append(wording.absence(state))
    return tuple(
        RoundHead(
            index=round_.round_index,
            label=round_.label or "round",
            status="" if round_.round_status == "complete" else round_.round_status or "not closed",
            speeches=tuple(turn.turn_id for turn in round_.turns),
            absent=tuple(missing.get(round_.round_index, ())),
        )
        for round_ in transcript.rounds
    )


def told(proceedings: Proceedings) -> tuple[str, ...]:
    """Interventions, and absences that belong to no round."""
    transcript = proceedings.transcript
    indexes = {round_.round_index for round_ in transcript.rounds}
    at_large = [s for s in transcript.participant_state_log or () if s.round_index not in indexes]
    log = transcript.intervention_log or ()
    return (*map(wording.absence, at_large), *map(wording.intervention, log))


def speeches(dossier: Dossier, found: Argumentation, only: Container[str] | None = None) -> tuple[SpeechView, ...]:
    """What was said; of these turns alone, if any are named."""
    reader = _SpeechReader(dossier, found)
    return tuple(
        reader.speech(turn, round_.label or "round")
        for round_ in dossier.proceedings.transcript.rounds
        for turn in round_.turns
        if only is None or turn.turn_id in only
    )


class _SpeechReader:
    """Builds speech views from each turn's arguments, replies and remarks."""

    def __init__(self, dossier: Dossier, found: Argumentation) -> None:
        self._allowed = dossier.allowances
        self._points = points_of(dossier.proceedings)
        self._turns = {turn.turn_id for turn in dossier.proceedings.transcript.turns}
        self._known = {claim.id for claim in found.claims}
        self._claims: dict[str, list[str]] = {}
        self._replies: dict[str, list[str]] = {}
        for claim in found.claims:
            self._claims.setdefault(claim.turn_id, []).append(claim.id)
        for response in found.responses:
            self._replies.setdefault(response.turn_id, []).append(response.id)
        self._remarks = _remarks(dossier)

    def speech(self, turn: Turn, label: str) -> SpeechView:
        last, told = turn.attempts[-1], turn.metadata
        back = [remarks.sent_back(attempt) for attempt in turn.attempts if attempt.status == "retry"]
        plain = last.final_answer is None
        return SpeechView(
            id=turn.turn_id,
            round=turn.round_index,
            label=label,
            kind=(told and told.kind) or "",
            seat=turn.speaker_id,
            at=last.timestamp,
            words=turn.said,
            count=count_words(turn.said),
            allowed=self._allowed.get(turn.turn_id) if plain else None,
            retries=len(turn.attempts) - 1,
            readers=tuple((told and told.readers) or ()),
            lost=remarks.lost(last),
            remarks=(*back, *self._remarks.get(turn.turn_id, ())),
            claims=tuple(self._claims.get(turn.turn_id, ())),
            replies=tuple(self._replies.get(turn.turn_id, ())),
            speaks_to=tuple(dict.fromkeys(self._edges(turn))),
            parts=speech_parts(turn, self._points),
        )

    def _edges(self, turn: Turn) -> Iterator[Edge]:
        """Addresses that the points do not cover."""
        for address in turn.addresses or ():
            if address.target_claim_id and address.target_claim_id in self._known:
                continue
            where = address.target_turn_id or ""
            seat = address.target_agent_id
            yield Edge(words=_deed(address), seat=seat, turn=where if where in self._turns else "")


def _deed(address: Address) -> str:
    return f"{address.move}: {address.target_agent_id}" if address.move else f"speaks to {address.target_agent_id}"


def _remarks(dossier: Dossier) -> Mapping[str, list[str]]:
    """Remarks by turn; once a panel has settled the penalties, those of the judge at the table are dropped."""
    board = dossier.judgement.board if dossier.judgement else None
    settled = [(one.turn_id, one.rule, remarks.penalised(one)) for one in board.penalties] if board else []
    notes = [note for note in dossier.proceedings.notes if not (board and note.body.get("provisional"))]
    at_table = [note for note in notes if note.kind == "penalty" and not board]
    settled += [(t, str(note.body.get("rule")), remarks.penalty(note.body)) for note in at_table for t in _turns(note)]
    costly = {(turn_id, rule) for turn_id, rule, _ in settled}
    found: dict[str, list[str]] = {}
    for note in notes:
        for turn_id in _turns(note):
            # A violation that cost points is told with its penalty.
            if (turn_id, note.body.get("rule")) not in costly:
                found.setdefault(turn_id, []).extend(remarks.noted(note))
    for turn_id, _, words in settled:
        found.setdefault(turn_id, []).append(words)
    return found


def _turns(note: Note) -> list[str]:
    return [about.turn_id for about in note.about if about.turn_id]


# -- arguments ---------------------------------------------------------------------------


def claims(proceedings: Proceedings, found: Argumentation) -> tuple[ClaimView, ...]:
    sides, answered = _sides(proceedings), _answered(found)
    return tuple(
        ClaimView(
            id=c.id,
            seat=c.seat,
            side=sides.get(c.seat, ""),
            turn=c.turn_id,
            claim=c.claim,
            standing=c.standing,
            replies=tuple(answered.get(c.id, ())),
        )
        for c in found.claims
    )


def replies(proceedings: Proceedings, found: Argumentation) -> tuple[ReplyView, ...]:
    sides, answered = _sides(proceedings), _answered(found)

    def reply(r: ClaimResponse) -> ReplyView:
        return ReplyView(
            id=r.id,
            kind=r.kind,
            deed=wording.DEEDS.get(r.kind, r.kind),
            target=r.target,
            seat=r.seat,
            side=sides.get(r.seat, ""),
            turn=r.turn_id,
            words=r.said,
            attacks=r.attacks,
            source=r.source,
            replies=tuple(answered.get(r.id, ())),
        )

    return tuple(map(reply, found.responses))


def _answered(found: Argumentation) -> Mapping[str, list[str]]:
    told: dict[str, list[str]] = {}
    for response in found.responses:
        told.setdefault(response.target, []).append(response.id)
    return told


def _sides(proceedings: Proceedings) -> Mapping[str, Side]:
    return {p.agent_id: _side(p) for p in proceedings.transcript.participants}


# -- thoughts ----------------------------------------------------------------------------


def thoughts(proceedings: Proceedings) -> tuple[Thought, ...]:
    """Notes that no speech or table shows already."""
    return _thoughts(note for note in proceedings.notes if not (note.kind in REMARKED and _turns(note)))


def notes(proceedings: Proceedings) -> tuple[Thought, ...]:
    """Notes including those that remark on a speech."""
    return _thoughts(proceedings.notes)


def _thoughts(notes: Iterable[Note]) -> tuple[Thought, ...]:
    return tuple(
        Thought(
            id=note.note_id,
            kind=note.kind,
            by=note.by,
            about=tuple(name for about in note.about if (name := about.turn_id or about.claim_id)),
            after=note.after_turn or "",
            words=in_lines(note.body),
        )
        for note in notes
        if note.kind not in TOLD
    )


def issues(proceedings: Proceedings) -> tuple[IssueView, ...]:
    """The last docket, with the questions of the agenda and those that came up later."""
    bodies, asked = {note.kind: note.body for note in proceedings.notes}, questions(proceedings.notes)
    states = bodies.get("docket") or dict.fromkeys(asked, "open")
    told = {name: remarks.docket_line({name: state}).removeprefix(f"{name} ") for name, state in states.items()}
    return tuple(IssueView(id=name, question=asked.get(name, ""), state=state) for name, state in told.items())


TOLD = ("form", "points", "documents", "fetched", "citations")
REMARKED = ("violation", "penalty", "unparsed")
