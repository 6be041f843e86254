"""A quote counts when its words stand in one of the texts it may come from; otherwise its author is told why."""

import pytest

from hustings.text.quote_check import Finding
from hustings.text.quotes import complaint, found_in, has_words, is_quoted, is_verbatim

SPEECH = "The committee did not approve the plan. It is not safe to use the hall in winter. The roof cost 3.5 million."


def test_a_quote_may_come_from_any_of_the_texts() -> None:
    assert is_quoted("the committee did not approve", ["Something else was said here.", SPEECH])


def test_a_quote_that_stands_nowhere_does_not_count() -> None:
    assert not is_quoted("the committee approved it all", ["Something else was said here.", SPEECH])


def test_without_a_text_there_is_nothing_to_quote() -> None:
    assert found_in("the committee did not approve", []) == Finding("absent", why="there is no text to quote from")


def test_of_several_texts_the_one_that_has_the_words_counts() -> None:
    turned = "It is not safe to use the hall in winter."
    assert found_in("safe to use the hall", [turned, "We find it safe to use the hall."]).verdict == "verbatim"


def test_a_quote_that_is_too_long_to_check_is_not_looked_for() -> None:
    assert not is_quoted("plan " * 7_000, ["plan " * 7_000, "another text"])


WHOLE, PARTED = "The board of Lahn approved the plan.", "The board of Lahn, after talks in May, approved the plan."


def test_a_text_that_has_the_words_in_one_piece_goes_before_one_that_has_them_in_parts() -> None:
    assert found_in("The board of Lahn … approved the plan", [PARTED, WHOLE]).why == ""


@pytest.mark.parametrize(
    ("quote", "texts", "verdict"),
    [
        ("The board of Lahn … approved the plan", ["The board of Lahn … aproved the plan.", PARTED], "verbatim"),
        ("safe to use the main hall", ["not safe to use the main hall", "safe to use the mainn hall"], "clipped"),
        (
            "safe to use the great auditorium",
            ["It is not safe to use the great auditorium", "safe to use the great auditoorium"],
            "near",
        ),
        ("safe to use the hall", ["safe to sell the hall", "It is not safe to use the hall"], "clipped"),
        ("safe to use the hall", ["a cat sat there", "safe to sell the hall"], "altered"),
    ],
)
def test_the_best_that_can_be_said_of_a_quote_counts(quote: str, texts: list[str], verdict: str) -> None:
    assert found_in(quote, texts).verdict == verdict


def test_eighty_letters_of_a_quote_are_repeated_in_a_complaint() -> None:
    assert complaint("x" * 90, Finding("absent")) == f"not found in the text: '{'x' * 80}'; quote word for word"


def test_of_several_faults_the_nearest_is_told() -> None:
    finding = found_in("the committee did approve the plan", ["Something else was said here.", SPEECH])
    assert finding.verdict == "altered"


def test_a_slip_is_quoted_but_not_verbatim() -> None:
    quote = "the comittee did not approve the plan"
    assert is_quoted(quote, [SPEECH])
    assert not is_verbatim(quote, SPEECH)
    assert is_verbatim(quote.replace("comittee", "committee"), SPEECH)


def test_words_cut_off_from_their_not_stand_there_but_are_no_quote() -> None:
    assert has_words("safe to use the hall", SPEECH)
    assert has_words("not safe to use the hall", SPEECH)
    assert not is_quoted("safe to use the hall", [SPEECH])


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("the plan", "'the plan' is too short to prove anything: quote three words or more, word for word"),
        ("a town without any cars", "not found in the text: 'a town without any cars'; quote word for word"),
        (
            "The committee did approve the plan",
            "'The committee did approve the plan' is not what the text says: leaves out 'not'; quote word for word",
        ),
    ],
)
def test_a_complaint_says_what_is_wrong_with_the_quote(quote: str, told: str) -> None:
    assert complaint(quote, found_in(quote, [SPEECH])) == told
