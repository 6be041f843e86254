"""The argument map of the HTML report: places its boxes and lines, which a template draws as SVG."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from hustings.judging.judgement import Standing
from hustings.text.figures import on_one_line

from .record_view import ReplyView
from .view import View

Edge = tuple[str, str]
"""Source and target."""
WIDTH, GAP, LANE = 236.0, 14.0, 84.0
SWEEPS = 6


@dataclass(frozen=True)
class Layout:
    at: Mapping[str, tuple[float, float]]
    """Upper left corners."""
    width: float
    height: float


def lay_out(heights: Mapping[str, float], edges: Sequence[Edge]) -> Layout:
    """Boxes come in the order of the record, targets before sources."""
    order = {name: n for n, name in enumerate(heights)}
    sound = [(s, t) for s, t in edges if s in order and t in order and order[t] < order[s]]
    layer = _layers(order, sound)
    columns: list[list[str]] = [[] for _ in range(max(layer.values(), default=-1) + 1)]
    for name in heights:
        columns[layer[name]].append(name)
    targets, sources = _ends(order, sound)
    tops: dict[str, float] = {}
    for column in columns:
        # The first column keeps the order of the record, the others follow the order of their targets.
        column.sort(key=lambda name: (fmean(tops[t] for t in targets[name]) if targets[name] else 0.0, order[name]))
        tops |= _stacked(column, heights)
        tops |= _settled(column, heights, tops, targets)
    for sweep in range(SWEEPS):
        near = targets if sweep % 2 else sources
        for column in columns if sweep % 2 else reversed(columns):
            tops |= _settled(column, heights, tops, near)
    up = min(tops.values(), default=0.0)
    at = {name: (layer[name] * (WIDTH + LANE), round(y - up, 1)) for name, y in tops.items()}
    bottom = max((y + heights[name] for name, (_, y) in at.items()), default=0.0)
    return Layout(at, max(0.0, len(columns) * (WIDTH + LANE) - LANE), round(bottom, 1))


def _layers(order: Mapping[str, int], edges: Sequence[Edge]) -> dict[str, int]:
    targets, _ = _ends(order, edges)
    layer: dict[str, int] = {}
    for name in order:
        layer[name] = 1 + max((layer[target] for target in targets[name]), default=-1)
    return layer


def _ends(order: Mapping[str, int], edges: Sequence[Edge]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """What each box points to, and what points to it."""
    targets: dict[str, list[str]] = {name: [] for name in order}
    sources: dict[str, list[str]] = {name: [] for name in order}
    for source, target in edges:
        targets[source].append(target)
        sources[target].append(source)
    return targets, sources


def _stacked(column: Sequence[str], heights: Mapping[str, float]) -> dict[str, float]:
    tops, y = dict[str, float](), 0.0
    for name in column:
        tops[name] = y
        y += heights[name] + GAP
    return tops


def _settled(
    column: Sequence[str], heights: Mapping[str, float], tops: Mapping[str, float], near: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Move each box as close as possible to the middle of its neighbours: least squares, order kept, no overlap."""

    def middle(name: str) -> float:
        return tops[name] + heights[name] / 2

    wished = {n: fmean(map(middle, near[n])) - heights[n] / 2 if near[n] else tops[n] for n in column}
    offsets = _stacked(column, heights)
    blocks: list[list[str]] = []
    starts: list[float] = []
    for name in column:
        block, start = [name], wished[name] - offsets[name]
        while starts and starts[-1] > start:
            block, _ = [*blocks.pop(), *block], starts.pop()
            start = fmean(wished[n] - offsets[n] for n in block)
        blocks.append(block)
        starts.append(start)
    return {name: start + offsets[name] for block, start in zip(blocks, starts, strict=True) for name in block}


COLUMNS, LINES = 33, 3
"""Size of the text in a box; wide letters take two columns."""
LINE, HEAD, PAD, MARGIN = 15.0, 18.0, 9.0, 10.0
SIGNS: Mapping[Standing | None, str] = {
    "upheld": "✓ upheld",
    "partially_upheld": "◐ partly upheld",
    "refuted": "✕ refuted",
    "withdrawn": "↩ withdrawn",
    "uncertain": "? unsettled",
    None: "not judged",
}
"""A standing is never shown by colour alone."""


