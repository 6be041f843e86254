"""Whatever the schema, the invented value fits it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from hustings.llm.fake_values import FakeValues
from hustings.text.words import count_words
from hustings.transcript.models import Attempt, Turn

BOUND = st.integers(-1000, 1000)


@st.composite
def between(draw, least, most, values):
    """Both bounds, one of them, or none."""
    low, high = sorted((draw(values), draw(values)))
    return {name: bound for name, bound in ((least, low), (most, high)) if draw(st.booleans())}


def some(kind, *bounds):
    return st.builds(lambda limits: {"type": kind, **limits}, between(*bounds)) if bounds else st.just({"type": kind})


PLAIN = st.one_of(
    some("boolean"),
    some("string", "minLength", "maxLength", st.integers(0, 300)),
    some("integer", "minimum", "maximum", BOUND),
    some("number", "minimum", "maximum", BOUND | st.floats(-1, 1)),
    st.builds(lambda values: {"enum": values}, st.lists(st.text() | BOUND, min_size=1)),
    st.builds(lambda value: {"const": value, "type": "string"}, st.text()),
)


def nested(inner):
    lists = st.builds(
        lambda items, limits: {"type": "array", "items": items, **limits},
        inner,
        between("minItems", "maxItems", st.integers(0, 6)),
    )
    objects = st.dictionaries(st.text(max_size=8), inner, max_size=4).map(
        lambda fields: {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    )
    return lists | objects


def fake_values(seed=0, turns=(), **choices):
    return FakeValues(random.Random(seed), "tag", choices, [(turn.speaker_id, turn.said) for turn in turns])


def said(speaker, words, place=0):
    spoken = Attempt(attempt_index=0, timestamp="2026-01-01T00:00:00.000Z", status="ok", content=words)
    where = {"turn_id": f"r1.t{place}", "round_index": 1, "turn_index_in_round": place}
    return Turn(**where, speaker_id=speaker, attempts=[spoken])


def listed(*fields, **bounds):
    """A list of objects with one field for each of these marks."""
    items = {"type": "object", "properties": {f"f{n}": {"type": "string", **mark} for n, mark in enumerate(fields)}}
    return {"type": "array", "items": items, **bounds}


@given(schema=st.recursive(PLAIN, nested, max_leaves=12), seed=st.integers())
def test_an_invented_value_fits_its_schema(schema, seed):
    Draft202012Validator(schema).validate(fake_values(seed).value(schema))


@given(words=st.integers(1, 300), seed=st.integers())
def test_invented_prose_is_no_longer_than_it_may_be(words, seed):
    assert 1 <= count_words(fake_values(seed).prose(words)) <= words


def test_a_kind_nobody_can_invent_is_refused_by_name():
    with pytest.raises(NotImplementedError, match="cannot invent a 'null'"):
        fake_values().value({"type": "null"})


def test_every_claim_is_answered_once_in_order():
    schema = listed({"x-choice": "claim"}, {}, minItems=1)
    entries = fake_values(claim=["A-1", "A-2", "A-3", "A-4", "A-5"]).value(schema)
    assert [entry["f0"] for entry in entries] == ["A-1", "A-2", "A-3", "A-4", "A-5"]


def test_ids_of_its_own_count_up():
    entries = fake_values(own=["PRO"]).value(listed({"x-choice": "own"}, minItems=3, maxItems=3))
    assert [entry["f0"] for entry in entries] == ["PRO-1", "PRO-2", "PRO-3"]


def test_a_list_of_choices_is_empty_when_there_is_nothing_to_choose():
    assert fake_values(issue=[]).value(listed({"x-choice": "issue"}, maxItems=4)) == []


@pytest.mark.parametrize(("offered", "chosen"), [([], None), (["a"], "a")])
def test_a_choice_that_may_be_left_open_is_left_open_only_when_there_is_nothing_to_choose(offered, chosen):
    schema = {"anyOf": [{"type": "string", "x-choice": "item"}, {"type": "null"}]}
    assert fake_values(item=offered).value(schema) == chosen


@pytest.mark.parametrize("kind", ["seat", "item", "claim", "argument"])
def test_a_quote_is_taken_from_the_thing_named_beside_it(kind):
    turns = [said("a", "one two three four", 0), said("b", "five six seven eight", 1)]
    entry = fake_values(0, turns, **{kind: ["a"]}).value(
        listed({"x-choice": kind}, {"x-quote": True}, minItems=1, maxItems=1)
    )[0]
    assert entry["f1"] == "one two three four"


@given(st.integers())
def test_a_quote_is_taken_from_the_seat_named_beside_it(seed):
    turns = [said("a", "one two three four", 0), said("b", "five six seven eight", 1), said("a", "nine ten eleven", 2)]
    entry = fake_values(seed, turns, seat=["a", "b"]).value(
        listed({"x-choice": "seat"}, {"x-quote": True}, minItems=1, maxItems=1)
    )[0]
    assert entry["f1"] == {"a": "nine ten eleven", "b": "five six seven eight"}[entry["f0"]]


def test_a_quote_is_no_longer_than_it_may_be():
    short = {"type": "string", "x-quote": True, "maxLength": 7}
    assert fake_values(turns=[said("a", "one two three four")]).value(short) == "one two"
