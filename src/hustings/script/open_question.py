"""OpenQuestion: a question that waits for the answer of the program that plays its seat, as every way in shows it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel

from hustings.transcript.empty_fields import OMIT_IF_EMPTY


class OpenQuestion(BaseModel, frozen=True, defer_build=True):
    """The prompt is whole, and all that its seat may know."""

    key: str
    """Names the question in an answer, such as `003.1-9f2c01ab`."""
    seat: str
    role: str
    prompt: str
    form_schema: Annotated[dict[str, Any] | None, OMIT_IF_EMPTY] = None
    """JSON Schema of the answer; left out where the answer is plain words."""
    words: int | None
    """The most words that the answer may have, if there is a limit."""
    attempt: int
    """From 1. A second attempt follows an answer that was sent back."""
    attempts: int
    """How many attempts there are."""
