"""The place that comes closest to a quote is found, and few differences there are harmless."""

import pytest

from hustings.text.aligning import Alignment, Change, matches, slipped, told, windows
from hustings.text.folding import Folded
from hustings.text.quote_check import Finding, Text, check

LETTERS = "abcdefghijklmnopqrstuvwxyz"
FILLER = [f"z{one}{two}" for one in LETTERS for two in LETTERS]
"""Words of no language, each once."""


def found_words(quote: str, text: str) -> tuple[str, str, str]:
    found = check(quote, Text(text))
    return found.verdict, text[found.start : found.end], found.why


@pytest.mark.parametrize(
    ("quote", "verdict"),
    [("one two three other words", "altered"), ("one two more other words", "absent")],
)
def test_three_words_of_five_are_enough_to_call_a_quote_altered(quote: str, verdict: str) -> None:
    assert check(quote, Text("zero one two three four five six")).verdict == verdict


APART = f". {' '.join(FILLER[:80])}. "


@pytest.mark.parametrize(
    ("places", "closest"),
    [
        (["one pump of two was sold to them", "one pump of ten was sold to us"], 1),
        (["one pump of ten was sold to us", "one pump of two was sold to them"], 0),
        (["one pump of ten was sold to us", "each pump of ten was sold to him"], 0),
        (["each pump of ten was sold to him", "one pump of ten was sold to us"], 0),
        (["one pump was sold to him", "one pump of the last ten was sold to us"], 0),
    ],
)
def test_the_place_with_the_fewest_changed_words_is_told_and_of_equals_the_first(
    places: list[str], closest: int
) -> None:
    verdict, words, _ = found_words("one pump of ten was sold to him", APART.join(places))
    assert (verdict, words) == ("altered", places[closest])


def places(size: int, *starts: int, of: int = 500) -> tuple[Folded, Text]:
    """A quote, and a text of other words in which it stands at these places."""
    words = [f"other{n}" for n in range(of)]
    quote = FILLER[:size]
    for start in starts:
        words[start : start + size] = quote
    return Folded(" ".join(quote)), Text(" ".join(words))


@pytest.mark.parametrize(
    ("size", "start", "window"),
    [
        (4, 90, (81, 121)),
        (8, 100, (90, 138)),
        (40, 100, (72, 184)),
        (400, 0, (0, 500)),
        (230, 250, (128, 500)),
        (4, 0, (0, 31)),
        (4, 495, (486, 500)),
    ],
)
def test_a_window_leaves_room_before_the_quote_and_three_times_as_much_behind_it(
    size: int, start: int, window: tuple[int, int]
) -> None:
    assert list(windows(*places(size, start))) == [window]


def test_three_places_are_compared_those_with_most_of_the_quote_first() -> None:
    quote, text = places(8, 100, 110, 120, 200, 300)
    assert [first for first, _ in windows(quote, text)] == [90, 110, 190]
    quote, text = places(8, 100, 110, 130, 200, 300)
    assert [first for first, _ in windows(quote, text)] == [90, 120, 190]


def test_the_ten_rarest_pairs_are_looked_for() -> None:
    common = ["it", "is", "so", "it", "is", "so"]
    text = Text(" ".join([*common * 50, *FILLER[:11], *common * 50]))
    for words in ([*FILLER[:11], "elsewhere", *common], [*common, *FILLER[:11]]):
        quote = Folded(" ".join(words))
        assert [first <= 300 < last for first, last in windows(quote, text)] == [True]


def test_the_letters_that_agree_are_paired_where_the_window_comes_closest() -> None:
    assert matches("abc", "xxabcxx") == ([(0, 2), (1, 3), (2, 4)], 2, 5)
    assert matches("abcd", "xabxdx") == ([(0, 1), (1, 2), (3, 4)], 1, 5)


