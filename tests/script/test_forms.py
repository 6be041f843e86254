"""The contract with a model: how a form is told, read, and shown."""

from contextlib import suppress
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pydantic import Field

from hustings.script.attempts import weigh
from hustings.script.calls import Reply as Came
from hustings.script.forms import (
    ClaimId,
    Form,
    OwnId,
    Quote,
    SeatId,
    Speech,
    Unfit,
    contract,
    in_lines,
    marked,
    parse,
    schema_of,
)
from hustings.script.moves import Brief


class Point(Form):
    id: OwnId
    about: ClaimId = Field(description="what it answers")
    words: Quote = Field(max_length=40)


class Sheet(Form):
    """What a reader of the code learns, not the model."""

    points: tuple[Point, ...] = Field(min_length=1, max_length=2)
    to: tuple[SeatId, ...]
    kind: Literal["yes", "no"]
    score: Annotated[int, Field(ge=1, le=10)]
    count: int
    share: float
    sure: bool
    reason: str = Field(min_length=5)
    short: str = Field(min_length=2, max_length=9)
    point: Point


def test_a_form_is_told_field_by_field():
    assert contract(Sheet) == snapshot("""\
Answer with one JSON object and nothing else. Its fields:
  points: list of 1 to 2, each: object with
    id: text
    about: text (what it answers)
    words: text of at most 40 characters
  to: list of any number, each: text
  kind: one of "yes", "no"
  score: whole number from 1 to 10
  count: whole number
  share: number
  sure: true or false
  reason: text of at least 5 characters
  short: text of 2 to 9 characters
  point: object with
    id: text
    about: text (what it answers)
    words: text of at most 40 characters\
""")


def test_plain_words_need_no_contract():
    assert contract(Speech) == ""
    assert parse(Speech, "  Well, yes.\n").said() == "Well, yes."


def test_a_schema_has_no_references_left():
    assert "$ref" not in str(schema_of(Sheet))


class Vote(Form):
    yes: bool
    score: int


@pytest.mark.parametrize("around", ["{}", " {} \n", "```json\n{}\n```", "```\n{}\n```"])
def test_json_is_read_bare_or_from_one_code_block(around):
    assert parse(Vote, around.replace("{}", '{"yes": true, "score": 3}')).score == 3


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"yes": true}', "score: Field required"),
        ('{"yes": true, "score": 3, "winner": "me"}', "winner: Extra inputs are not permitted"),
        ('{"yes": "true", "score": 3}', "yes: Input should be a valid boolean"),
        ('{"yes": true, "score": "3"}', "score: Input should be a valid integer"),
        ('{"yes": true, "score": 3.0}', "score: Input should be a valid integer"),
        ('{"yes": true, "score": true}', "score: Input should be a valid integer"),
        ('{"yes": true, "score": NaN}', "score: "),
        ('Here you are: {"yes": true, "score": 3}', "Invalid JSON"),
        ('{"yes": true, "score": 3} thanks', "Invalid JSON"),
        ("[]", "Input should be an object"),
        ("yes", "Invalid JSON"),
        (" ", "the answer is empty"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(text, why):
    with pytest.raises(Unfit) as unfit:
        parse(Vote, text)
    assert why in str(unfit.value)


def test_only_the_first_complaints_are_told():
    with pytest.raises(Unfit) as unfit:
        parse(Sheet, "{}")
    assert len(unfit.value.complaints) == 9
    assert unfit.value.complaints[-1] == "and 2 more"


def test_marked_fields_are_found_wherever_they_stand():
    point = Point(id="A-1", about="B-1", words="said")
    rest = {"kind": "yes", "score": 1, "count": 0, "share": 0.5, "sure": True, "reason": "12345", "short": "ab"}
    sheet = Sheet(points=(point, point), to=("x", "y"), point=point, **rest)
    assert list(marked(sheet, "x-choice")) == [("own", "A-1"), ("claim", "B-1")] * 2 + [
        ("seat", "x"),
        ("seat", "y"),
        ("own", "A-1"),
        ("claim", "B-1"),
    ]


@pytest.mark.parametrize(
    ("own", "fits"),
    [("PRO-1", True), ("PRO-12", True), ("CON-1", False), ("PRO-", False), ("PRO-x", False), ("1", False)],
)
def test_ids_of_ones_own_carry_the_prefix_offered(own, fits):
    brief = Brief("point", Point, "Make it.").offering(own=["PRO"])
    text = Point(id=own, about="anything", words="said").model_dump_json()
    assert (weigh(brief, Came(text, "2026-01-01T00:00:00.000Z")).complaints == ()) is fits


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_any_value_can_be_shown_in_lines(value):
    assert isinstance(in_lines(value), str)


def test_values_in_lines_are_indented_by_depth():
    assert in_lines({"who": ["a", {"b": 1, "long_name": True}], "none": []}) == snapshot("""\
who:
  - a
  - b: 1
    long name: yes
none: none\
""")


@given(st.text())
def test_no_words_make_the_parser_raise_anything_but_unfit(text):
    with suppress(Unfit):
        parse(Sheet, text)


class Reply(Form):
    to: SeatId | None
    count: int | None


def test_a_field_may_be_left_open_if_its_form_says_so():
    assert contract(Reply).splitlines()[1:] == ["  to: text or null", "  count: whole number or null"]
    assert list(marked(Reply(to="ada", count=1), "x-choice")) == [("seat", "ada")]
    assert list(marked(Reply(to=None, count=None), "x-choice")) == []
