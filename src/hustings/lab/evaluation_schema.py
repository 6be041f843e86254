"""JSON Schemas of an evaluation and of its bundles, generated from their types."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel

from hustings.transcript.schema import Schema, Untitled

from .artefact import EVALUATION_VERSION, Evaluation
from .bundle import BUNDLE_VERSION, Bundles


def evaluation_schema() -> Schema:
    """Schema for readers of 1.x: unknown fields are allowed, since a new field is a minor version."""
    schema = _schema(Evaluation, f"Debate Evaluation {EVALUATION_VERSION}")
    # In some regex engines `$` also matches before a final newline.
    schema["properties"]["schema_version"] |= {"pattern": r"^1\.[0-9]+\.[0-9]+(?!\n)$"}
    return schema


def bundle_schema() -> Schema:
    schema = _schema(Bundles, f"Debate Evaluation Bundles {BUNDLE_VERSION}")
    schema["properties"]["bundle_version"] |= {"pattern": r"^1\.[0-9]+\.[0-9]+(?!\n)$"}
    return schema


def _schema(model: type[BaseModel], title: str) -> Schema:
    schema = model.model_json_schema(schema_generator=Untitled)
    for part in (schema, *schema["$defs"].values()):
        # A better docstring must not change a released schema.
        part.pop("description", None)
    schema["title"] = title
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


SCHEMAS: dict[str, Callable[[], Schema]] = {
    f"evaluation-{EVALUATION_VERSION}.json": evaluation_schema,
    f"evaluation-bundles-{BUNDLE_VERSION}.json": bundle_schema,
}
"""By file name."""
