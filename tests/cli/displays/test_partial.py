"""Answers that are still coming: every beginning of them reads as words, and more of them only adds."""

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.cli.displays.partial import KEPT, Along, readable
from hustings.core.forms import in_lines
from tests.cli.displays.scenes import PROTOCOLS, scene

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
    assert readable(json.dumps(answer, ensure_ascii=ascii_only)) == in_lines(answer)


@settings(max_examples=30)
@given(ANSWERS, st.booleans(), st.sampled_from(["", "  \n", "```json\n", "```\n\n"]))
def test_more_of_an_answer_only_adds_to_what_was_read(answer, ascii_only, before):
    text = before + json.dumps(answer, ensure_ascii=ascii_only, indent=1)
    read = [readable(text[:n]) for n in range(len(text) + 1)]
    assert all(later.startswith(sooner) for sooner, later in pairwise(read))


@given(st.text() | st.text('{}[]",:\\u0dntrue`-1 \n'), st.integers(0, 40))
def test_whatever_comes_is_read_piece_by_piece_as_in_one(text, place):
    along = Along()
    for piece in (text[:place], text[place:]):
        along.feed(piece)
    assert along.text == readable(text)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_real_answers_come_to_their_end(protocol):
    for text in scene(protocol)[1].values():
        along = Along()
        along.feed(text)
        assert along.whole == text.startswith("{")
        assert along.count > 0


def test_what_lies_far_back_is_forgotten_but_counted():
    along, counts = Along(), []
    for _ in range(10):
        along.feed("word " * KEPT)
        counts.append((along.count, len(along.text) <= 2 * KEPT))
    assert counts == [(KEPT * n, True) for n in range(1, 11)]
