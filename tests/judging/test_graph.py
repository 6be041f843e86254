"""One pass over the graph gives the published formulas' values, whatever its shape."""

import random
from collections.abc import Sequence
from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.errors import NotFound
from hustings.judging.graph import Circular, Edge, Graph, dfquad, quadratic_energy

BOTH = pytest.mark.parametrize("semantics", [dfquad, quadratic_energy])
CASES = 1_000


@BOTH
def test_strengths_equal_an_independent_oracle_on_a_thousand_graphs(semantics):
    rng, worst = random.Random(7), Decimal(0)
    for _ in range(CASES):
        bases, attacks, supports = random_graph(rng)
        graph = Graph.of(bases, attacks, supports)
        ours = graph.strengths([bases[name] for name in graph.names], semantics)
        exact = Oracle(bases, attacks, supports)
        with localcontext(prec=50):
            found = zip(graph.names, map(Decimal, ours), strict=True)
            worst = max(worst, *(abs(value - exact.of(name, semantics)) for name, value in found))
    assert worst < Decimal("1e-12")


class Oracle:
    """The formulas as published, in fifty decimal digits, by recursion from the target."""

    def __init__(self, bases: dict[str, float], attacks: Sequence[Edge], supports: Sequence[Edge]) -> None:
        self.bases, self.attacks, self.supports = bases, attacks, supports
        self.known: dict[str, Decimal] = {}

    def of(self, name: str, semantics: object) -> Decimal:
        if name not in self.known:
            against = [self.of(s, semantics) for s, t in self.attacks if t == name]
            behind = [self.of(s, semantics) for s, t in self.supports if t == name]
            base = Decimal(self.bases[name])
            self.known[name] = (self.df_quad if semantics is dfquad else self.energy)(base, against, behind)
        return self.known[name]

    def df_quad(self, base: Decimal, against: list[Decimal], behind: list[Decimal]) -> Decimal:
        attack, support = self.together(against), self.together(behind)
        if attack >= support:
            return base - base * (attack - support)
        return base + (1 - base) * (support - attack)

    def together(self, values: list[Decimal]) -> Decimal:
        """The probabilistic sum, one by one."""
        joint = Decimal(0)
        for value in values:
            joint = joint + value - joint * value
        return joint

    def energy(self, base: Decimal, against: list[Decimal], behind: list[Decimal]) -> Decimal:
        total = sum(behind, Decimal(0)) - sum(against, Decimal(0))

        def h(x: Decimal) -> Decimal:
            return max(x, Decimal(0)) ** 2 / (1 + max(x, Decimal(0)) ** 2)

        return base - base * h(-total) + (1 - base) * h(total)


def random_graph(rng: random.Random) -> tuple[dict[str, float], list[Edge], list[Edge]]:
    """Two to fourteen nodes; of the possible edges three in twenty attack and as many support."""
    names = [f"n{i}" for i in range(rng.randint(2, 14))]
    attacks: list[Edge] = []
    supports: list[Edge] = []
    for i, source in enumerate(names):
        for target in names[:i]:
            traced = rng.random()
            if traced < 0.3:
                (attacks if traced < 0.15 else supports).append((source, target))
    return {name: rng.random() for name in names}, attacks, supports


def test_a_cycle_is_refused_with_its_path():
    with pytest.raises(Circular, match=r"(b → a → b|a → b → a) comes back to itself: a response may only be about"):
        Graph.of("abc", [("a", "b"), ("b", "a"), ("c", "a")])


def test_what_attacks_itself_is_a_cycle():
    with pytest.raises(Circular, match="a → a"):
        Graph.of("a", [("a", "a")])


def test_an_edge_to_nowhere_is_refused():
    with pytest.raises(NotFound, match="r acts upon x, but there is no x"):
        Graph.of("r", [("r", "x")])


def test_one_node_may_attack_several():
    graph = Graph.of("xab", [("x", "a"), ("x", "b")])
    assert valued(graph, {"x": 0.5, "a": 0.8, "b": 0.4}) == {"x": 0.5, "a": 0.4, "b": 0.2}


def test_nodes_that_make_one_point_count_by_the_strongest():
    graph = Graph.of("xyza", [("x", "a"), ("y", "a"), ("z", "a")], points={"x": "cost", "y": "cost"})
    assert valued(graph, {"x": 0.5, "y": 0.2, "z": 0.5, "a": 0.8})["a"] == pytest.approx(0.8 * 0.25)


def test_a_point_may_bear_the_name_of_a_node_without_meaning_it():
    graph = Graph.of("xya", [("x", "a"), ("y", "a")], points={"x": "y"})
    assert valued(graph, {"x": 0.5, "y": 0.5, "a": 0.8})["a"] == pytest.approx(0.8 * 0.25)


@BOTH
@given(seed=st.integers(0, 10_000))
def test_the_part_upstream_of_a_node_gives_it_the_same_strength(semantics, seed):
    bases, attacks, supports = random_graph(random.Random(seed))
    graph = Graph.of(bases, attacks, supports)
    whole, part = valued(graph, bases, semantics), valued(graph.upstream("n0"), bases, semantics)
    assert part == {name: whole[name] for name in part}


@BOTH
@given(seed=st.integers(0, 10_000))
def test_an_absent_node_is_as_one_that_was_never_there(semantics, seed):
    bases, attacks, supports = random_graph(random.Random(seed))
    graph = Graph.of(bases, attacks, supports)
    without = graph.strengths([bases[n] for n in graph.names], semantics, absent=[graph.index["n1"]])
    left = {name: base for name, base in bases.items() if name != "n1"}
    never = Graph.of(left, *([e for e in edges if "n1" not in e] for edges in (attacks, supports)))
    assert valued(never, bases, semantics)["n0"] == without[graph.index["n0"]]


@BOTH
@given(seed=st.integers(0, 10_000), spread=st.floats(0, 0.5))
def test_strengths_stay_within_their_bounds_while_bases_do(semantics, seed, spread):
    rng = random.Random(seed)
    bases, attacks, supports = random_graph(rng)
    graph = Graph.of(bases, attacks, supports)
    lows, highs = zip(*((b * (1 - spread), b + (1 - b) * spread) for b in (bases[n] for n in graph.names)), strict=True)
    within = graph.strengths([rng.uniform(*pair) for pair in zip(lows, highs, strict=True)], semantics)
    least, most = graph.bounds(lows, highs, semantics)
    for low, value, high in zip(least, within, most, strict=True):
        assert low - 1e-12 <= value <= high + 1e-12


@given(seed=st.integers(0, 10_000))
def test_bounds_of_settled_bases_are_the_strengths(seed):
    bases, attacks, supports = random_graph(random.Random(seed))
    graph = Graph.of(bases, attacks, supports)
    settled = [bases[name] for name in graph.names]
    exact = graph.strengths(settled, dfquad)
    assert graph.bounds(settled, settled, dfquad) == (exact, exact)


@BOTH
@given(seed=st.integers(0, 10_000))
def test_the_order_of_nodes_and_edges_changes_no_digit(semantics, seed):
    rng = random.Random(seed)
    bases, attacks, supports = random_graph(rng)
    mixed = [rng.sample(list(part), len(part)) for part in (bases, attacks, supports)]
    assert valued(Graph.of(*mixed), bases, semantics) == valued(Graph.of(bases, attacks, supports), bases, semantics)


def valued(graph: Graph, bases: dict[str, float], semantics=dfquad) -> dict[str, float]:
    return dict(zip(graph.names, graph.strengths([bases[n] for n in graph.names], semantics), strict=True))
