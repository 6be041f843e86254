"""Settings of a protocol: one frozen model, whose JSON Schema is the form to fill in."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """No settings at all; protocols add their own fields, each with its bounds and a sentence."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
