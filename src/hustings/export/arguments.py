"""What was argued, as exports draw it: claims, and the responses that attack or support them.

Forms say it themselves; from plain words a judging draws it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hustings.core.debate import Proceedings
from hustings.core.dossier import Dossier
from hustings.core.judgement import Judgement, Standing
from hustings.core.points import Point
from hustings.core.seats import SILENT_ROLES


@dataclass(frozen=True)
class Claim:
    id: str
    seat: str
    turn_id: str
    claim: str
    standing: Standing | None = None
    """None if it was not judged."""


@dataclass(frozen=True)
class Response:
    id: str
    kind: str
    target: str
    """A claim, or the response that an answer defends against."""
    seat: str
    turn_id: str
    words: str
    attacks: bool
    source: str = ""
    """The claim that makes it, where it was drawn from plain words."""

    @property
    def origin(self) -> str:
        """The node that its edge comes from."""
        return self.source or self.id

    @property
    def said(self) -> str:
        """Its words without the lead in which a form repeats what it is and what it is about."""
        return self.words.removeprefix(f"[{self.target}] {self.kind}:").strip() or self.words


@dataclass(frozen=True)
class Argued:
    claims: tuple[Claim, ...] = ()
    responses: tuple[Response, ...] = ()
    """In the order of the record: what they target stands before them."""

    @property
    def spoken(self) -> tuple[Response, ...]:
        """Responses that are nodes of their own, and not what one claim does to another."""
        return tuple(response for response in self.responses if not response.source)


def argued(dossier: Dossier) -> Argued:
    """Empty where the debate was held in plain words and nobody has judged it."""
    found, judgement = _by_forms(dossier.proceedings), dossier.judgement
    if judgement is None:
        return found
    if not found.claims:
        return _by_judging(judgement)
    standings = {fate.id: fate.standing for fate in judgement.trace}
    return replace(found, claims=tuple(replace(claim, standing=standings.get(claim.id)) for claim in found.claims))


# -- from forms --------------------------------------------------------------------------


def _by_forms(proceedings: Proceedings) -> Argued:
    claims: dict[str, Claim] = {}
    responses: dict[str, Response] = {}
    sides = {p.agent_id: p.team or p.agent_id for p in proceedings.transcript.participants}
    for turn_id, seat, point in _points(proceedings):
        if point.id in claims or point.id in responses or point.kind == "statement":
            continue
        if point.kind == "argument":
            claims[point.id] = Claim(point.id, seat, turn_id, point.claim)
        elif point.kind == "answer":
            # An answer defends against what attacks; to a concession or a support it does nothing.
            target = responses.get(point.target)
            if target and target.attacks and target.kind not in {"answer", "concede"}:
                responses[point.id] = _response(point, seat, turn_id, attacks=True)
        elif target := claims.get(point.target):
            attacks = _attacks(point.kind, own=sides.get(seat) == sides.get(target.seat))
            responses[point.id] = _response(point, seat, turn_id, attacks=attacks)
    return Argued(tuple(claims.values()), tuple(responses.values()))


def _response(point: Point, seat: str, turn_id: str, *, attacks: bool) -> Response:
    return Response(point.id, point.kind, point.target, seat, turn_id, point.words, attacks)


def _points(proceedings: Proceedings) -> Iterator[tuple[str, str, Point]]:
    """Turn, seat, and what was put forward, in the order of the record; only those with a side are heard."""
    silent = {p.agent_id for p in proceedings.transcript.participants if (p.role or "") in SILENT_ROLES}
    bodies: dict[str | None, Mapping[str, Any]] = {
        note.about[0].turn_id: note.body for note in proceedings.notes if note.kind == "points" and note.about
    }
    for turn in proceedings.transcript.turns:
        if turn.said and turn.speaker_id not in silent:
            for point in bodies.get(turn.turn_id, {}).get("points", ()):
                yield turn.turn_id, turn.speaker_id, Point.model_validate(point)


def _attacks(kind: str, *, own: bool) -> bool:
    """Whoever concedes what another claimed supports it; whoever gives up an argument of its own attacks it."""
    return own if kind == "concede" else kind != "support"


# -- from plain words --------------------------------------------------------------------


def _by_judging(judgement: Judgement) -> Argued:
    fates = {fate.id: fate for fate in judgement.trace}
    responses = [
        Response(
            r.id, r.kind, r.target, r.by, r.turn_id, fates[r.source].quote or fates[r.source].claim, r.attacks, r.source
        )
        for r in judgement.responses
        if r.source in fates and r.target in fates and r.source != r.target
    ]
    claims = tuple(Claim(f.id, f.seat, f.turn_id, f.claim, f.standing) for f in fates.values())
    return Argued(claims, tuple(responses))
