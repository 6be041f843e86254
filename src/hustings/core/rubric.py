"""A rubric is one class: the judge's questions (its schema), the parser, and the arithmetic.

The model gives the marks and the quote that grounds them; the sum is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import Field

from .forms import Form, Quote

Score = Annotated[int, Field(ge=1, le=10)]


@dataclass(frozen=True)
class Weight:
    """The share of one mark in the total."""

    share: float


@dataclass(frozen=True)
class Penalty:
    """Points that a broken rule costs."""

    individual: int
    team: int = 0


class Rubric(Form):
    """Marks for one argument or speech; the weights of a rubric add up to 1."""

    penalties: ClassVar[Mapping[str, Penalty]] = {}

    quote: Quote = Field(min_length=1, max_length=200, description="the speaker's own words that ground these marks")

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        total = sum(cls.weights().values())
        if abs(total - 1) > 1e-9:
            raise TypeError(f"weights of {cls.__name__} add up to {total:g}, not to 1: mend their shares")

    @classmethod
    def weights(cls) -> dict[str, float]:
        return {name: w.share for name, f in cls.model_fields.items() for w in f.metadata if isinstance(w, Weight)}

    def fouls(self) -> Sequence[str]:
        """Rules that what is marked has broken."""
        return ()

    @property
    def total(self) -> float:
        return sum(getattr(self, name) * share for name, share in self.weights().items())
