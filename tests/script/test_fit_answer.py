"""An object is fitted to a form by leaving out what no field asks for; no value is changed."""

from typing import Annotated

import pytest
from pydantic import Field

from hustings.script.fit_answer import (
    DEEPEST_FRAME,
    ROWS_LOOKED_AT,
    beginning_of,
    fit_to_schema,
    shares_fields,
    within_frames,
)
from hustings.script.forms import Form, schema_of


class Row(Form):
    name: str
    count: int | None


class Sheet(Form):
    first_words: str
    rows: tuple[Row, ...]
    tags: Annotated[tuple[str, ...], Field(max_length=9)]
    best: Row | None


class Nothing(Form):
    pass


SHEET = schema_of(Sheet)
ROW = {"name": "a", "count": 1}


def fitted(values, **more):
    fit = fit_to_schema(values, SHEET, **more)
    return fit.values, fit.left_out


# -- what fits, and what does not ----------------------------------------------------------


def test_what_a_form_asks_for_stays_as_it_is():
    values = {"first_words": " So ", "rows": [ROW], "tags": ["x"], "best": ROW}
    assert fitted(values) == (values, [])


@pytest.mark.parametrize(
    "values", [{"rows": "none"}, {"rows": None}, {"best": None}, {"best": [1]}, {"tags": {"a": 1}}]
)
def test_a_value_of_another_type_stays_for_the_form_to_refuse(values):
    assert fitted(values) == (values, [])


def test_an_unknown_key_is_left_out_and_named():
    assert fitted({"tags": [], "mood": "calm"}) == ({"tags": []}, ["mood: no such field"])


@pytest.mark.parametrize(
    ("values", "line"),
    [({"rows": [ROW, {**ROW, "mood": 1}]}, "rows 2, mood: no such field"),
     ({"best": {**ROW, "mood": 1}}, "best, mood: no such field")],
)  # fmt: skip
def test_an_unknown_key_within_a_value_is_named_by_its_place(values, line):
    assert fitted(values)[1] == [line]


@pytest.mark.parametrize("key", ["First Words", "FIRST-WORDS", " first_words "])
def test_a_key_in_other_capitals_and_joints_is_the_field(key):
    assert fitted({key: "So"}) == ({"first_words": "So"}, [])


@pytest.mark.parametrize("other", ["first_words", "First_Words"])
def test_of_two_keys_alike_neither_is_guessed(other):
    values, left_out = fitted({"FIRST WORDS": "So", other: "No"})
    assert "FIRST WORDS: no such field" in left_out
    assert values == ({"first_words": "No"} if other == "first_words" else {})


# -- rows ----------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ["...", " … ", {"name": "...", "count": "…"}])
def test_a_row_of_dots_is_left_out(row):
    assert fitted({"rows": [row, ROW]}) == ({"rows": [ROW]}, ["rows 1: only dots"])


@pytest.mark.parametrize("row", ["", ".", {}, None, {"name": "..."} | {"count": 1}])
def test_a_row_that_is_not_only_dots_stays(row):
    assert fitted({"rows": [row]}) == ({"rows": [row]}, [])


@pytest.mark.parametrize("row", ["", " . ", {}, [], None, {"name": "\n", "count": None}, {"name": [], "count": {}}])
def test_an_empty_row_is_left_out_if_asked(row):
    assert fitted({"rows": [row, ROW]}, without_empty_rows=True) == ({"rows": [ROW]}, ["rows 1: empty"])


@pytest.mark.parametrize("row", [0, False, {"name": "", "count": 0}])
def test_a_row_in_which_something_stands_is_never_left_out(row):
    assert fitted({"rows": [row]}, without_empty_rows=True) == ({"rows": [row]}, [])


def test_a_row_behind_one_that_was_left_out_keeps_its_number():
    assert fit_to_schema({"rows": [ROW, "...", ROW]}, SHEET).row_numbers == {("rows", 1): 2}


# -- frames --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "schema", "shares"),
    [
        ({"tags": 1, "mood": 2}, SHEET, True),
        ({"Tags": 1}, SHEET, True),
        ({"mood": 2}, SHEET, False),
        ({}, SHEET, False),
        ({}, schema_of(Nothing), True),
        ({"mood": 2}, schema_of(Nothing), False),
    ],
)
def test_an_object_is_meant_for_a_form_with_which_it_shares_a_field(values, schema, shares):
    assert shares_fields(values, schema) == shares


@pytest.mark.parametrize(
    "values",
    [
        {"answer": ROW},
        {"answers": [ROW]},
        {"name": "answer", "arguments": ROW},
        {"name": "answer", "input": ROW},
        {"type": "object", "properties": ROW},
    ],
)
def test_one_object_within_a_frame_may_be_the_answer(values):
    assert list(within_frames(values)) == [ROW]


@pytest.mark.parametrize(
    "values", [{}, {"a": ROW, "b": 1}, {"answers": [ROW, ROW]}, {"answer": "{}"}, {"arguments": ROW, "b": 1}]
)
def test_nothing_else_is_a_frame(values):
    assert list(within_frames(values)) == []


def test_a_text_is_an_object_only_where_calls_have_one():
    assert list(within_frames({"name": "answer", "arguments": "{}"})) == ["{}"]


def test_a_function_that_is_called_is_a_frame_of_a_call():
    call = {"name": "answer", "arguments": ROW}
    assert list(within_frames({"type": "function", "function": call})) == [call, ROW]


def test_frames_are_opened_down_to_the_limit():
    values = ROW
    for _ in range(DEEPEST_FRAME + 1):
        values = {"answer": values}
    assert len(list(within_frames(values))) == DEEPEST_FRAME


def test_the_beginning_of_an_answer_has_the_first_rows_of_every_list():
    rows = [{"all": list(range(ROWS_LOOKED_AT + 1)), "name": "a"}] * (ROWS_LOOKED_AT + 1)
    short = {"rows": [{"all": list(range(ROWS_LOOKED_AT)), "name": "a"}] * ROWS_LOOKED_AT}
    assert beginning_of({"rows": rows}) == short
