"""Every form of every protocol, judging and evaluation, answered in every shape in which models really answer."""

import json
import pkgutil
import random
import re
from contextlib import suppress
from functools import cache
from importlib import import_module
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic.errors import PydanticUserError

from hustings.llm.fake_values import FakeValues
from hustings.llm.improviser import Improviser
from hustings.runs.registry import audits, protocols
from hustings.runs.staging import rehearse
from hustings.script.complaints import Unfit
from hustings.script.forms import Form, parse, read, schema_of
from hustings.testing.protocol_suite import debates

from .shapes import BACK, NOTED, SHAPES, longest_list

PARSERS_WORDS = re.compile(
    r"[Ii]nvalid JSON|expected|column \d|[Ii]nput should|Field required|EOF|Extra inputs|should have|Value error"
)
WITH_FORMS = ("protocols", "judging", "rubrics", "lab", "script")


@cache
def forms():
    """Each form with a valid answer: the improviser's where it plays the form, else made-up values."""
    for package in WITH_FORMS:
        path = import_module(f"hustings.{package}").__path__
        for module in pkgutil.walk_packages(path, f"hustings.{package}."):
            import_module(module.name)
    answers = {}
    for protocol in (*protocols().values(), *audits().values()):
        for debate in debates(protocol)[:1]:
            improviser = Improviser()
            for call in (call for wave in rehearse(debate, improviser).waves for call in wave):
                if not call.brief.form.prose:
                    answers.setdefault(call.brief.form, improviser.words(call))
    for form in every_kind_of(Form):
        if form not in answers and form.__module__.startswith(tuple(f"hustings.{name}" for name in WITH_FORMS)):
            answers[form] = made_up(form)
    return {form: answer for form, answer in answers.items() if answer}


def every_kind_of(form):
    for kind in form.__subclasses__():
        yield kind
        yield from every_kind_of(kind)


def made_up(form):
    """None for what no seat is asked for: a class whose parts are open, or one that code alone fills in."""
    if form.prose or form in {Sheet, Row}:
        return None
    try:
        answer = json.dumps(FakeValues(random.Random(1), "x").value(schema_of(form)), ensure_ascii=False)
        form.model_validate_json(answer)
    except (ValueError, LookupError, PydanticUserError):
        return None
    return answer if schema_of(form)["properties"] else None


def complaints_about(form, reply):
    with pytest.raises(Unfit) as unfit:
        parse(form, reply)
    return unfit.value.complaints


def test_there_are_forms_of_every_protocol_and_audit():
    modules = {form.__module__ for form in forms()}
    assert {f"hustings.protocols.{name}" for name in protocols()} <= modules
    assert len(forms()) > 60


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_every_form_is_read_in_this_shape_as_it_should_be(shape):
    tried = 0
    for form, answer in forms().items():
        reply = shape.of(answer)
        if reply is None:
            continue
        tried += 1
        if shape.then == BACK:
            lines = complaints_about(form, reply)
            assert shape.words in lines[0], (form, lines)
            assert not PARSERS_WORDS.search("; ".join(lines)), (form, lines)
        else:
            reading = read(form, reply)
            assert reading.answer == form.model_validate_json(shape.values(answer)), form
            assert bool(reading.left_out) == (shape.then == NOTED), (form, reading.left_out)
    assert tried >= 5 or shape.name == "NaN for null"  # hardly an answer that is made up leaves something open


def test_a_row_that_lacks_a_field_is_named_with_the_field():
    tried = 0
    for form, answer in forms().items():
        values = json.loads(answer)
        rows = longest_list(values)
        name = rows and next((key for key, rows_ in values.items() if rows_ is rows), None)
        required = schema_of(form)["properties"][name].get("items", {}).get("required", ()) if name else ()
        if not required:
            continue
        tried += 1
        del rows[-1][required[0]]
        lines = complaints_about(form, json.dumps(values))
        assert f"{name.split('.')[0]} {len(rows)}, {required[0]}: missing" in lines, (form, lines)
    assert tried > 10


