"""Answers that are still coming: every beginning of them reads as words, and more of them only adds."""

import json
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.cli.display.partial import LONGEST, PartialAnswer, forms_of, in_words, readable
from hustings.protocols.structured import Closing
from hustings.script.forms import Form
from hustings.text.words import count_words

from .scenes import PROTOCOLS, context

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1).map(str.strip).filter(bool)
NAMES = st.from_regex("[a-z](_?[a-z])*", fullmatch=True)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)
ANSWERS = st.dictionaries(NAMES, VALUES, min_size=1, max_size=5)


@settings(max_examples=30)
@given(ANSWERS, st.booleans())
def test_a_whole_answer_reads_as_its_words_without_the_names_of_fields(answer, ascii_only):
    read = readable(json.dumps(answer, ensure_ascii=ascii_only))
    assert (read.text, read.whole) == (in_words(answer), True)


@settings(max_examples=30)
@given(ANSWERS, st.booleans(), st.sampled_from(["", "  \n", "```json\n", "```\n\n"]))
def test_more_of_an_answer_only_adds_to_what_was_read(answer, ascii_only, before):
    text = before + json.dumps(answer, ensure_ascii=ascii_only, indent=1)
    read = [readable(text[:n]).text for n in range(len(text) + 1)]
    assert all(later.startswith(sooner) for sooner, later in pairwise(read))


@given(st.text() | st.text('{}[]",:\\u0dntrue`-1 \n'), st.integers(0, 40))
def test_whatever_comes_is_read_piece_by_piece_as_in_one(text, place):
    answer = PartialAnswer()
    for piece in (text[:place], text[place:]):
        answer.feed(piece)
        answer.read()
    assert answer.read() == readable(text)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_real_answers_come_to_their_end(protocol):
    for text in context(protocol)[1].values():
        answer = PartialAnswer()
        answer.feed(text)
        assert answer.read().whole == text.startswith("{")
        assert answer.read().count or not in_words(json.loads(text))


UNREADABLE = ("[Opening] Friends", "[" * 5_000, "[\ud800")
BROKEN = ('{"a": "x\\uZZZZ"}', '{"a": "one\ntwo"}', '{"a": ' + "9" * 5_000)


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_is_no_form_is_shown_as_it_came(text):
    assert (readable(f" {text}").text, readable(text).whole) == (text, False)


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_form_is_not_shown(text):
    assert (readable(text).text, readable(text).whole) == ("", False)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_turn_on_a_form_reads_as_it_will_be_entered(protocol):
    events, answers = context(protocol)
    forms = forms_of(events[0].header.run_metadata.protocol)
    turns = [event for event in events if event.kind == "turn_entered" and event.address in answers]
    assert [readable(answers[e.address], forms).text for e in turns] == [e.turn.said for e in turns]


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_no_beginning_of_a_form_shows_json_or_the_name_of_a_field(share):
    events, answers = context("structured")
    forms = forms_of(events[0].header.run_metadata.protocol)
    for text in answers.values():
        shown = readable(text[: int(len(text) * share)], forms).text
        assert not [sign for sign in ('{"', '":', "follow_ups", "arguments:", "- id") if sign in shown]


def test_a_closing_counts_the_words_that_its_limit_counts():
    events, answers = context("structured")
    forms = forms_of(events[0].header.run_metadata.protocol)
    closing = next(text for address, text in answers.items() if address.endswith("closing"))
    form = Closing.model_validate_json(closing)
    assert readable(closing, forms).count == count_words(form.counted())


class Odd(Form):
    first: str
    second: str

    def said(self) -> str:
        return {"yes": "Agreed.", "no": "Refused."}[self.second]


def test_a_form_that_cannot_be_read_by_halves_is_read_without_it():
    assert readable('{"first": "Some words", "seco', (Odd,)).text == "Some words"
    assert readable('{"first": "Some words", "second": "yes"}', (Odd,)).text == "Agreed."


def test_a_protocol_that_is_not_installed_has_no_forms():
    assert forms_of("gone/3") == ()


HOSTILE = {
    "endless words": "word " * 10,
    "endless text in a form": "word \\n",
    "endless list, deep down": "1,",
    "endless deep lists": "[[[[[1]]]]],",
    "endless names": '{"a": [], "b": {}},',
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_an_endless_answer_costs_little_however_it_is_cut(kind):
    answer = PartialAnswer()
    answer.feed({"endless words": "", "endless text in a form": '{"a": "'}.get(kind, "[" * 190))
    start = time.process_time()
    for _ in range(20):
        for _ in range(20_000):
            answer.feed(HOSTILE[kind])
        assert len(answer.read().text) < 20 * LONGEST
    assert time.process_time() - start < 5
    assert answer.read().count > 100 or kind == "endless names"
