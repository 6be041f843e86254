"""The bare transcript: only fields of the public 2.0.0 schema, for readers that accept no others."""

from __future__ import annotations

from typing import Any, cast

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from .models import RunMetadata, Transcript


def bare(transcript: Transcript, notes: str | None = None) -> dict[str, Any]:
    """The transcript as plain JSON values, without our own fields and those of others; `notes` are about the debate."""
    about = transcript.debate_metadata
    kept = "\n\n".join(text for text in (about.notes, notes) if text) or None
    told = transcript.model_copy(
        update={"debate_metadata": about.model_copy(update={"notes": kept}), "integrity": None}
    )
    return _public(told)


def _public(value: Any) -> Any:
    match value:
        case BaseModel():
            fields = {name: getattr(value, name) for name, field in type(value).model_fields.items() if not _own(field)}
            empty = isinstance(value, RunMetadata)  # these are written even if nothing is known
            return {name: _public(part) for name, part in fields.items() if empty or part is not None}
        case list():
            return [_public(part) for part in cast("list[Any]", value)]
        case _:
            return value


def _own(field: FieldInfo) -> bool:
    return field.json_schema_extra == {"x-own": True}