@pytest.mark.parametrize(
    ("sought", "window", "end"),
    [("abx", "abcde", 3), ("abb", "abcde", 2), ("abxy", "abcde", 4), ("ab", "", 0)],
)
def test_a_changed_last_word_is_told_as_changed_not_as_added(sought: str, window: str, end: int) -> None:
    assert matches(sought, window)[2] == end


def sentence(size: int, *changed: int) -> tuple[str, str]:
    """A text of this many words, and a quote of all of it with a letter doubled in some."""
    words = [f"{word}mortification" for word in FILLER[:size]]
    quote = [word.replace("fic", "ffic") if n in changed else word for n, word in enumerate(words)]
    return " ".join(quote), " ".join(words)


@pytest.mark.parametrize(
    ("size", "changed", "verdict"),
    [
        (6, [2], "near"),
        (5, [2], "altered"),
        (15, [2, 9], "altered"),
        (16, [2, 9], "near"),
        (23, [2, 9, 15], "altered"),
        (24, [2, 9, 15], "near"),
    ],
)
def test_a_slip_is_forgiven_in_six_words_and_one_more_in_every_eight(
    size: int, changed: list[int], verdict: str
) -> None:
    quote, text = sentence(size, *changed)
    assert check(quote, Text(text)).verdict == verdict


def test_every_difference_of_a_near_quote_is_told() -> None:
    quote, text = sentence(16, 2, 9)
    assert found_words(quote, text) == (
        "near",
        text,
        (
            "says 'zacmortiffication' where the text says 'zacmortification'; "
            "says 'zajmortiffication' where the text says 'zajmortification'"
        ),
    )


def test_only_what_is_not_harmless_is_told_of_an_altered_quote() -> None:
    text = "Nobody complained to the board about the noise of the old pump."
    assert check("Nobody complainned to the board about the noise of the new pump", Text(text)).why == (
        "says 'new' where the text says 'old'"
    )


def test_harmless_differences_are_told_where_they_are_too_many() -> None:
    text = "Nobody complained to the board about it."
    found = found_words("Nobody complainned to board about it", text)
    assert found == (
        "altered",
        "Nobody complained to the board about it",
        "says 'complainned' where the text says 'complained'; leaves out 'the'",
    )


def english(size: int, article: int, *others: int) -> tuple[str, str]:
    """A text of this many words with "the" at one place and English words at others; the quote leaves "the" out."""
    words = [f"{word}x" for word in FILLER[:size]]
    for n in others:
        words[n] = "of"
    words[article] = "the"
    return " ".join(words[:article] + words[article + 1 :]), " ".join(words)


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (english(30, 9, 0, 3), "near"),
        (english(29, 9, 1), "altered"),
        (english(32, 15, 1, 3), "altered"),
        (english(60, 30, 10, 12, 14, 50), "near"),
        (english(60, 30, 9, 12, 14, 50), "altered"),
        (english(60, 30, 10, 12, 14, 51), "altered"),
    ],
)
def test_an_article_is_forgiven_where_a_word_in_ten_around_it_is_english(words: tuple[str, str], verdict: str) -> None:
    assert check(words[0], Text(words[1])).verdict == verdict


@pytest.mark.parametrize(
    ("quote", "text", "verdict"),
    [
        ("The well known firm was sold", "The well-known firm was sold", "verbatim"),
        ("The wellknown firm was sold", "The well known firm was sold", "altered"),
        ("The database was sold", "The data base was sold", "near"),
        ("The in-valid permit was used", "The invalid permit was used", "near"),
        ("The invalid permit was used", "The in-valid permit was used", "near"),
        ("The invalid permit was used", "The in valid permit was used", "altered"),
        ("It has 1 250 500 workers in May", "It has 1\u202f250\u202f500 workers in May", "near"),
        ("It has 1\u202f250\u202f500 workers in May", "It has 1 250 500 workers in May", "near"),
        ("It has 1 250 50 workers in May", "It has 125\u202f050 workers in May", "altered"),
        ("It has 1250 workers", "It has 1 250 workers", "altered"),
        ("It has 12 50 workers", "It has 1\u202f250 workers", "altered"),
        ("The data base was sold", "The data  base was sold", "verbatim"),
        ("The dat abase was sold", "The data base was sold", "altered"),
        ("The wine was v 2", "The wine was v2", "altered"),
    ],
)
def test_one_word_may_be_written_as_two_if_no_piece_turns_its_sense(quote: str, text: str, verdict: str) -> None:
    assert check(quote, Text(text)).verdict == verdict


