"""Go on from a debate: hold it again, perhaps with the sides swapped, or ask a further question about its record."""

from __future__ import annotations

from collections.abc import Mapping
from secrets import token_hex
from typing import Any

from hustings.db.instants import instant
from hustings.errors import Unsuitable
from hustings.llm.model_spec import ModelSpec
from hustings.script.background import MOST_TEXT, MOST_TITLE, Background
from hustings.script.debate import DebateSpec
from hustings.transcript.models import SILENT_ROLES

from .dossiers import rendered
from .fork import people_of
from .queries import RunQueries
from .registry import find_export, script_of
from .request import cast_with, must_fit
from .spec import RunSpec, how_made, new_fence
from .staging import question_id, slug

CUT = "\n\n[The rest of the record is left out: it is too long.]"


def held_again(runs: RunQueries, run_id: str, *, swapped: bool = False) -> RunSpec:
    """Spec of the same debate, held anew. Swapped: each side has the models of the other."""
    old = _held_here(runs, run_id)
    players = {**people_of(old), **old.model_specs}
    return _anew(old, old.debate, _swapped(old, players) if swapped else players)


def followed_up(runs: RunQueries, run_id: str, question: str) -> RunSpec:
    """Spec of a debate on a further question, with the record of this one as its background."""
    old = _held_here(runs, run_id)
    runs.finished(run_id)
    record = rendered(runs, run_id, find_export("md"))
    text = record if len(record) <= MOST_TEXT else record[: MOST_TEXT - len(CUT)] + CUT
    background = Background(title=f"Earlier debate: {old.debate.topic}"[:MOST_TITLE], text=text)
    change: dict[str, Any] = {
        "topic": question,
        "debate_id": question_id(question, background.digest),
        "background": background,
        "documents": None,
    }
    staff = {one.id for one in old.debate.staff}
    kept = {seat: player for seat, player in old.debate.cast.items() if seat not in staff}
    debate = old.debate.model_copy(update={**change, "cast": kept, "tools": ()})
    players = {**people_of(old), **old.model_specs}
    return _anew(old, debate, {seat: spec for seat, spec in players.items() if seat in kept})


def _held_here(runs: RunQueries, run_id: str) -> RunSpec:
    old = runs.whole_spec(run_id)
    if old.imported or old.judged:
        what = "was imported" if old.imported else "is no debate"
        raise Unsuitable(f"{run_id!r} {what} and can't be held again", fix="start a new debate on its question")
    return old


def _anew(old: RunSpec, debate: DebateSpec, players: Mapping[str, ModelSpec]) -> RunSpec:
    """A run of its own: it inherits no answer, and is of no batch."""
    name = f"{slug(debate.topic)[:40].strip('-')}-{token_hex(6)}"
    version = script_of(debate).version
    change: dict[str, Any] = {
        "run_id": name,
        "lineage": name,
        "inherits": (),
        "forked_from": "",
        "batch": "",
        "above": (),
        "created_at": instant(),
        "fence": new_fence(),
        "debate": cast_with(debate.model_copy(update={"version": version}), players),
        "model_specs": {seat: spec for seat, spec in players.items() if spec.provider != "human"},
        "made": how_made(spec.provider for spec in players.values()),
        "texts": old.texts if debate.documents else {},
    }
    return must_fit(old.model_copy(update=change))


def _swapped(old: RunSpec, players: Mapping[str, ModelSpec]) -> dict[str, ModelSpec]:
    """The players of two sides exchanged, seat by seat; all others stay. A speaker without a team is a side."""
    sides: dict[str, list[str]] = {}
    for seat in old.debate.seats:
        if seat.role not in SILENT_ROLES:
            sides.setdefault(seat.team or seat.id, []).append(seat.id)
    if len(sides) != 2 or len({len(seats) for seats in sides.values()}) != 1:
        raise Unsuitable(
            f"{old.debate.protocol!r} has no two sides of equal size to swap", fix="hold it again as it was"
        )
    pairs = dict(zip(*sides.values(), strict=True))
    other = {**pairs, **{second: first for first, second in pairs.items()}}
    return {seat: players[other.get(seat, seat)] for seat in players}
