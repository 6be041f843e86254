"""The librarian finds passages by words: the same ones every time, whatever the words are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.llm.librarian import PassageIndex, terms
from tests.rig.lanes import examples

TEXTS = {
    "DOC-1": "The council approved the budget in March.\n\n" + "Nothing else was settled that day. " * 40,
    "DOC-2": "Trams cost 4.5 million a year.\n\n" + "Rails are inspected every spring by two engineers. " * 30,
    "DOC-3": "委员会没有批准这个计划。\n\n" + "会议在三月举行。" * 60,
}
INDEX = PassageIndex(TEXTS)


def first(*searches):
    places = INDEX.search(searches, 8)
    return INDEX.passage(places[0]) if places else None


@pytest.mark.parametrize(
    ("search", "passage"),
    [
        ("what do trams cost", "DOC-2.1"),
        ("budgets approved", "DOC-1.1"),
        ("inspecting of rails", "DOC-2.2"),
        ("4.5 million", "DOC-2.1"),
        ("批准计划", "DOC-3.1"),
    ],
)
def test_the_passage_with_the_words_comes_first(search, passage):
    assert first(search)[0] == passage


def test_a_passage_is_given_in_the_words_of_the_document():
    assert first("trams cost")[1].startswith("Trams cost 4.5 million a year.")


def test_what_several_wordings_find_comes_before_what_one_finds():
    alone, both = first("two engineers"), first("council", "the approved budget", "March")
    assert (alone[0], both[0]) == ("DOC-2.2", "DOC-1.1")


@pytest.mark.parametrize("search", ["", "the of and", "???", "zebra crossing", "“”", "  "])
def test_words_that_stand_nowhere_find_nothing(search):
    assert INDEX.search([search], 8) == []


@given(
    st.lists(st.text(max_size=60) | st.sampled_from(['"', "NEAR(a b)", "a AND", "terms:x", "*", "^a", "-b", "a OR"]))
)
@settings(max_examples=examples(300), deadline=None)
def test_whatever_is_searched_for_it_finds_passages_in_a_fixed_order_and_nothing_breaks(searches):
    found = INDEX.search(searches, 8)
    assert found == INDEX.search(searches, 8)
    assert len(set(found)) == len(found) <= 8
    assert all(INDEX.passage(place)[0].split(".")[0] in TEXTS for place in found)


def test_words_are_compared_without_their_english_endings():
    assert terms("Inspected rails, 1,200 times") == terms("inspecting rail 1,200 time")