@dataclass(frozen=True)
class Row:
    text: str
    kind: str
    x: str
    y: str


@dataclass(frozen=True)
class Box:
    name: str
    head: str
    text: str
    kind: str
    """Its standing, `unjudged` or `response`."""

    @property
    def lines(self) -> list[str]:
        return wrapped(self.text)

    @property
    def height(self) -> float:
        return 2 * PAD + HEAD + LINE * len(self.lines)

    @property
    def full(self) -> str:
        return f"{self.head}: {on_one_line(self.text)}"

    def rows(self, x: float, y: float) -> Iterator[Row]:
        """Yield the lines of text with their positions, for a box whose upper left corner is at `x`, `y`."""
        left, top = f"{x + PAD:g}", y + PAD + HEAD - 4
        yield Row(clipped(self.head), "head", left, f"{y + PAD + LINE - 3:g}")
        yield from (Row(line, "line", left, f"{top + LINE * n:g}") for n, line in enumerate(self.lines, 1))


@dataclass(frozen=True)
class MapLine:
    kind: str
    path: str
    label: str
    """The relation between two claims; empty if the response has a box of its own."""
    x: str
    y: str


@dataclass(frozen=True)
class Drawing:
    boxes: tuple[tuple[Box, float, float], ...]
    """Each with its upper left corner."""
    lines: tuple[MapLine, ...]
    width: float
    height: float


def draw(view: View) -> Drawing:
    boxes = {box.name: box for box in _boxes(view)}
    edges = [(reply.source or reply.id, reply.target) for reply in view.replies]
    layout = lay_out({name: box.height for name, box in boxes.items()}, edges)
    known = [r for r in view.replies if {r.source or r.id, r.target} <= boxes.keys()]
    return Drawing(
        tuple((box, *layout.at[name]) for name, box in boxes.items()),
        tuple(_line(reply, boxes, layout) for reply in known),
        layout.width + 2 * MARGIN,
        layout.height + 2 * MARGIN,
    )


def _boxes(view: View) -> Iterator[Box]:
    for claim in view.claims:
        head = f"{SIGNS[claim.standing]} · {claim.id} · {claim.seat}"
        yield Box(claim.id, head, claim.claim, claim.standing or "unjudged")
    for reply in view.replies:
        if not reply.source:
            yield Box(reply.id, f"{reply.deed} by {reply.seat}", reply.words, "response")


def _line(reply: ReplyView, boxes: Mapping[str, Box], layout: Layout) -> MapLine:
    source, target = boxes[reply.source or reply.id], boxes[reply.target]
    (sx, sy), (tx, ty) = layout.at[source.name], layout.at[target.name]
    start, end = (sx, sy + source.height / 2), (tx + WIDTH, ty + target.height / 2)
    bend = max(30.0, (start[0] - end[0]) / 2)
    path = (
        f"M{start[0]:g} {start[1]:g}C{start[0] - bend:g} {start[1]:g} {end[0] + bend:g} {end[1]:g} "
        f"{end[0] + 2:g} {end[1]:g}"
    )
    told = "gives up" if reply.kind == "concede" and reply.attacks else reply.kind
    return MapLine(
        kind="attack" if reply.attacks else "support",
        path=path,
        label=told if reply.source else "",
        x=f"{(start[0] + end[0]) / 2:g}",
        y=f"{(start[1] + end[1]) / 2 - 3:g}",
    )


def wrapped(text: str, columns: int = COLUMNS, most: int = LINES) -> list[str]:
    """Wrap to at most `most` lines; an ellipsis marks text that was cut."""
    lines, rest = list[str](), on_one_line(text)
    while rest and len(lines) < most:
        cut = _fitting(rest, columns)
        space = rest.rfind(" ", 0, cut + 1)
        cut = space if cut < len(rest) and space > cut // 2 else cut
        lines.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    if rest and lines:
        lines[-1] = lines[-1][: max(1, _fitting(lines[-1], columns - 1))] + "…"
    return lines


def clipped(text: str) -> str:
    return next(iter(wrapped(text, most=1)), "")


def _fitting(text: str, columns: int) -> int:
    """Number of letters that fit."""
    used = 0
    for n, sign in enumerate(text):
        used += 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        if used > columns:
            return max(1, n)
    return len(text)