AROUND = st.sampled_from(
    [shape for shape in SHAPES if shape.then != BACK and not shape.name.startswith(("half", "NaN"))]
)
TEXTS = st.text() | st.lists(
    st.sampled_from(['"', "'", "\\", "{", "}", "</think>", "```", "\n", "<think>", ",", "…", "...", "null", "//", "x"])
).map("".join)


class Row(Form):
    name: str
    figure: float | int | None


class Sheet(Form):
    rows: tuple[Row, ...]
    words: str
    count: int
    sure: bool
    note: str | None


ROWS = st.builds(Row, name=TEXTS, figure=st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False))
SHEETS = st.builds(Sheet, rows=st.lists(ROWS.filter(lambda row: row.name.strip(" .…"))).map(tuple), words=TEXTS,
                   count=st.integers(), sure=st.booleans(), note=st.none() | TEXTS)  # fmt: skip


@settings(max_examples=300)
@given(SHEETS, AROUND)
def test_no_value_is_changed_or_invented_whatever_stands_in_it(sheet, shape):
    answer = sheet.model_dump_json()
    reply = shape.of(answer)
    if reply is not None and shape.values(answer) == answer:
        assert parse(Sheet, reply) == Sheet.model_validate_json(answer)


@settings(max_examples=300)
@given(SHEETS, st.data())
def test_a_spoilt_answer_is_sent_back_or_holds_no_value_that_it_did_not_hold(sheet, data):
    answer = sheet.model_dump_json()
    at, cut = data.draw(st.integers(0, len(answer) - 1)), data.draw(st.integers(0, 3))
    instead = data.draw(st.sampled_from(["", '"', "{", "}", ",", "\\", "]", "</think>"]))
    reply = answer[:at] + instead + answer[at + cut :]
    taken = taken_from(Sheet, reply)
    texts = [taken.words, taken.note or "", *(row.name for row in taken.rows)] if taken else []
    for text in texts:
        assert json.dumps(text, ensure_ascii=False)[1:-1] in reply or text in reply or "\\" in reply


def taken_from(form, reply):
    """The answer, or None if it goes back in words of our own."""
    try:
        return parse(form, reply)
    except Unfit as unfit:
        complaints = str(unfit).replace(reply, "")
    assert not PARSERS_WORDS.search(complaints)
    return None


@given(st.text() | TEXTS)
def test_any_reply_is_taken_or_sent_back_in_words(text):
    assert taken_from(Sheet, text) is None
    taken_from(Row, text)


LONG = 24_000
UNITS = ('.', '{', '[', '"', "'", '\\', '`', ',', '<', '<think>', '</think>', ' ', '\n', '{}', '{"', '{"a":', '{"a":1}',
         '{"a":x', '{"rows":[', '{//', '{/*', '{#\n', '{"\\', '1,', 'null,', '[],', '{},', '"\\n",', '{"name":1},',
         '"a":1,', '...,', '{"a":{"b":1},"c":2}{', '<|channel|>analysis<|message|>', '[THINK]',
         'assistant\n')  # fmt: skip
BEGINNINGS = ("", '{"rows":[', '{"rows":[{"name":"', "<think>", '"', "I say: ", "x</think>", '{"rows":[[')


def seconds_for(form, reply):
    """Of the best of a few tries, on the processor: others work here, too."""
    best = 9.0
    for _ in range(4):
        begun = process_time()
        with suppress(Unfit):
            parse(form, reply)
        best = min(best, process_time() - begun)
        if best < MOST_SECONDS / 2:
            break
    return best


MOST_SECONDS = 0.02


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_24_kilobytes_of_anything_are_read_within_20_milliseconds(beginning):
    slow = {}
    for unit in UNITS:
        reply = beginning + unit * (LONG // len(unit))
        if (seconds := seconds_for(Sheet, reply)) > MOST_SECONDS:
            slow[unit] = seconds
    assert not slow


@pytest.mark.parametrize("unit", ['{"a":', "[", '{"rows":[', "{", '{"a":[{"b":'])
def test_no_nesting_is_too_deep_to_be_refused(unit):
    for reply in (unit * 50_000, '{"rows":' + unit * 50_000):
        assert complaints_about(Sheet, reply)
