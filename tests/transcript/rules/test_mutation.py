"""The tools that test the tests: a planted fault is noticed, a change that means nothing is not."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from benchmarks.mutate import FOLDER, started

from .mutants import mutants

FAULTS = {mutant.name: mutant for mutant in mutants("rounds", (FOLDER / "rounds.py").read_text())}
FAULT = FAULTS["rounds.goes_back: round_.number <= before.number -> round_.number < before.number"]


@pytest.mark.parametrize(("mutant", "noticed"), [(FAULT, True), (replace(FAULT, edit=lambda _: None), False)])
def test_a_fault_is_noticed_and_only_a_fault(mutant, noticed: bool) -> None:
    _, status = os.waitpid(started(mutant, ([], [])), 0)
    assert (status != 0) == noticed


def test_mutants_are_of_many_kinds_and_have_names_of_their_own() -> None:
    changes = ("if True", "if False", "'round_indexX'", "pass", "return None", " and ", "no filter", "2")
    names = [mutant.name for path in sorted(FOLDER.glob("*.py")) for mutant in mutants(path.stem, path.read_text())]
    assert len(names) == len(set(names)) > 1_000
    for change in changes:
        assert any(change in name.partition(" -> ")[2] for name in names), change


def test_a_mutant_differs_from_its_source_in_one_place() -> None:
    (mutant, *_) = mutants("m", "def f(a):\n    return not a\n")
    assert [(m.place, compiled(m)(True)) for m in mutants("m", mutant.source)] == [
        ("f: return not a -> return None", None),
        ("f: not a -> a", True),
    ]


def test_a_mutant_names_the_line_that_it_changes() -> None:
    source = "def f(a):\n    return [\n        b\n        for b in a\n        if b > 1\n    ]\n"
    assert {mutant.place: mutant.line for mutant in mutants("m", source)} == {
        "f: return [b for b in a if b > 1] -> return None": "return [",
        "f: if b > 1 -> no filter": "if b > 1",
        "f: b > 1 -> b >= 1": "if b > 1",
        "f: 1 -> 2": "if b > 1",
    }


def test_the_line_of_a_long_text_changes_with_all_of_it() -> None:
    one, other = (next(mutants("m", f'TEXT = """a\n{last}"""\n')).line for last in "bc")
    assert one.partition(" ")[0] == other.partition(" ")[0] == "TEXT"
    assert one != other


def compiled(mutant):
    names: dict[str, object] = {}
    exec(compile(mutant.tree(), "m", "exec"), names)
    return names["f"]
