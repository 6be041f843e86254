"""`hustings protocols`: what can be played."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from hustings.core.protocol import Protocol
from hustings.llm.improviser import Improviser
from hustings.run.library import load_library
from hustings.run.registry import broken_plugins, protocols
from hustings.run.rehearse import rehearse
from hustings.run.staging import plan

from .terminal import show, show_json, talk


def list_protocols(*, as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False) -> None:
    """List the protocols that can be played, with their settings."""
    found = protocols()
    for error in broken_plugins().values():
        talk(f"Left out: {error}")
    if as_json:
        show_json([described(protocol) for protocol in found.values()])
        return
    for protocol in found.values():
        show(f"{protocol.name}  (version {protocol.version}, about {calls(protocol)} calls)")
        show(f"    {protocol.summary}")
        for name, field in protocol.settings.model_json_schema().get("properties", {}).items():
            show(f"      {name} = {json.dumps(field.get('default'))}{bounds(field)}  {field.get('description', '')}")
        show()
    talk("Watch one: hustings rehearse NAME")


def bounds(field: Mapping[str, Any]) -> str:
    """What a setting may be, where that is more than its kind."""
    if "enum" in field:
        return f" ({', '.join(field['enum'])})"
    return f" ({field['minimum']} to {field['maximum']})" if {"minimum", "maximum"} <= set(field) else ""


def described(protocol: Protocol) -> dict[str, Any]:
    debate = plan(protocol, topic_for(protocol))
    return {
        "name": protocol.name,
        "version": protocol.version,
        "summary": protocol.summary,
        "description": protocol.description,
        "seats": [{"id": s.id, "name": s.title, "team": s.team, "role": s.role} for s in debate.seats],
        "calls": calls(protocol),
        "retries": protocol.retries,
        "rubric": protocol.rubric,
        "order": protocol.order,
        "settings": protocol.settings.model_json_schema(),
    }


def calls(protocol: Protocol) -> int:
    """How many calls it takes with default settings, counted in a rehearsal."""
    return sum(map(len, rehearse(plan(protocol, topic_for(protocol)), Improviser()).waves))


def topic_for(protocol: Protocol) -> str:
    """The topic that the catalogue gives a protocol, else its first one."""
    library = load_library()
    defaults = library.defaults.get(protocol.name)
    return library.topic(defaults.topic).text if defaults else library.topics[0].text
