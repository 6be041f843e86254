"""Places the boxes of the argument map: sources right of their targets, near them, without overlap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

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
