"""Describes protocols for lists and forms: seats, settings, and calls counted in a rehearsal."""

from __future__ import annotations

from typing import Any

from hustings.llm.improviser import Improviser
from hustings.runs.catalogue_files import load_catalogue
from hustings.runs.rehearsal import rehearse
from hustings.runs.staging import plan
from hustings.script.protocol import Protocol


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
    """Number of calls with default settings, counted in a rehearsal."""
    return sum(map(len, rehearse(plan(protocol, topic_for(protocol)), Improviser()).waves))


def topic_for(protocol: Protocol) -> str:
    """The catalogue's topic for a protocol, else the first topic of the catalogue."""
    catalogue = load_catalogue()
    defaults = catalogue.defaults.get(protocol.name)
    return catalogue.topic(defaults.topic).text if defaults else catalogue.topics[0].text
