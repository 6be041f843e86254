"""Protocols and rubrics are found by being there, in-tree or in another package; what they lack is said."""

from pathlib import Path

import pytest

from hustings.errors import NotFound, ScriptError
from hustings.llm.improviser import Improviser
from hustings.runs.registry import broken_plugins, find_protocol, find_rubric, protocols, rubrics
from hustings.runs.staging import described, plan, rehearse
from hustings.testing import PROTOCOL_CHECKS

OXFORD = (Path(__file__).parent / "oxford.py").read_text("utf-8")

WHOLE = '''"""A protocol that does nothing."""
async def play(stage): ...
SEATS = ()
RULES = "None."
'''

RUBRICS = """
from typing import Annotated, ClassVar
from hustings.script.rubric import Mark, Rubric, Weight
class First(Rubric):
    ask: ClassVar[str] = "Mark it."
    logic: Annotated[Mark, Weight(1.0, ("none", "little", "some", "much", "all"))]
"""


@pytest.fixture
def oxford(installed):
    installed("oxford", OXFORD, module="oxford")
    return find_protocol("oxford")


# -- found -------------------------------------------------------------------------------


def test_the_six_are_there():
    assert list(protocols()) == ["adaptive", "competition", "critique", "moderated", "roundtable", "structured"]


def test_a_protocol_carries_its_docstring():
    found = find_protocol("roundtable")
    assert (
        found.summary
        == "A round table: everybody speaks once a round, the first speaker rotating; nobody has to agree."
    )
    assert found.description.startswith(found.summary)


def test_there_is_a_rubric_for_each_thing_that_is_marked():
    assert {name: rubric.per for name, rubric in rubrics().items()} == {
        name: name for name in ("answer", "argument", "challenge", "speech")
    }


def test_a_protocol_of_another_package_is_listed_among_the_others(oxford):
    assert list(protocols()) == [
        "adaptive",
        "competition",
        "critique",
        "moderated",
        "oxford",
        "roundtable",
        "structured",
    ]
    told = described(oxford)
    assert (told["name"], told["calls"], [seat["id"] for seat in told["seats"]]) == (
        "oxford",
        8,
        ["proposition", "opposition", "audience"],
    )


def test_a_protocol_of_another_package_is_rehearsed(oxford):
    played = rehearse(plan(oxford, "This house would close the town to cars."), Improviser())
    assert played.choreography == [
        ["000.0 audience poll"],
        ["001.0 proposition opening", "001.1 opposition opening"],
        ["002.0 proposition rebuttal", "002.1 opposition rebuttal"],
        ["003.0 proposition closing", "003.1 opposition closing"],
        ["004.0 audience poll"],
    ]
    before, after = (note.body["ayes"] for note in played.proceedings.notes if note.kind == "poll")
    assert played.proceedings.result == {"points": after - before}


AT_ONCE = ("repeats_itself", "writes_a_valid_record")
LATER = pytest.mark.nightly("a minute and a half for all checks; two of them are made on every change")
CHECKS = [pytest.param(c, id=c.__name__, marks=() if c.__name__ in AT_ONCE else LATER) for c in PROTOCOL_CHECKS]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("check", CHECKS)
def test_a_protocol_of_another_package_conforms(check, oxford):
    check(oxford)


def test_a_rubric_of_another_package_is_found(installed):
    installed("logic", RUBRICS, module="logic_rubric", group="rubrics")
    assert find_rubric("logic").weights() == {"logic": 1.0}


# -- refused -----------------------------------------------------------------------------


def test_nobody_takes_a_name_that_is_taken(installed):
    installed("structured", WHOLE, module="usurper")
    assert find_protocol("structured").play.__module__ == "hustings.protocols.structured"
    assert "'usurper' calls itself 'structured', a name that is taken: rename" in str(broken_plugins()["structured"])


def test_two_packages_cannot_share_a_name(installed):
    installed("fishbowl", WHOLE, module="fishbowl_one")
    installed("fishbowl", WHOLE, module="fishbowl_two")
    with pytest.raises(ScriptError, match="'fishbowl_one' and 'fishbowl_two' both call themselves 'fishbowl'"):
        find_protocol("fishbowl")


@pytest.mark.parametrize(
    ("part", "replaced", "missing"),
    [
        ('"""A protocol that does nothing."""', "", "a docstring whose first line sums it up"),
        ("async def play", "async def perform", "`async def play(stage)`"),
        ("async def play", "def play", "`async def play(stage)`"),
        ("SEATS", "CHAIRS", "`SEATS`, or `seating(occasion)`"),
        ("RULES", "LAWS", "`RULES`, read by every seat"),
    ],
    ids=["docstring", "play", "async", "seats", "rules"],
)
def test_what_a_protocol_lacks_is_named(part, replaced, missing, installed):
    installed("partial", WHOLE.replace(part, replaced), module="partial_protocol")
    with pytest.raises(ScriptError) as refusal:
        find_protocol("partial")
    assert str(refusal.value) == f"protocol 'partial' (partial_protocol) lacks {missing}"


def test_everything_a_protocol_lacks_is_named_at_once(installed):
    installed("void", "", module="void_protocol")
    with pytest.raises(ScriptError, match=r"docstring.*play.*SEATS.*RULES"):
        find_protocol("void")


def test_a_package_whose_module_is_gone_is_named(installed):
    installed("ghost", None, module="ghost_protocol")
    with pytest.raises(ScriptError, match=r"'ghost' \(ghost_protocol\) can't be imported"):
        find_protocol("ghost")


@pytest.mark.parametrize("source", [None, "1 / 0", "def ("])
def test_a_broken_package_stops_nobody_else(source, installed):
    installed("ghost", source, module="broken_protocol")
    assert list(protocols()) == ["adaptive", "competition", "critique", "moderated", "roundtable", "structured"]
    assert list(broken_plugins()) == ["ghost"]


def test_an_unknown_protocol_brings_the_nearest_to_mind():
    with pytest.raises(NotFound, match=r"no protocol 'structred': did you mean 'structured'\? Known: adaptive, "):
        find_protocol("structred")


def test_an_unknown_protocol_near_to_none_brings_the_list():
    with pytest.raises(NotFound, match=r"no protocol 'zzz': choose from adaptive, "):
        find_protocol("zzz")


def test_an_unknown_rubric_brings_the_nearest_to_mind():
    with pytest.raises(NotFound, match=r"no rubric 'speach': did you mean 'speech'"):
        find_rubric("speach")


@pytest.mark.parametrize(
    ("source", "count"), [(RUBRICS + RUBRICS.replace("First", "Second"), 2), ("", 0)], ids=["two", "none"]
)
def test_a_rubric_file_defines_exactly_one(source, count, installed):
    installed("mixed", source, module=f"mixed_rubric_{count}", group="rubrics")
    with pytest.raises(ScriptError, match=f"defines {count} rubrics: it takes exactly one"):
        find_rubric("mixed")
