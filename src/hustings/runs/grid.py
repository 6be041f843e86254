"""Grids of debates: every combination of the values that vary, as lines of a batch with readable names. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from math import prod
from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field

from hustings.errors import Unsuitable

MOST_DEBATES = 200
"""Debates of a grid that does not allow more."""
LONGEST_PART = 24
"""Characters of a value in a name."""
LONGEST_NAME = 60
"""Characters of a name; a longer one ends in a digest."""
SPEAKING = ("protocol", "model", "language")
"""What is known by its value alone; other values stand beside what they are values of."""


class Grid(BaseModel, defer_build=True):
    """What many debates have in common, and in what they differ."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    debate: Mapping[str, Any] = {}
    """What all have in common: fields of a line of a batch."""
    vary: Mapping[str, Any] = {}
    """Fields with a list of values each; settings stand below `settings`."""
    repeats: Annotated[int, Field(ge=1, le=1_000)] = 1
    """How often each combination is debated, each time with another seed."""
    most: Annotated[int, Field(ge=1, le=10_000)] = MOST_DEBATES
    """No more debates than these."""


@dataclass(frozen=True)
class Axis:
    """A field that varies."""

    path: tuple[str, ...]
    values: tuple[Any, ...]

    @property
    def name(self) -> str:
        return self.path[-1]

    @property
    def parts(self) -> tuple[str, ...]:
        """What each value is called in names: by itself, or by its place if that is too long or taken."""
        found: dict[str, None] = {}
        for n, value in enumerate(self.values, 1):
            part = _part(self.name, value)
            fits = 0 < len(part) <= LONGEST_PART and part not in found
            found[part if fits else f"{_slug(self.name)}{n}"] = None
        return tuple(found)


@dataclass(frozen=True)
class GridLine:
    """A debate of a grid."""

    name: str
    cell: str
    """The name without the number of the repeat."""
    line: Mapping[str, Any]


def axes_of(grid: Grid) -> tuple[Axis, ...]:
    """What varies, in the order of the file."""
    found = tuple(_axes(grid.vary, ()))
    if not found:
        raise Unsuitable(
            "nothing varies in this grid", fix='list values: [vary] model = ["ollama/qwen3", "improviser"]'
        )
    if grid.repeats > 1 and any(axis.path == ("seed",) for axis in found):
        raise Unsuitable("a grid varies its seed or repeats its debates, not both", fix="drop one of them")
    return found


def size_of(grid: Grid) -> int:
    """How many debates it is."""
    return prod(len(axis.values) for axis in axes_of(grid)) * grid.repeats


def expand(grid: Grid) -> tuple[GridLine, ...]:
    """Every combination, as often as it is repeated. A value added at the end of a list changes no other name."""
    axes, size = axes_of(grid), size_of(grid)
    if size > grid.most:
        raise Unsuitable(
            f"this grid is {size:,} debates, and {grid.most:,} is the most",
            why=described(grid),
            fix=f"vary less, or allow it in the file: most = {size}" if size <= 10_000 else "vary less",
        )
    return tuple(_lines(grid, axes))


def described(grid: Grid) -> str:
    """`topic × 2, settings.rounds × 3, repeats × 2`."""
    told = [f"{'.'.join(axis.path)} × {len(axis.values)}" for axis in axes_of(grid)]
    return ", ".join([*told, *([f"repeats × {grid.repeats}"] if grid.repeats > 1 else [])])


def _lines(grid: Grid, axes: Sequence[Axis]) -> Iterator[GridLine]:
    seed = grid.debate.get("seed")
    for chosen in product(*(zip(axis.parts, axis.values, strict=True) for axis in axes)):
        line = dict(grid.debate)
        for axis, (_, value) in zip(axes, chosen, strict=True):
            line = _put(line, axis.path, value)
        cell = _shortened(".".join(part for part, _ in chosen))
        for n in range(1, grid.repeats + 1):
            seeded = {} if grid.repeats == 1 else {"seed": (seed if isinstance(seed, int) else 1) + n - 1}
            yield GridLine(f"{cell}.{n}", cell, {**line, **seeded})


def _axes(vary: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Axis]:
    for name, values in vary.items():
        here = (*path, name)
        if isinstance(values, Mapping):
            yield from _axes(cast("Mapping[str, Any]", values), here)
        elif not isinstance(values, list) or not values:
            raise Unsuitable(f"{'.'.join(here)} has no list of values", fix=f"write {name} = [1, 2] below [vary]")
        else:
            some = cast("list[Any]", values)
            if _twice(some):
                raise Unsuitable(f"{'.'.join(here)} lists a value twice", fix="to debate it again, set repeats")
            yield Axis(here, tuple(some))


def _twice(values: Sequence[Any]) -> bool:
    """Whether a value occurs twice. Lists and tables cannot be hashed, so those are compared one by one."""
    others: list[Any] = [value for value in values if isinstance(value, list | dict)]
    plain: list[Any] = [value for value in values if not isinstance(value, list | dict)]
    return len({*plain}) < len(plain) or any(value in others[:n] for n, value in enumerate(others))


def _put(line: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """The line with a value at its path; what stands beside it stays."""
    name, *rest = path
    if not rest:
        return {**line, name: value}
    inner = line.get(name)
    below: Mapping[str, Any] = cast("Mapping[str, Any]", inner) if isinstance(inner, Mapping) else dict[str, Any]()
    return {**line, name: _put(below, rest, value)}


def _part(name: str, value: Any) -> str:
    told = _slug(str(value).lower() if isinstance(value, bool) else str(value))
    if isinstance(value, list | dict) or not told:
        return ""
    return told if name in SPEAKING else f"{_slug(name)}-{told}"


def _shortened(name: str) -> str:
    """A name that fits into an id, and is still unlike all others."""
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[: LONGEST_NAME - 9]}-{sha256(name.encode()).hexdigest()[:8]}"


def _slug(text: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))
