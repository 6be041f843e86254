"""`hustings protocols`: list the protocols with their settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from hustings.cli.terminal import show, show_json, talk
from hustings.config.protocol_cards import calls, described
from hustings.runs.registry import broken_plugins, protocols


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
    """The allowed values of a setting, if it has more than a type."""
    if "enum" in field:
        return f" ({', '.join(field['enum'])})"
    return f" ({field['minimum']} to {field['maximum']})" if {"minimum", "maximum"} <= set(field) else ""
