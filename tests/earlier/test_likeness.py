"""Under the first protocols a quote counts when it is like what was said; a changed figure is not forgiven."""

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hustings.earlier.checks.likeness import is_quoted

SPEECH = (
    "Madam, the city’s budget is not a toy — we paid 40 million for a bridge nobody crosses… "
    "“Who asked for it?” is the question. Café owners did not. We should stop before we pay twice."
)

INSIDE_A_FIGURE = SPEECH.index("40") + 1


@pytest.mark.parametrize(
    "quote",
    [
        "we paid 40 million for a bridge",
        "WE SHOULD  STOP\nbefore we pay twice",
        "the city's budget is not a toy - we paid",
        'a bridge nobody crosses... "Who asked for it?"',
        "“we should stop before we pay twice.”",
        "...Who asked for it?",
        "cafe\u0301 owners did not",
        "**we should stop**",
        "we shold stop before we pay twise",
        "Madam, the citys budget is not a toy, we paid 40 million",
        "Who asked for it",
    ],
)
def test_what_was_said_is_found_whatever_its_typography(quote: str) -> None:
    assert is_quoted(quote, ["Something else.", SPEECH])


@pytest.mark.parametrize(
    "quote",
    [
        "",
        " \n",
        "…",
        "-- -- -- -- -- --",
        "toy",
        "a toy",
        "we paid 90 million for a bridge",
        "we paid 400 million for a bridge nobody crosses",
        "we should stop before we pay twice or so",
        "the bridge was paid for by the cafés",
        "nobody said anything of the sort in this house",
        "Madam, the budget of a state is a toy, and it always was",
    ],
)
def test_what_was_not_said_is_not_found(quote: str) -> None:
    assert not is_quoted(quote, ["Something else.", SPEECH])


@pytest.mark.parametrize(
    "quote", ["40 percent of all bridges", "2 to 40 percent of all bridges", "40 percent of al bridges"]
)
def test_a_figure_is_quoted_whole_or_not_at_all(quote: str) -> None:
    assert not is_quoted(quote, ["It was 1.2 to 140 percent of all bridges."])
    assert is_quoted(quote, ["It was 140 percent of all bridges.", "Now it is 2 to 40 percent of all bridges."])


def test_a_stray_letter_beside_the_passage_does_not_bring_in_its_figures() -> None:
    assert is_quoted("ixlion for a bridge nobody crosses… “Who asked for it?” is the questio", [SPEECH])


def test_a_short_quote_is_one_if_it_is_all_that_was_said() -> None:
    assert is_quoted("No.", ["Certainly not.", "no"])


def test_three_signs_of_han_are_enough() -> None:
    assert is_quoted("不同意", ["我完全不同意这个观点。"])


def test_nothing_is_quoted_from_nobody() -> None:
    assert not is_quoted("we should stop before we pay twice", [])


def test_a_quote_too_long_to_compare_must_be_exact() -> None:
    said = SPEECH * 8
    assert is_quoted(said, [said])
    assert not is_quoted(said.replace("toy", "tyo", 1), [said])


@given(st.integers(0, 120), st.integers(20, 60))
def test_every_piece_of_a_speech_is_quoted_in_any_normal_form(start: int, length: int) -> None:
    assume(INSIDE_A_FIGURE not in (start, start + length))
    assert is_quoted(unicodedata.normalize("NFD", SPEECH[start : start + length]), [SPEECH])


@given(st.integers(0, 80), st.sampled_from("xqz"), st.integers(40, 80), st.data())
def test_one_wrong_letter_in_forty_is_forgiven(start: int, wrong: str, length: int, data: st.DataObject) -> None:
    assume(INSIDE_A_FIGURE not in (start, start + length))
    letters = [place for place in range(start, start + length) if SPEECH[place].isalpha()]
    place = data.draw(st.sampled_from(letters))
    quote = SPEECH[start:place] + wrong + SPEECH[place + 1 : start + length]
    assert is_quoted(quote, [SPEECH])


@pytest.mark.timeout(5)
@pytest.mark.parametrize("text", [SPEECH * 1100, "a" * 200_000, "ab " * 66_000], ids=["speech", "one letter", "two"])
def test_a_long_text_is_searched_in_bounded_time(text: str) -> None:
    unsaid = ("the committee has never considered what ab aaaaaaaaaa ab ab ab would do to our " * 3)[:200]
    assert not is_quoted(unsaid, [text])