@pytest.mark.parametrize(
    ("one", "other", "forgiven"),
    [
        ("abcdefgh", "abcdeefgh", True),
        ("abcdefg", "abcdeefg", False),
        ("abcdefgh", "abcedfgh", True),
        ("abcdefgh", "abdcefgh", True),
        ("abcdefgh", "acbdefgh", False),
        ("abcdefgh", "abcdefhg", False),
        ("abcdefgh", "abcdegfh", True),
        ("abcdefgh", "abcdfegh", True),
        ("abcdefgh", "abcdxefgh", False),
        ("abcdefghi", "abcdxefghi", False),
        ("abcdefghij", "abcdxefghij", True),
        ("abcdefghij", "abxcdefghij", True),
        ("abcdefghij", "axbcdefghij", False),
        ("abcdefghij", "abcdefghxij", True),
        ("abcdefghij", "abcdefghixj", False),
        ("abcdefghij", "abcdxefghyj", False),
        ("abcdefghij", "abcdxyefghij", False),
        ("abcdefghij", "abdcefghji", False),
        ("abcdefghij", "abcxyfghij", False),
        ("abcdefgh1", "abcdeefgh1", False),
        ("abcdefghij", "abcde1fghij", False),
        ("abcdefgh", "abcdeef1h", False),
        ("contracting", "contacting", False),
        ("previously", "previously", False),
        ("prevented", "prevennted", False),
    ],
)
def test_a_slip_is_a_letter_doubled_exchanged_or_missing_inside_a_long_word(
    one: str, other: str, *, forgiven: bool
) -> None:
    assert (slipped(one, other), slipped(other, one)) == (forgiven, forgiven)


@pytest.mark.parametrize("size", [80, 81])
def test_eighty_letters_of_a_change_are_told(size: int) -> None:
    change, quote, text = Change(1, 2, 1, 1), Folded("a b"), Text(f"a {'x' * size} b")
    assert told(change, quote, text) == f"leaves out '{'x' * 80 if size == 80 else 'x' * 79 + '…'}'"


def test_what_is_said_of_a_quote_cannot_be_changed_afterwards() -> None:
    assert len({Finding("short"), Finding("short"), Finding("absent")}) == 2
    assert len({Change(1, 2, 3, 4), Change(1, 2, 3, 4)}) == 1
    assert len({Alignment(1, 2, (), 3), Alignment(1, 2, (), 3)}) == 1


def test_words_that_the_text_does_not_have_are_not_looked_for() -> None:
    quote = [f"other{word}" if n < 24 and n % 2 else word for n, word in enumerate(FILLER[:30])]
    assert check(" ".join(quote), Text(" ".join(FILLER[:60]))).verdict == "altered"


@pytest.mark.parametrize(("before", "verdict"), [(198, "altered"), (199, "absent")])
def test_a_pair_is_looked_for_at_two_hundred_places(before: int, verdict: str) -> None:
    """The last two stand together, so that they are compared if the second of them is found."""
    apart = " ".join(["ee"] * 16)
    text = f"{apart} ".join(["aa bb "] * before) + f"{apart} aa bb ee aa bb ff cc"
    assert check("aa bb zz cc", Text(text)).verdict == verdict


def test_an_article_may_be_an_other_one() -> None:
    text = "It was an order of the board to the firm."
    assert check("It was order of the board to the firm", Text(text)).verdict == "near"
