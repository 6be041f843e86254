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
    """Turn to what it puts forward, where its form said so."""
    found: dict[str, list[Point]] = {}
    for note, body in _bodies(proceedings.notes, "points"):
        found[note.about[0].turn_id or ""] = [Point.model_validate(point) for point in body["points"]]
    return found


def argued(proceedings: Proceedings) -> Argumentation:
    """What was argued, from the forms; empty where the debate was held in plain words."""
    seats, claims, responses = sides(proceedings.transcript), list[Claim](), list[Response]()
    points = points_of(proceedings)
    for turn in speeches(proceedings.transcript):
        seat, side = turn.speaker_id, seats[turn.speaker_id]
        for point in points.get(turn.turn_id, ()):
            if point.kind == "argument":
                claims.append(Claim(point.id, seat, side, turn.turn_id, point.claim, point.words))
            elif point.kind != "statement":
                responses.append(
                    Response(point.id, point.kind, point.target, seat, side, turn.turn_id, point.words, point.questions)
                )
    # Whoever concedes may still ask; the answer to that defends against nothing.
    conceded = {r.id for r in responses if r.kind == "concede"}
    return Argumentation(tuple(claims), tuple(_confirmed([r for r in responses if r.target not in conceded])))


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
                    owner=source.seat == target.seat,
                )
            )
    return Argumentation(tuple(claims.values()), tuple(responses), dropped)


def _bodies(notes: Iterable[Note], kind: str) -> list[tuple[Note, Mapping[str, Any]]]:
    return [(note, note.body) for note in notes if note.kind == kind]


def _confirmed(responses: Sequence[Response]) -> list[Response]:
    """A concession in cross-examination counts as confirmed if its author's last words repeat it."""
    by_target = defaultdict[tuple[str, str], list[Response]](list)
    for response in responses:
        if response.kind == "concede":
            by_target[response.target, response.seat].append(response)
    last = {response.seat: response.turn_id for response in responses}
    lone = {some[0].id for some in by_target.values() if len(some) == 1 and some[0].turn_id != last[some[0].seat]}
    return [replace(response, confirmed=response.id not in lone) for response in responses]
