"""Leaves fields without a value out of what is written, so that records are short."""

from __future__ import annotations

from operator import not_

from pydantic import Field

OMIT_IF_EMPTY = Field(exclude_if=not_)
"""For `Annotated[…, OMIT_IF_EMPTY]`; not for a number of which zero says something else than nothing."""
