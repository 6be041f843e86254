"""Small line plots of a report: places lines and bands, which a template or a page draws as SVG.

Each plot carries a table with the same figures. A figure that is not known leaves a gap in its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from hustings.text.tables import TextTable


class PlotPoint(BaseModel, frozen=True, defer_build=True):
    x: float
    y: float
    label: str
    """What it stands for, in words."""


class PlotLine(BaseModel, frozen=True, defer_build=True):
    name: str
    stroke: int
    """Number of its stroke: a line is known by stroke and name, not by colour alone."""
    path: str
    points: tuple[PlotPoint, ...]
    name_y: float
    """Height of its name, at the right end."""


class PlotTick(BaseModel, frozen=True, defer_build=True):
    at: float
    label: str


class Plot(BaseModel, frozen=True, defer_build=True):
    """A plot whose every place is computed. It is as wide as a phone, so its letters are never scaled down."""

    id: str
    title: str
    says: str
    """What it shows, in a sentence."""
    width: float
    height: float
    left: float
    right: float
    """Where the lines begin and end."""
    heights: tuple[PlotTick, ...]
    columns: tuple[PlotTick, ...]
    band: str
    """Outline of the spread around the first line; empty if it is not known."""
    target: PlotTick | None
    lines: tuple[PlotLine, ...]
    table: TextTable


@dataclass(frozen=True)
class Series:
    name: str
    values: Sequence[float | None]
    spread: Sequence[float | None] = ()


@dataclass(frozen=True)
class Chart:
    """What is to be drawn, in its own units."""

    id: str
    title: str
    says: str
    columns: Sequence[str]
    series: Sequence[Series]
    table: TextTable
    range: tuple[float, float] = (0.0, 1.0)
    target: tuple[float, str] | None = None


WIDTH, HEIGHT = 340.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 84.0, 22.0, 28.0
NAME = 14.0
"""Room that the name of a line needs."""
STEPS, MOST_LABELS = 4, 8
"""Heights and columns that are labelled at most."""


def draw_plot(chart: Chart) -> Plot:
    frame = _Frame(chart)
    every = -(-len(chart.columns) // MOST_LABELS)
    lines = tuple(_line(frame, series, n) for n, series in enumerate(chart.series))
    target = chart.target and PlotTick(at=frame.y(chart.target[0]), label=chart.target[1])
    return Plot(
        id=chart.id,
        title=chart.title,
        says=chart.says,
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
        heights=tuple(frame.ticks()),
        columns=tuple(PlotTick(at=frame.x(n), label=label) for n, label in enumerate(chart.columns) if n % every == 0),
        band=_band(frame, chart.series[0]) if chart.series else "",
        target=target,
        lines=_apart(lines, (target.at,) if target else ()),
        table=chart.table,
    )


class _Frame:
    """From units of the chart to places on paper."""

    def __init__(self, chart: Chart) -> None:
        self.low, self.high = chart.range
        self.steps = max(1, len(chart.columns) - 1)
        self.alone = len(chart.columns) == 1
        self.labels = chart.columns

    def x(self, column: int) -> float:
        inner = WIDTH - LEFT - RIGHT
        return _rounded(LEFT + (0.5 * inner if self.alone else inner * column / self.steps))

    def y(self, value: float) -> float:
        inside = min(self.high, max(self.low, value))
        return _rounded(HEIGHT - BOTTOM - (inside - self.low) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM))

    def ticks(self) -> Iterator[PlotTick]:
        for n in range(STEPS + 1):
            value = self.low + n * (self.high - self.low) / STEPS
            yield PlotTick(at=self.y(value), label=f"{value:g}")


def _line(frame: _Frame, series: Series, stroke: int) -> PlotLine:
    known = [(n, value) for n, value in enumerate(series.values) if value is not None]
    points = tuple(
        PlotPoint(x=frame.x(n), y=frame.y(value), label=f"{series.name}, {frame.labels[n]}: {value:.2f}")
        for n, value in known
    )
    path, before = "", -2
    for (n, _), point in zip(known, points, strict=True):
        path += f"{'L' if n == before + 1 else 'M'}{point.x:g} {point.y:g}"
        before = n
    end = points[-1].y if points else HEIGHT / 2
    return PlotLine(name=series.name, stroke=stroke, path=path, points=points, name_y=end)


def _apart(lines: Sequence[PlotLine], taken: Sequence[float]) -> tuple[PlotLine, ...]:
    """Names at the ends of lines that meet stand below each other, and beside what is labelled there already."""
    placed = list(taken)
    found: dict[str, float] = {}
    for line in sorted((line for line in lines if line.points), key=lambda line: line.name_y):
        at = line.name_y
        while any(abs(at - other) < NAME for other in placed):
            at += 1
        placed.append(at)
        found[line.name] = at
    below = max((at for at in placed), default=0.0) - (HEIGHT - 4)
    lift = max(0.0, below)
    return tuple(
        line.model_copy(update={"name_y": _rounded(found[line.name] - lift)}) for line in lines if line.name in found
    )


def _band(frame: _Frame, series: Series) -> str:
    """The outline of value plus and minus spread, over the longest run of rounds that have both."""
    both = [
        (n, value, spread)
        for n, (value, spread) in enumerate(zip(series.values, series.spread, strict=False))
        if value is not None and spread is not None
    ]
    runs: list[list[tuple[int, float, float]]] = []
    for one in both:
        if runs and runs[-1][-1][0] == one[0] - 1:
            runs[-1].append(one)
        else:
            runs.append([one])
    run = max(runs, key=len) if runs else ()
    if len(run) < 2:
        return ""
    over = [f"{frame.x(n):g} {frame.y(value + spread):g}" for n, value, spread in run]
    under = [f"{frame.x(n):g} {frame.y(value - spread):g}" for n, value, spread in reversed(run)]
    return f"M{'L'.join([*over, *under])}Z"


def _rounded(value: float) -> float:
    return round(value, 1)
