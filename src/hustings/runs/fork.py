"""Fork a run: the new run inherits all answers before a turn for free, and continues on its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from secrets import token_hex
from typing import Any

from pydantic import JsonValue

from hustings.db.caps import Caps
from hustings.db.instants import instant
from hustings.errors import NotFound, Unsuitable
from hustings.llm.model_spec import ModelSpec
from hustings.script.protocol import SeatingContext
from hustings.transcript.events import Event, TurnBegun, TurnEntered, wave_of

from .queries import RunQueries
from .registry import load_catalogue, script_of
from .request import cast_with, must_fit
from .spec import Inheritance, RunSpec, how_made, new_fence
from .staging import settings_of

EVERYTHING = 1_000_000
"""Greater than any wave number."""


def fork(
    runs: RunQueries,
    run_id: str,
    *,
    turn: str = "",
    settings: Mapping[str, JsonValue] | None = None,
    model_specs: Mapping[str, ModelSpec] | None = None,
    caps: Caps | None = None,
    load: Callable[[RunSpec], RunSpec] = lambda spec: spec,
) -> RunSpec:
    """Build a run spec that inherits the answers before a turn; without a turn, all answers.

    Answers are matched by their question: a question that the new settings change is asked again.
    `load` gets a protocol from its file, where the caller may run it.
    """
    old = load(runs.whole_spec(run_id))
    if old.imported:
        raise Unsuitable(
            f"{run_id!r} was imported and can't be forked: nothing can be asked again",
            fix="debate its question here: hustings run, or judge it: hustings judge " + run_id,
        )
    before = first_wave(runs.events(run_id), turn) if turn else EVERYTHING
    kin = [Inheritance(lineage=old.lineage, before_wave=before)]
    kin += [Inheritance(lineage=k.lineage, before_wave=min(k.before_wave, before)) for k in old.inherits]
    name = f"{run_id.split(':', maxsplit=1)[0][:100]}:{token_hex(6)}"
    new_model_specs = {**old.model_specs, **(model_specs or {})}
    version = script_of(old.debate).version
    debate = old.debate.model_copy(update={"settings": _settings(old, settings or {}), "version": version})
    change: dict[str, Any] = {
        "run_id": name,
        "lineage": name,
        "inherits": tuple(kin),
        "forked_from": run_id,
        "batch": "",
        "created_at": instant(),
        "fence": new_fence(),
        "debate": cast_with(debate, {**people_of(old), **new_model_specs}),
        "model_specs": new_model_specs,
        "caps": caps or old.caps,
        "made": how_made([*(m.provider for m in new_model_specs.values()), *people_of(old)])
        if model_specs
        else old.made,
    }
    return must_fit(old.model_copy(update=change))


def first_wave(events: Sequence[Event], turn_id: str) -> int:
    """The wave in which a turn was first asked for. The script's own words come from the wave before them."""
    last = 0
    for event in events:
        match event:
            case TurnBegun():
                last = wave_of(event.address)
            case TurnEntered() if event.turn.turn_id == turn_id:
                return wave_of(event.address) - (event.turn.retry_count or 0) if event.address else last
            case _:
                pass
    turns = [e.turn.turn_id for e in events if isinstance(e, TurnEntered)]
    raise NotFound(f"no turn {turn_id!r} in this debate", fix=f"choose from {', '.join(turns) or 'none yet'}")


def _settings(old: RunSpec, changes: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    debate = old.debate
    protocol = script_of(debate)
    chosen = settings_of(protocol, {**debate.settings, **changes})
    seats = protocol.seating(SeatingContext(chosen, debate.topic, load_catalogue()))
    if changes and {seat.id for seat in seats} != {seat.id for seat in debate.seats}:
        raise Unsuitable("these settings change who speaks, so earlier turns can't be reused", fix="start a new debate")
    return chosen.model_dump(mode="json")


def people_of(old: RunSpec) -> dict[str, ModelSpec]:
    """Seats of people, as models."""
    return {
        seat: ModelSpec(provider="human", model="human", local=True)
        for seat, player in old.debate.cast.items()
        if player.model == "human"
    }
