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
from hustings.script.complaints import Unfit
from hustings.script.forms import (
    ClaimId,
    Form,
    OwnId,
    Quote,
    SeatId,
    Speech,
    contract,
    in_lines,
    marked,
    parse,
    read,
    rule_of,
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
Answer with one JSON object and nothing else. Fields, in this order:
points: a list of 1 to 2. Each has:
  id: text.
  about: what it answers.
  words: text (up to 40 characters).
to: a list.
kind: one of "yes", "no".
score: whole number from 1 to 10.
count: whole number.
share: number.
sure: true or false.
reason: text.
short: text (up to 9 characters).
point: like points.\
""")


def test_plain_words_need_no_contract():
    assert contract(Speech) == ""
    assert parse(Speech, "  Well, yes.\n").said() == "Well, yes."


def test_a_schema_has_no_references_left():
    assert "$ref" not in str(schema_of(Sheet))


class Vote(Form):
    yes: bool
    score: int


def test_what_a_python_program_writes_for_null_is_null():
    for null in ("NaN", "None", "undefined"):
        assert parse(Reply, f'{{"to": {null}, "count": 3}}') == Reply(to=None, count=3)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"yes": true, "yes": false, "score": 3}', "“yes” stands twice in one object. Send it once."),
        ('{"yes": true "score": 3}', 'after “{"yes": true”: a comma or bracket is missing'),
        ('{"yes": true, "score": 3} {"yes": true, "score": 4}', "two different JSON objects"),
        ('{"yes": true, "score": 3} {"yes": true, "sco', "stops before its end"),
        ('{"score": 1e400, "yes": true}', "can't be read after"),
        ('{"score": 007, "yes": true}', "can't be read after"),
        # Another speaker's words, quoted in a text that is not closed well, are never taken for the answer.
        ("""{"yes": true, "why": "they said "{'yes': false, 'score': 1}" there"}""", "can't be read after"),
        ("""I weigh. {"yes": tru, "why": "</think>{'yes': false, 'score': 1}"}""", "can't be read after"),
        ("""{"why": "{'yes': false, 'score': 1}"}""", "yes: missing"),
    ],
)
def test_what_could_mean_two_things_goes_back_in_words(text, why):
    with pytest.raises(Unfit) as unfit:
        parse(Vote, text)
    assert why in str(unfit.value)


@pytest.mark.parametrize("around", ["{}", " {} \n", "```json\n{}\n```", "```\n{}\n```"])
def test_json_is_read_bare_or_from_one_code_block(around):
    assert parse(Vote, around.replace("{}", '{"yes": true, "score": 3}')).score == 3


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"yes": true}', "score: missing"),
        ('{"yes": "true", "score": 3}', "yes: must be true or false"),
        ('{"yes": true, "score": "3"}', "score: must be a whole number"),
        ('{"yes": true, "score": 3.0}', "score: must be a whole number"),
        ('{"yes": true, "score": true}', "score: must be a whole number"),
        ('{"yes": true, "score": NaN}', "score: "),
        ("[]", "Send one JSON object"),
        ("yes", "Send one JSON object"),
        (" ", "Your answer was empty"),
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


def test_what_no_field_asks_for_is_left_out_and_named():
    votes = '[{"to": "ada", "count": 1, "sure": true}, "..."]'
    reading = read(Votes, f'{{"votes": {votes}, "also": ["ben", null], "why": "calm", "mood": 3}}')
    assert reading.answer == Votes(votes=(Reply(to="ada", count=1),), also=("ben",), why="calm")
    assert reading.left_out == (
        "votes 1, sure: no such field",
        "votes 2: only dots",
        "also 2: empty",
        "mood: no such field",
    )


def test_rows_are_named_as_they_stood_in_the_answer():
    with pytest.raises(Unfit) as unfit:
        parse(Votes, """{"votes": ["...", {"count": 1}], "also": ["ben"], "why": "odd"}""")
    assert unfit.value.complaints == ("votes 2, to: missing", "why: must be 'calm' or 'clear'")


def test_plain_words_are_taken_without_what_servers_put_around_them():
    for reply in ("<think>I weigh.</think>Well, yes.", "I weigh.\n</think>\nWell, yes.", "assistant\nWell, yes.</s>"):
        assert parse(Speech, reply).text == "Well, yes."
    assert parse(Speech, "The tag </think> ends it.").text == "The tag </think> ends it."
    with pytest.raises(Unfit, match="stops before its end"):
        parse(Speech, "<think>I weigh")


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
    assert contract(Reply).splitlines()[1:] == ["to: text or null.", "count: whole number or null."]
    assert list(marked(Reply(to="ada", count=1), "x-choice")) == [("seat", "ada")]
    assert list(marked(Reply(to=None, count=None), "x-choice")) == []


class Journey(Form):
    next: Point | None = Field(description="the next point, or null")


def test_a_form_that_may_be_left_open_is_told_field_by_field():
    assert contract(Journey).splitlines()[1:] == [
        "next: the next point, or null. It has:",
        "  id: text.",
        "  about: what it answers.",
        "  words: text (up to 40 characters).",
    ]


def told(form, **choices):
    return contract(form, choices).splitlines()[1:]


class Votes(Form):
    votes: tuple[Reply, ...] = Field(max_length=3, description="whom you would follow")
    also: tuple[SeatId, ...] = Field(min_length=1, description="who else")
    why: Literal["calm", "clear"] = Field(description="calm: at ease; clear: easy to follow")
    note: str = ""


def test_what_may_be_named_stands_beside_its_field():
    assert told(Votes, seat=["ada", "ben"]) == [
        "votes: a list of up to 3: whom you would follow. Each has:",
        "  to: one of ada, ben or null.",
        "  count: whole number or null.",
        "also: a list of 1 or more, each one of ada, ben: who else.",
        "why: calm: at ease; clear: easy to follow.",
        "note: text. May be left out.",
    ]


def test_a_choice_of_one_is_named_alone():
    assert told(Reply, seat=["ada"])[0] == "to: ada or null."


class Named(Form):
    replies: tuple[Point, ...]


def test_a_list_whose_entries_have_nothing_to_name_is_empty():
    assert told(Named, claim=[]) == ["replies: an empty list."]


def test_a_field_is_explained_to_a_person_without_the_choices():
    fields = schema_of(Votes)["properties"]
    assert [rule_of(fields[name]) for name in ("also", "why", "note")] == [
        "a list of 1 or more: who else.",
        "calm: at ease; clear: easy to follow.",
        "text.",
    ]


def test_a_field_that_has_nothing_to_name_is_null():
    assert told(Reply, seat=[])[0] == "to: null."


def test_a_form_that_may_be_left_open_is_read_either_way():
    given = '{"next": {"id": "A-1", "about": "B-1", "words": "said"}}'
    assert (parse(Journey, given).next.id, parse(Journey, '{"next": null}').next) == ("A-1", None)
