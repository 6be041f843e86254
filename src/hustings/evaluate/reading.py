"""A finished debate as judges need it: whose side each seat is on, what was said, and what was argued."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hustings.core.debate import Proceedings
from hustings.core.notes import Note
from hustings.core.points import Point
from hustings.core.seats import SILENT_ROLES
from hustings.core.transcript import Participant, Transcript, Turn

from .argumentation import Argumentation, Claim, Response


def sides(transcript: Transcript) -> dict[str, str]:
    """Speaking seat to its side: its team, or itself."""
    return {p.agent_id: p.team or p.agent_id for p in speaking(transcript)}


def speaking(transcript: Transcript) -> list[Participant]:
    return [p for p in transcript.participants if (p.role or "") not in SILENT_ROLES]


def present(transcript: Transcript) -> list[str]:
    """Seats that were asked to speak, whether they did or not."""
    asked = {turn.speaker_id for turn in transcript.turns}
    asked |= {state.agent_id for state in transcript.participant_state_log or ()}
    return [p.agent_id for p in speaking(transcript) if p.agent_id in asked]


def opposed(transcript: Transcript) -> tuple[str, str] | None:
    """The two sides, where there are two that were given sides: teams, or a pro and a con."""
    seats = speaking(transcript)
    named = list(dict.fromkeys(p.team or (p.agent_id if p.role in {"pro", "con"} else "") for p in seats))
    return (named[0], named[1]) if len(named) == 2 and all(named) else None


def speeches(transcript: Transcript) -> list[Turn]:
    """Everything that was said by those who speak for a side, in order."""
    seats = sides(transcript)
    return [turn for turn in transcript.turns if turn.said and turn.speaker_id in seats]


def points_of(proceedings: Proceedings) -> dict[str, list[Point]]:
    """Turn to what it puts forward, where its form said so.

    Without retries, an answer stands even if it breaks the rules of its form: what names nothing that was put forward
    before it, or bears a name that is taken, is read as a statement.
    """
    given = {
        note.about[0].turn_id: [Point.model_validate(point) for point in body["points"]]
        for note, body in _bodies(proceedings.notes, "points")
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
    """Answers are to responses, responses to arguments."""
    if point.kind == "argument":
        return True
    target = kinds.get(point.target)
    return target not in {None, "argument", "answer"} if point.kind == "answer" else target == "argument"


def argued(proceedings: Proceedings) -> Argumentation:
    """What was argued, from the forms; empty where the debate was held in plain words."""
    seats, claims, responses = sides(proceedings.transcript), dict[str, Claim](), list[Response]()
    points, turns = points_of(proceedings), speeches(proceedings.transcript)
    for turn in turns:
        seat, side = turn.speaker_id, seats[turn.speaker_id]
        for point in points.get(turn.turn_id, ()):
            if point.kind == "argument":
                claims[point.id] = Claim(point.id, seat, side, turn.turn_id, point.claim, point.words)
            elif point.kind != "statement":
                said = (seat, side, turn.turn_id, point.words, point.questions)
                own = point.kind == "concede" and claims[point.target].side == side
                responses.append(Response(point.id, point.kind, point.target, *said, owner=own))
    # Whoever concedes may still ask; the answer to that defends against nothing.
    conceded = {r.id for r in responses if r.kind == "concede"}
    kept = [r for r in responses if r.target not in conceded]
    return Argumentation(tuple(claims.values()), tuple(_confirmed(kept, {t.speaker_id: t.turn_id for t in turns})))


def drawn(proceedings: Proceedings, notes: Iterable[Note]) -> Argumentation:
    """What was argued, as the clerk drew it from plain words."""
    seats, said = sides(proceedings.transcript), {turn.turn_id: turn for turn in speeches(proceedings.transcript)}
    claims, responses, dropped = dict[str, Claim](), list[Response](), 0
    notes = list(notes)
    for _, body in _bodies(notes, "drawn"):
        turn = said[body["turn"]]
        dropped += body["dropped"]
        for claim in body["claims"]:
            seat = turn.speaker_id
            words = f"“{claim['quote']}”\n{claim['claim']}"
            claims[claim["id"]] = Claim(
                claim["id"], seat, seats[seat], turn.turn_id, claim["claim"], words, claim["quote"]
            )
    for _, body in _bodies(notes, "related"):
        dropped += body["dropped"]
        for relation in body["relations"]:
            source, target = claims[relation["source"]], claims[relation["target"]]
            responses.append(
                Response(
                    relation["id"],
                    relation["kind"],
                    target.id,
                    source.seat,
                    source.side,
                    source.turn_id,
                    relation["quote"],
                    source=source.id,
                    owner=source.side == target.side,
                )
            )
    return Argumentation(tuple(claims.values()), tuple(responses), dropped)


def _bodies(notes: Iterable[Note], kind: str) -> list[tuple[Note, Mapping[str, Any]]]:
    return [(note, note.body) for note in notes if note.kind == kind]


def _confirmed(responses: Sequence[Response], last: Mapping[str, str]) -> list[Response]:
    """A concession in cross-examination counts as confirmed if its author's last words repeat it."""
    by_target = defaultdict[tuple[str, str], list[Response]](list)
    for response in responses:
        if response.kind == "concede":
            by_target[response.target, response.seat].append(response)
    lone = {some[0].id for some in by_target.values() if len(some) == 1 and some[0].turn_id != last[some[0].seat]}
    return [replace(response, confirmed=response.id not in lone) for response in responses]
