"""Answers that are still coming: every beginning of them reads as words, and more of them only adds."""

import json
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.cli.display.partial import LONGEST, PartialAnswer, readable
from hustings.script.forms import in_lines

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
def test_a_whole_answer_reads_as_its_form_would(answer, ascii_only):
    assert readable(json.dumps(answer, ensure_ascii=ascii_only)) == (in_lines(answer), True)


@settings(max_examples=30)
@given(ANSWERS, st.booleans(), st.sampled_from(["", "  \n", "```json\n", "```\n\n"]))
def test_more_of_an_answer_only_adds_to_what_was_read(answer, ascii_only, before):
    text = before + json.dumps(answer, ensure_ascii=ascii_only, indent=1)
    read = [readable(text[:n])[0] for n in range(len(text) + 1)]
    assert all(later.startswith(sooner) for sooner, later in pairwise(read))


@given(st.text() | st.text('{}[]",:\\u0dntrue`-1 \n'), st.integers(0, 40))
def test_whatever_comes_is_read_piece_by_piece_as_in_one(text, place):
    answer = PartialAnswer()
    for piece in (text[:place], text[place:]):
        answer.feed(piece)
        answer.read()
    assert (answer.read().text, answer.read().whole) == readable(text)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_real_answers_come_to_their_end(protocol):
    for text in context(protocol)[1].values():
        answer = PartialAnswer()
        answer.feed(text)
        assert answer.read().whole == text.startswith("{")
        assert answer.read().count > 0


ODD = ('{"a": "x\\uZZZZ"}', '{"a": "one\ntwo"}', '{"a": ' + "9" * 5_000)
UNREADABLE = ("[Opening] Friends", *ODD, "[" * 5_000, "[\ud800")


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_cannot_be_read_is_shown_as_it_came(text):
    assert readable(f" {text}") == (text, False)


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
    assert answer.read().count > 100
