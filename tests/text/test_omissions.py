"""A quote may leave words out where it says so; how far that goes, and how long a quote may be, is limited."""

import pytest

from hustings.text.quote_check import Finding, Text, check, stands

FILLER = [f"z{one}{two}" for one in "abcdefghijklmnopqrstuvwxyz" for two in "abcdefghijklmnopqrstuvwxyz"]
"""Words of no language, each once."""
TEXT = (
    "The board of Lahn, after long talks in May, approved the plan for the harbour, and the mayor was pleased with it. "
    "Nobody saw the old pump at the north wall of the hall in all those years. He said … and then he left the hall. "
)
READ = Text(TEXT)


def told(quote: str, text: str) -> tuple[str, str, str]:
    found = check(quote, Text(text))
    return found.verdict, text[found.start : found.end] if found.start >= 0 else "", found.why


def test_a_finding_that_leads_nowhere_has_no_place() -> None:
    found = Finding("short")
    assert (found.start, found.end, found.why) == (-1, -1, "")


def test_a_verbatim_quote_in_one_piece_needs_no_reason() -> None:
    assert told("the mayor was pleased", TEXT) == ("verbatim", "the mayor was pleased", "")


def test_two_words_that_are_the_whole_text_are_found_there() -> None:
    assert check("yes indeed", Text("“Yes, indeed.”")) == Finding("verbatim", 1, 12)


def test_nothing_is_no_quote_even_of_nothing() -> None:
    assert check("", Text("")) == Finding("short", why="has fewer than 3 words, which prove nothing")


@pytest.mark.parametrize(
    "quote", ["… after longg talks in May, approved the plan", "after longg talks in May, approved the plan …"]
)
def test_an_omission_at_the_beginning_or_end_leaves_nothing_out(quote: str) -> None:
    text = TEXT.replace("long talks", "proclamations")
    assert check(quote.replace("longg talks", "proclammations"), Text(text)).verdict == "near"


def test_an_omission_of_the_text_itself_is_quoted_with_it() -> None:
    assert told("He said … and then he left", TEXT) == ("verbatim", "He said … and then he left", "")


def test_the_first_word_of_a_quote_with_an_omission_is_checked() -> None:
    assert told("A board of Lahn … approved the plan", TEXT) == (
        "altered",
        "The board of Lahn",
        "says 'A' where the text says 'The'",
    )


@pytest.mark.parametrize("mark", ["⋯", "⋯⋯", "....", "……", "( … )"])
def test_omissions_are_marked_in_many_ways(mark: str) -> None:
    assert told(f"The board of Lahn {mark} approved the plan", TEXT) == (
        "verbatim",
        "The board of Lahn, after long talks in May, approved the plan",
        "leaves words out",
    )


def test_three_parts_are_found_from_the_first_word_to_the_last() -> None:
    assert told("The board of Lahn … approved the plan … the mayor was", TEXT) == (
        "verbatim",
        "The board of Lahn, after long talks in May, approved the plan for the harbour, and the mayor was",
        "leaves words out",
    )


def test_parts_in_another_order_are_told_at_the_first_of_them() -> None:
    assert told("approved the plan … The board of Lahn", TEXT) == (
        "altered",
        "approved the plan",
        "has its parts in another order",
    )


def test_a_slip_beside_an_omission_is_told_where_it_is() -> None:
    text = TEXT.replace("long talks", "proclamations")
    assert told("The board of Lahn … after proclammations in May, approved the plan", text) == (
        "altered",
        "after proclamations in May, approved the plan",
        "says 'proclammations' where the text says 'proclamations'",
    )


def test_a_part_that_stands_nowhere_is_told_as_that() -> None:
    assert check("The board of Lahn … a cat sat on", READ) == Finding(
        "absent", why="is nowhere in the text, nor anything like it"
    )


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("saw the old pump … wall of the hall", "cuts off 'Nobody' before it"),
        ("saw the old pump", "cuts off 'Nobody' before it"),
    ],
)
def test_what_is_cut_off_before_a_quote_is_told_in_full(quote: str, why: str) -> None:
    assert check(quote, READ).why == why


def test_what_is_cut_off_behind_an_omission_is_told_in_full() -> None:
    text = "The pump of the town is closed in the long winter unless it is dry."
    assert told("The pump of … is closed in the long winter", text) == (
        "altered",
        "The pump of the town is closed in the long winter",
        "cuts off 'unless' after it",
    )


def test_a_near_quote_is_clipped_by_what_it_cuts_off() -> None:
    text = "It is not safe to use in the production of valves for the pump."
    assert told("safe to use in production of valves for the pump", text) == (
        "clipped",
        "safe to use in the production of valves for the pump",
        "cuts off 'not' before it",
    )


