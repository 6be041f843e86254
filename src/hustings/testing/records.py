"""Finished debates to try audits on: speakers have distinct names and models, and call each other by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from hustings.llm.improviser import Improviser
from hustings.runs.registry import find_protocol
from hustings.runs.rehearsal import rehearse
from hustings.runs.staging import plan
from hustings.script.calls import Call, Reply
from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.forms import schema_of
from hustings.transcript.models import SILENT_ROLES, Transcript

from .bad_answers import changed

TOPIC = "Should a town close its centre to cars?"
USUAL = ("structured", "roundtable")
"""One debate on forms that list its claims, and one in plain words, from which they must be extracted."""


def record_of(protocol: str) -> Proceedings:
    """A fresh copy each time, as if read from its file: an audit that changes it does not affect others."""
    return Proceedings.model_validate_json(_written(protocol))


@cache
def _written(protocol: str) -> str:
    debate = among_strangers(plan(find_protocol(protocol), TOPIC))
    return rehearse(debate, lambda call: by_name(call, debate)).proceedings.model_dump_json()


def among_strangers(debate: DebateSpec) -> DebateSpec:
    """The same debate with invented names and models: seen in a prompt, they can only have come from this debate."""
    seats = tuple(replace(seat, name=f"Vask {n}") for n, seat in enumerate(debate.seats, 1))
    cast = {seat.id: replace(debate.cast[seat.id], model=f"acme/zephyr-{n}") for n, seat in enumerate(seats, 1)}
    return debate.model_copy(update={"seats": seats, "cast": cast})


def by_name(call: Call, debate: DebateSpec) -> Reply:
    """The improviser's words, preceded by the names of all seats."""
    names = ", ".join(f"{seat.title} ({seat.id})" for seat in debate.seats)
    reply = replace(Improviser()(call), model=debate.cast[call.seat.id].model)
    if call.brief.form.prose:
        return replace(reply, text=f"{names}: {reply.text}")

    def begun(schema: Mapping[str, Any], text: str) -> str:
        fixed = {"x-choice", "x-quote", "enum", "maxLength"} & set(schema)
        return text if fixed else f"{names}: {text}"

    return replace(reply, text=json.dumps(changed(schema_of(call.brief.form), json.loads(reply.text), begun)))


def identities(transcript: Transcript) -> set[str]:
    """Everything that tells who spoke for which side: ids, names and teams of the speakers, and all models."""
    speaking = [p for p in transcript.participants if p.role not in SILENT_ROLES]
    told = {name for p in speaking for name in (p.agent_id, p.display_name, p.team)}
    models = {p.model_name for p in transcript.participants}
    return {name for name in (*told, *models, *((m or "").rpartition("/")[2] for m in models)) if name}
