"""Schema of a program that answers for seats in the settings: [commands.NAME]."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from hustings.llm.model_spec import Price

from .tool_table import Variable, Word


class CommandTable(BaseModel, defer_build=True):
    """A program that reads a prompt and writes an answer: `cli/NAME` in a seat."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    command: tuple[Word, ...] = Field(
        min_length=1, max_length=100, description="program and arguments, as a list; no shell reads them"
    )
    seconds: float = Field(300.0, gt=0, le=3_600, description="for one answer; then it is ended with all it started")
    characters: int = Field(20_000, ge=1, le=400_000, description="longest answer; a longer one is refused")
    at_once: int = Field(1, ge=1, le=16, description="how many run at the same time, for each worker")
    price: Price | None = Field(
        None, description="USD per million tokens, by which the budget is held; both 0 if you pay a flat rate"
    )
    variables: tuple[Variable, ...] = Field(
        (), max_length=50, description="names of variables that the program gets, such as keys; never their values"
    )

    @property
    def model_fields_said(self) -> dict[str, Any]:
        """What a model spec takes from it."""
        return {"price": self.price, "timeout": self.seconds, "at_once": self.at_once}