def test_of_places_that_are_all_cut_off_the_first_is_told() -> None:
    """Though most of them stand together elsewhere."""
    apart = f"{' '.join(FILLER[:80])}. "
    text = f"not one two three. {apart}" + f"{'not one two three. ' * 3}{apart}" * 3
    assert check("one two three", Text(text)) == Finding("clipped", 4, 17, "cuts off 'not' before it")


def test_a_negation_inside_the_first_part_is_not_cut_off() -> None:
    text = "The pump is not safe for use in the hall of Lahn."
    assert check("pump is not safe … the hall of Lahn", Text(text)).verdict == "verbatim"


def test_of_several_places_the_first_where_nothing_is_cut_off_counts() -> None:
    text = "It is not safe to use. We say: safe to use. They say: safe to use."
    assert check("safe to use", Text(text)) == Finding("verbatim", 31, 42)
    assert check("safe to use", Text(text[:22])) == Finding("clipped", 10, 21, "cuts off 'not' before it")


def test_the_parts_that_stand_closest_together_count_and_of_equals_the_first() -> None:
    text = "one two three a b c d e f g. one two three a b four five six. one two three a b four five six."
    assert told("one two three … four five six", text) == (
        "verbatim",
        "one two three a b four five six",
        "leaves words out",
    )
    assert check("one two three … four five six", Text(text)).start == 29


@pytest.mark.parametrize(("left_out", "verdict"), [(120, "verbatim"), (121, "altered")])
def test_an_omission_leaves_out_a_hundred_and_twenty_words_at_most(left_out: int, verdict: str) -> None:
    text = " ".join(["one two three", *FILLER[:left_out], "four five six"])
    assert check("one two three … four five six", Text(text)).verdict == verdict


@pytest.mark.parametrize(("size", "verdict"), [(8, "verbatim"), (9, "absent")])
def test_a_quote_has_eight_parts_at_most(size: int, verdict: str) -> None:
    parts = [" ".join(FILLER[4 * n : 4 * n + 3]) for n in range(size)]
    assert check(" … ".join(parts), Text(" ".join(FILLER[:60]))).verdict == verdict


@pytest.mark.parametrize(("turned", "verdict"), [(19, "verbatim"), (20, "altered")])
def test_twenty_places_are_tried_for_a_quote_with_an_omission(turned: int, verdict: str) -> None:
    text = "one two three not four five six. " * turned + "one two three a b four five six."
    assert check("one two three … four five six", Text(text)).verdict == verdict


@pytest.mark.parametrize(("turned", "verdict"), [(3, "verbatim"), (4, "clipped")])
def test_four_places_are_tried_for_a_long_quote(turned: int, verdict: str) -> None:
    quote = " ".join(FILLER[:200])
    assert check(quote, Text(f"not {quote}. " * turned + quote)).verdict == verdict


@pytest.mark.parametrize(("turned", "verdict"), [(199, "verbatim"), (200, "clipped")])
def test_two_hundred_places_are_tried_for_three_words(turned: int, verdict: str) -> None:
    assert check("one two three", Text("not one two three. " * turned + "one two three")).verdict == verdict


LONGEST = ("pump " * 6_400)[:-5] + "pumps"


def test_a_quote_has_thirty_two_thousand_letters_at_most() -> None:
    text = Text(f"{LONGEST} were sold")
    assert len(LONGEST) == 32_000
    assert (check(LONGEST, text).verdict, check(f"{LONGEST} ", text).verdict) == ("verbatim", "absent")
    assert (stands(LONGEST, text), stands(f"{LONGEST} ", text)) == (True, False)


@pytest.mark.parametrize(
    ("quote", "there"),
    [("[t]he old pump [sic] at", True), ("saw the old pump", True), ("saw the new pump", False), ("—", False)],
)
def test_words_stand_in_a_text_in_one_piece_or_not(quote: str, *, there: bool) -> None:
    assert stands(quote, READ) is there


LONG = [f"{word}x" for word in FILLER[:600]]
LONG[50::10] = ["of"] * len(LONG[50::10])


@pytest.mark.parametrize(("size", "verdict"), [(400, "near"), (401, "altered")])
def test_four_hundred_words_are_compared_and_a_longer_quote_must_be_exact(size: int, verdict: str) -> None:
    text = " ".join([*LONG[:200], "the", *LONG[200:]])
    assert told(" ".join(LONG[:size]), text)[::2] == (verdict, "leaves out 'the'")


@pytest.mark.parametrize("at", [0, 396, 398, 399, 400, 401, 402, 403, 499])
def test_a_change_anywhere_in_a_long_quote_is_told(at: int) -> None:
    quote = [*LONG[:at], "other", *LONG[at + 1 : 500]]
    assert told(" ".join(quote), " ".join(LONG))[::2] == ("altered", f"says 'other' where the text says '{LONG[at]}'")
