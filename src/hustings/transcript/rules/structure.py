"""DT-S: the fields, their types and values, and the names by which parts of a file know each other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from hustings.transcript.models import SAFE_ID

from .fields import ABSENT, Spot, field_rule
from .index import Index, rule
from .reader import Document, reading_rule
from .rulebook import Found, quoted


@field_rule("DT-S001", "error", "a required field is missing")
def missing(spot: Spot) -> str | None:
    return spot.name if spot.value is ABSENT else None


@field_rule("DT-S002", "error", "a value has the wrong type")
def wrong_type(spot: Spot) -> str | None:
    return None if spot.shape.accepts(spot.value) else f"{_named(spot.value)} instead of {spot.shape.kind}"


@field_rule("DT-S003", "error", "a value is none of those allowed")
def not_in_enum(spot: Spot) -> str | None:
    enum = spot.shape.enum
    return f"{quoted(spot.value)}, allowed are {', '.join(enum)}" if enum and spot.value not in enum else None


@reading_rule("DT-S004", "error", "schema_version is not 2.x.y")
def other_major(reading: Document) -> Iterator[Found]:
    document: object = reading.document
    version = cast("dict[str, object]", document).get("schema_version") if isinstance(document, dict) else None
    if isinstance(version, str) and not _VERSION.fullmatch(version):
        yield Found("/schema_version", quoted(version))


@rule("DT-S005", "warning", "schema_version is newer than this reader, which keeps what it does not know")
def newer_minor(index: Index) -> Iterator[Found]:
    if not index.document["schema_version"].startswith("2.0."):
        yield Found("/schema_version", quoted(index.document["schema_version"]))


@rule("DT-S006", "error", "an identifier is not safe in file names and commands")
def unsafe_id(index: Index) -> Iterator[Found]:
    named = [(index.document[field], f"/{field}") for field in ("debate_id", "run_id")]
    for name, pointer in (*named, *_agents(index), *_turn_ids(index), *_intervention_ids(index)):
        if not _IDENTIFIER.fullmatch(name):
            yield Found(pointer, quoted(name))


@rule("DT-S007", "error", "two turns have the same turn_id")
def duplicate_turn(index: Index) -> Iterator[Found]:
    yield from _repeated(_turn_ids(index))


@rule("DT-S008", "error", "two interventions have the same intervention_id")
def duplicate_intervention(index: Index) -> Iterator[Found]:
    yield from _repeated(_intervention_ids(index))


@rule("DT-S009", "error", "two participants have the same agent_id")
def duplicate_agent(index: Index) -> Iterator[Found]:
    yield from _repeated(_agents(index))


@rule("DT-S010", "error", "the speaker is no participant")
def unknown_speaker(index: Index) -> Iterator[Found]:
    for part in (*index.turns, *index.interventions):
        speaker = part.body.get("speaker_id")
        if speaker is not None and speaker not in index.participants:
            yield Found(part.at("speaker_id"), quoted(speaker))


@rule("DT-S011", "error", "fewer than two participants speak")
def nobody_to_debate(index: Index) -> Iterator[Found]:
    if len(index.speaking) < 2:
        yield Found("/participants", f"{len(index.speaking)} without the role of judge or moderator")


@rule("DT-S012", "error", "round_index is negative")
def negative_round(index: Index) -> Iterator[Found]:
    for part in (*index.rounds, *index.turns, *index.interventions, *index.events):
        number = part.body.get("round_index")
        if number is not None and number < 0:
            yield Found(part.at("round_index"), quoted(number))


@rule("DT-S013", "error", "there are no rounds")
def no_rounds(index: Index) -> Iterator[Found]:
    if not index.rounds:
        yield Found("/rounds")


def _agents(index: Index) -> Iterator[tuple[str, str]]:
    for i, body in enumerate(index.document["participants"]):
        yield body["agent_id"], f"/participants/{i}/agent_id"


def _turn_ids(index: Index) -> Iterator[tuple[str, str]]:
    for turn in index.turns:
        yield turn.body["turn_id"], turn.at("turn_id")


def _intervention_ids(index: Index) -> Iterator[tuple[str, str]]:
    for entry in index.interventions:
        yield entry.body["intervention_id"], entry.at("intervention_id")


def _repeated(named: Iterator[tuple[str, str]]) -> Iterator[Found]:
    seen: set[str] = set()
    for name, pointer in named:
        if name in seen:
            yield Found(pointer, quoted(name))
        seen.add(name)


def _named(value: Any) -> str:
    """How a value of the wrong type is shown: containers by their kind, all others as they are."""
    match value:
        case None | bool():
            return json.dumps(value)
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return quoted(value)


_VERSION = re.compile(r"2\.[0-9]+\.[0-9]+")
_IDENTIFIER = re.compile(SAFE_ID)
