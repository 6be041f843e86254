"""Boxes of a map never overlap, and what bears on another stands to its right."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hustings.report.argument_map import GAP, WIDTH, lay_out


@st.composite
def maps(draw):
    """Boxes in the order of the record, and edges from later to earlier ones."""
    heights = {f"n{n}": height for n, height in enumerate(draw(st.lists(st.floats(20, 90), max_size=14)))}
    later = st.integers(1, max(1, len(heights) - 1))
    edges = draw(st.lists(later.flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))), max_size=20))
    return heights, [(f"n{s}", f"n{t}") for s, t in edges if s < len(heights)]


@given(maps())
def test_boxes_do_not_overlap(drawn):
    heights, edges = drawn
    columns = {}
    for name, (x, y) in lay_out(heights, edges).at.items():
        columns.setdefault(x, []).append((y, y + heights[name]))
    for spans in columns.values():
        ordered = sorted(spans)
        assert all(after[0] - before[1] >= GAP - 0.2 for before, after in pairwise(ordered))


@given(maps())
def test_a_source_stands_right_of_its_targets(drawn):
    heights, edges = drawn
    at = lay_out(heights, edges).at
    assert all(at[source][0] >= at[target][0] + WIDTH for source, target in edges)


@given(maps())
def test_all_boxes_are_inside(drawn):
    heights, edges = drawn
    found = lay_out(heights, edges)
    assert all(0 <= x <= found.width - WIDTH and 0 <= y <= found.height for x, y in found.at.values())


def test_claims_keep_the_order_of_the_record():
    heights = dict.fromkeys(["a", "b", "c", "to c", "to a"], 40.0)
    at = lay_out(heights, [("to c", "c"), ("to a", "a")]).at
    assert sorted("abc", key=lambda name: at[name][1]) == ["a", "b", "c"]
    assert at["to a"][1] < at["to c"][1]


def test_an_edge_to_nothing_and_a_circle_are_left_out():
    found = lay_out({"a": 40.0, "b": 40.0}, [("a", "b"), ("b", "a"), ("a", "gone"), ("a", "a")])
    assert (found.at["a"][0], found.at["b"][0]) == (0.0, WIDTH + 84.0)


def test_nothing_takes_no_room():
    assert (lay_out({}, []).width, lay_out({}, []).height) == (0.0, 0.0)
