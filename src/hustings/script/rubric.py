"""Rubrics: one class holds what a judge is asked, the form of its answer, and the arithmetic.

The model gives marks, each with the words it rests on; code adds them up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import Field

from .examples import Example
from .forms import Form, ItemId, Quote

R = TypeVar("R", bound="Rubric")
Unit = Literal["argument", "speech", "challenge", "answer"]
"""What a rubric marks."""
Score = Annotated[int, Field(ge=1, le=10)]
LONGEST = 12
"""Most things on one sheet."""
ANCHORED = (1, 3, 5, 7, 10)
"""Scores that a rubric describes in words."""


@dataclass(frozen=True)
class Weight:
    """The share of one mark in the total, and what its points look like."""

    share: float
    """0 for a mark that stands beside the total."""
    anchors: tuple[str, str, str, str, str]
    """Descriptions of 1, 3, 5, 7 and 10 points."""


@dataclass(frozen=True)
class Penalty:
    """Points that a broken rule costs."""

    individual: int
    team: int = 0


class Mark(Form):
    """A mark without a reason."""

    quote: Quote = Field(max_length=200, description="the exact words it rests on; no words, no score")
    score: Score | None

    @property
    def why(self) -> str:
        """The judge's reason: this form asks for none."""
        return ""


class ReasonedMark(Form):
    """A mark with its reason. The words come first: a score written first turns them into an excuse."""

    quote: Quote = Field(max_length=300, description="the exact words it rests on, three or more; no words, no score")
    reason: str = Field(max_length=300, description="in one line, why these words earn this score and no other")
    score: Score | None = Field(description="null if there is nothing to mark")

    @property
    def why(self) -> str:
        return self.reason


class Rubric(Form):
    """Marks for one thing; the weights of a rubric add up to 1."""

    ask: ClassVar[str] = ""
    """What the judge is to do, in words addressed to it."""
    per: ClassVar[Unit] = "argument"
    penalties: ClassVar[Mapping[str, Penalty]] = {}
    binds: ClassVar[Mapping[str, str]] = {}
    """Rules that only one kind of speech can break, and that kind."""

    about: ItemId = Field(description="what these marks are for")

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        total = sum(cls.weights().values())
        if abs(total - 1) > 1e-9:
            raise TypeError(f"weights of {cls.__name__} add up to {total:g}, not to 1: mend their shares")
        if not cls.ask:
            raise TypeError(f"{cls.__name__} asks nothing: say in `ask` what the judge is to do")

    @classmethod
    def weights(cls) -> dict[str, float]:
        """Shares of the marks that make up the total."""
        return {name: weight.share for name, weight in _weighted(cls).items() if weight.share}

    @classmethod
    def scale(cls) -> str:
        """What the points of each mark look like, for the prompt."""
        lines = [
            f"- {name.replace('_', ' ')}: "
            + "; ".join(f"{score} {looks}" for score, looks in zip(ANCHORED, weight.anchors, strict=True))
            for name, weight in _weighted(cls).items()
        ]
        return "\n".join(["Points from 1 to 10; between two that are described, take what lies between.", *lines])

    @classmethod
    def can_break(cls, rule: str, kind: str | None) -> bool:
        """Whether the rule applies to a speech of this kind at all."""
        return cls.binds.get(rule, kind) == kind

    def marks(self) -> dict[str, Mark | ReasonedMark]:
        return {name: getattr(self, name) for name in _weighted(type(self))}

    def flags(self) -> Sequence[tuple[str, str]]:
        """Fallacies and broken rules, beside the marks: the kind, and the words that show it."""
        return ()

    def same_as(self) -> str | None:
        """The thing that makes the same point, if the rubric asks for that."""
        return None

    @property
    def total(self) -> float | None:
        """The weighted sum; None unless every mark has a score."""
        scores = {name: self.marks()[name].score for name in self.weights()}
        if None in scores.values():
            return None
        return sum((scores[name] or 0) * share for name, share in self.weights().items())


class Sheet(Form, Generic[R]):
    """Marks for several things at once."""

    marks: tuple[R, ...] = Field(max_length=LONGEST, description="one entry for each thing you are asked about")


def row_of(rubric: type[Rubric]) -> Example:
    """Marks for one thing, filled in as an example."""
    first, *_ = _weighted(rubric)
    mark = {
        "quote": "People who work six days cannot come now",
        "reason": "The step is stated, how many they are is not.",
        "score": 7,
    }
    more = len(rubric.model_fields) > len({"about", first})
    return {"about": "<item>", first: mark, **({"and so on": ...} if more else {})}


@cache
def sheet_of(rubric: type[R]) -> type[Sheet[R]]:
    return Sheet[rubric]  # pyright: ignore[reportInvalidTypeArguments, reportUnknownVariableType]


def _weighted(rubric: type[Rubric]) -> dict[str, Weight]:
    return {name: w for name, field in rubric.model_fields.items() for w in field.metadata if isinstance(w, Weight)}
