"""A reply is read as an answer on a form if exactly one object in it fits; else it is said what is wrong."""

import json

import pytest

from hustings.script.complaints import Unfit
from hustings.script.fit_answer import ROWS_LOOKED_AT
from hustings.script.forms import Form, schema_of
from hustings.script.read_answer import (
    CUT,
    EMPTY,
    MANY,
    MOST_COMPLAINTS,
    MOST_NOTED,
    NO_WORDS,
    PROSE,
    TWO,
    read_object,
    read_words,
)


class Row(Form):
    name: str
    count: int


class Sheet(Form):
    words: str
    rows: tuple[Row, ...] = ()


def reading(reply, form=Sheet):
    return read_object(form, schema_of(form), reply if isinstance(reply, str) else json.dumps(reply))


def words_of(reply):
    return reading(reply).answer.words


def complaints(reply):
    with pytest.raises(Unfit) as unfit:
        reading(reply)
    return unfit.value.complaints


# -- plain words -----------------------------------------------------------------------------


def test_plain_words_are_read_without_marks():
    assert read_words("<think>Hm.</think> Yes.</s>") == "Yes."


@pytest.mark.parametrize(
    ("reply", "complaint"), [("", NO_WORDS), ("<think>Hm.</think>", NO_WORDS), ("<think>Hm.", CUT)]
)
def test_a_reply_without_words_is_said_to_be_empty_or_cut(reply, complaint):
    with pytest.raises(Unfit, match=complaint):
        read_words(reply)


# -- which object counts ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        '{"words": "so"}',
        'As {"asked": 1}:\n{"words": "so"}',
        '{"words": "so"} {"words": "so"}',
        '{"mine": 1 2} {"words": "so"}',
    ],
)
def test_the_one_object_that_may_be_meant_counts(reply):
    assert words_of(reply) == "so"


@pytest.mark.parametrize(
    "values",
    [
        {"answer": {"words": "so"}},
        {"answers": [{"words": "so"}]},
        {"name": "answer", "arguments": {"words": "so"}},
        {"name": "answer", "arguments": '```json\n{"words": "so"}\n```'},
        {"type": "function", "function": {"name": "answer", "arguments": '{"words": "so"}'}},
    ],
)
def test_an_answer_within_a_frame_is_read(values):
    assert words_of(values) == "so"


@pytest.mark.parametrize("arguments", ['{"words": "so"} {"words": "no"}', '{"words": 1 2} {"words": "so"}', "so"])
def test_a_call_with_anything_but_one_object_is_no_frame(arguments):
    assert complaints({"name": "answer", "arguments": arguments}) == ("words: missing",)


def test_an_object_that_fits_as_it_stands_is_no_frame():
    assert words_of({"words": "so", "function": {"words": "no"}}) == "so"


def test_two_readings_of_a_frame_are_never_chosen_from():
    assert complaints({"name": "answer", "arguments": {"words": "so"}, "function": {"words": "no"}}) == (TWO,)


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        (" \n", EMPTY),
        ("I think so.", PROSE),
        ('- {"a": 1}\n- {"b": 2}', PROSE),
        ('{"words": "so"} {"words": "no"}', TWO),
        ('{"words": "so', CUT),
        ('{"words": "so"} {"words": "n', CUT),
        ('{"a":' * 40, MANY),
        ('{"words": "so", "words": "no"}', "“words” stands twice in one object. Send it once."),
    ],
)
def test_without_one_object_it_is_said_what_to_send(reply, complaint):
    assert complaints(reply) == (complaint,)


@pytest.mark.parametrize("rest", ["", ' {"words": "so"} as I said', ' {"words": 1}'])
def test_an_object_that_cannot_be_read_is_told_unless_another_fits_and_ends_the_reply(rest):
    (line,) = complaints(f'{{"words": "say "no""}}{rest}')
    assert line.startswith('Your JSON can\'t be read after “{"words": "say "”: a comma or bracket is missing')


# -- what is noted of an answer, and what is wrong with it -------------------------------------


def test_what_was_left_out_is_noted():
    values = {"type": "object", "properties": {"words": "so \ud83d", "mood": 1}}
    left_out = ("type, properties: words of the form itself", "mood: no such field", "half of a character")
    assert reading(values).left_out == left_out


def test_only_the_first_notes_are_written_out():
    values = {"words": "so", **{f"k{n}": n for n in range(MOST_NOTED + 2)}}
    assert reading(values).left_out[MOST_NOTED - 1 :] == ("k7: no such field", "and 2 more")


def test_an_empty_row_is_left_out_if_the_answer_does_not_fit_with_it():
    read = reading({"words": "so", "rows": [{}, {"name": "a", "count": 1}]})
    assert (len(read.answer.rows), read.left_out) == (1, ("rows 1: empty",))


def test_a_row_is_counted_as_the_answer_counts_it():
    assert complaints({"words": "so", "rows": ["...", {"name": "a"}]}) == ("rows 2, count: missing",)


@pytest.mark.parametrize("value", [1, 1.0, True, None, ["so"]])
def test_no_value_is_turned_into_a_text(value):
    assert complaints({"words": value}) == ("words: must be text",)


def test_of_very_many_faults_those_in_the_first_rows_are_named():
    lines = complaints({"words": "so", "rows": [{"name": "a"}] * (MOST_COMPLAINTS + 1)})
    assert lines == tuple(f"rows {n}, count: missing" for n in range(1, ROWS_LOOKED_AT + 1))
