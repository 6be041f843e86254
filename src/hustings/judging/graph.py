"""Weighted acyclic graph of attacks and supports, built once and evaluated for any base scores."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from math import fsum, prod

from hustings.errors import HustingsError, NotFound

Semantics = Callable[[float, Sequence[float], Sequence[float]], float]
"""A node's strength from its base, the strengths of its attackers and those of its supporters."""
Edge = tuple[str, str]
"""Source and target."""
Groups = tuple[tuple[int, ...], ...]
"""Groups of nodes; only the strongest of each counts."""


class Circular(HustingsError):
    """A node attacks or supports itself through others."""


@dataclass(frozen=True)
class Graph:
    names: tuple[str, ...]
    """Sources before targets."""
    steps: tuple[tuple[int, Groups, Groups], ...]
    """Each node with attackers or supporters, and these, in the order of `names`."""

    @classmethod
    def of(
        cls,
        names: Iterable[str],
        attacks: Iterable[Edge] = (),
        supports: Iterable[Edge] = (),
        points: Mapping[str, str] | None = None,
    ) -> Graph:
        """Nodes that make the same point count once per target, by the strongest of them."""
        attackers: dict[str, list[str]] = {name: [] for name in names}
        supporters: dict[str, list[str]] = {name: [] for name in attackers}
        for sources, edges in ((attackers, attacks), (supporters, supports)):
            for source, target in dict.fromkeys(edges):
                _known(source, target, attackers)
                sources[target].append(source)
        order = _sources_first({name: attackers[name] + supporters[name] for name in attackers})
        index = {name: i for i, name in enumerate(order)}
        return cls(
            order,
            tuple(
                (i, _grouped(attackers[name], index, points or {}), _grouped(supporters[name], index, points or {}))
                for i, name in enumerate(order)
                if attackers[name] or supporters[name]
            ),
        )

    @cached_property
    def index(self) -> Mapping[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def strengths(self, bases: Sequence[float], semantics: Semantics, absent: Collection[int] = ()) -> list[float]:
        """Strengths in the order of `names`; a node with zero strength acts as if absent."""
        value = list(bases)
        for node in absent:
            value[node] = 0.0
        for node, attackers, supporters in self.steps:
            if node not in absent:
                value[node] = semantics(value[node], _strongest(attackers, value), _strongest(supporters, value))
        return value

    def bounds(
        self, lows: Sequence[float], highs: Sequence[float], semantics: Semantics
    ) -> tuple[list[float], list[float]]:
        """Lower and upper bounds of each node's strength while the bases stay within theirs."""
        low, high = list(lows), list(highs)
        for node, attackers, supporters in self.steps:
            worst = semantics(low[node], _strongest(attackers, high), _strongest(supporters, low))
            high[node] = semantics(high[node], _strongest(attackers, low), _strongest(supporters, high))
            low[node] = worst
        return low, high

    def upstream(self, name: str) -> Graph:
        """The subgraph that bears on one node."""
        bearing = {self.index[name]}
        for node, attackers, supporters in reversed(self.steps):
            if node in bearing:
                bearing.update(i for group in attackers + supporters for i in group)
        kept = sorted(bearing)
        new = {old: i for i, old in enumerate(kept)}

        def renumbered(groups: Groups) -> Groups:
            return tuple(tuple(new[i] for i in group) for group in groups)

        return Graph(
            tuple(self.names[i] for i in kept),
            tuple((new[i], renumbered(a), renumbered(s)) for i, a, s in self.steps if i in new),
        )


def dfquad(base: float, attackers: Sequence[float], supporters: Sequence[float]) -> float:
    """DF-QuAD: either side's joint strength is 1 − Π(1 − v); the difference moves the base towards 1 or 0."""
    # Sorted, since the last digit of a product depends on the order of its factors.
    pull = prod(sorted([1 - v for v in attackers])) - prod(sorted([1 - v for v in supporters]))
    return base + (1 - base) * pull if pull >= 0 else base + base * pull


def quadratic_energy(base: float, attackers: Sequence[float], supporters: Sequence[float]) -> float:
    """Quadratic energy: supports minus attacks, E, move the base by E² / (1 + E²)."""
    energy = fsum(supporters) - fsum(attackers)
    move = energy * energy / (1 + energy * energy)
    return base + (1 - base) * move if energy >= 0 else base - base * move


def _strongest(groups: Groups, value: Sequence[float]) -> list[float]:
    return [value[g[0]] if len(g) == 1 else max([value[i] for i in g]) for g in groups]


def _known(source: str, target: str, names: Collection[str]) -> None:
    for name in (source, target):
        if name not in names:
            raise NotFound(
                f"{source} acts upon {target}, but there is no {name}", fix="leave the edge out or add the node"
            )


def _sources_first(sources: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    try:
        return tuple(TopologicalSorter(sources).static_order())
    except CycleError as error:
        path = " → ".join(error.args[1])
        raise Circular(f"{path} comes back to itself: a response may only be about what was said before it") from None


def _grouped(sources: Sequence[str], index: Mapping[str, int], points: Mapping[str, str]) -> Groups:
    groups: dict[tuple[bool, str], list[int]] = {}
    for source in sources:
        key = (True, points[source]) if source in points else (False, source)
        groups.setdefault(key, []).append(index[source])
    return tuple(map(tuple, groups.values()))
