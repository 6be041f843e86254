"""Changes of the quote checker that are said to do the same as the code: each is there, with its line and a reason."""

import tomllib

from benchmarks.mutate_quotes import CHECKER, EQUIVALENT, FOLDER, equivalents
from tests.transcript.rules.mutants import mutants

LISTED = tomllib.loads(EQUIVALENT.read_text("utf-8"))["same"]
SOURCE = "def f(a):\n    return a > 1\n"


def entry(**other: str) -> dict[str, str]:
    return {"change": "m.f: 1 -> 2", "line": "return a > 1", "why": "it is the same", **other}


def test_an_entry_holds_as_long_as_its_line_is_as_it_was() -> None:
    assert equivalents(mutants("m", SOURCE), [entry()]) == ({"m.f: 1 -> 2"}, [])
    assert equivalents(mutants("m", SOURCE.replace("a >", "2 * a >")), [entry()]) == (set(), ["m.f: 1 -> 2"])


def test_an_entry_needs_a_reason_and_a_change_that_exists() -> None:
    assert equivalents(mutants("m", SOURCE), [entry(why="")]) == (set(), ["m.f: 1 -> 2"])
    assert equivalents(mutants("m", SOURCE), [entry(change="m.f: 3 -> 4")]) == (set(), ["m.f: 3 -> 4"])


def test_every_listed_change_is_where_the_list_says() -> None:
    places = [mutant for name in CHECKER for mutant in mutants(name, (FOLDER / f"{name}.py").read_text("utf-8"))]
    held, stale = equivalents(places, LISTED)
    assert (stale, len(held)) == ([], len(LISTED))
