"""JSON Schemas of the transcript, generated from its models: open for readers, closed for our own writer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from .models import SCHEMA_VERSION, Transcript
from .rules.fields import SCOPES

Schema = dict[str, Any]


def open_schema() -> Schema:
    """Schema for readers of 2.x: unknown fields are allowed."""
    schema = Transcript.model_json_schema(schema_generator=Untitled)
    # In some regex engines `$` also matches before a final newline.
    schema["properties"]["schema_version"] |= {"pattern": r"^2\.[0-9]+\.[0-9]+(?!\n)$"}
    schema["$defs"]["Intervention"]["allOf"] = [_needed(name, scopes) for name, scopes in SCOPES.items()]
    for part in _parts(schema):
        # A better docstring must not change a released schema.
        part.pop("description", None)
    schema["title"] = f"Debate Transcript {SCHEMA_VERSION}"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def closed_schema() -> Schema:
    """Schema of what we write: only fields of the models, and those of plugins, which begin with `x_`."""
    schema = open_schema()
    schema["properties"]["schema_version"] |= {"const": SCHEMA_VERSION}
    for part in _parts(schema):
        part |= {"additionalProperties": False, "patternProperties": {"^x_": True}}
    return schema


def text(schema: Schema) -> str:
    """The schema as published: the same schema always gives the same bytes."""
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


class Untitled(GenerateJsonSchema):
    """Leaves out titles of fields, which would only repeat their names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        del schema
        return False


def _parts(schema: Schema) -> list[Schema]:
    """The schema of every object that has a model."""
    return [part for part in (schema, *schema["$defs"].values()) if "properties" in part]


def _needed(name: str, scopes: tuple[str, ...]) -> Schema:
    """Require a field in interventions of these scopes: each must say what it aims at."""
    scoped = {"properties": {"scope": {"enum": list(scopes)}}, "required": ["scope"]}
    return {"if": scoped, "then": {"properties": {name: {"not": {"type": "null"}}}, "required": [name]}}


SCHEMAS: dict[str, Callable[[], Schema]] = {
    f"transcript-{SCHEMA_VERSION}.json": open_schema,
    f"transcript-{SCHEMA_VERSION}.closed.json": closed_schema,
}
"""By file name."""
