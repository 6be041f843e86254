"""A quote is the text's own words, or differs in a way that is on a short list; the finding names what was changed."""

import time
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.text import folding
from hustings.text.aligning import matches, slipped
from hustings.text.folding import Folded
from hustings.text.quote_check import Finding, Text, Verdict, check
from tests.text.languages import LANGUAGES

SOURCE = (
    "The engine is unable to recover all calls. It is not safe to use in production with more than 40 workers. "
    "Growth was -5 percent in 2021, and fees rose by three million dollars. The committee did not approve the plan "
    "that the ministry had prepared for the coming year. The output rose by five percent and nobody complained about "
    "it at the meeting last week. An exam-\nple of well-known ﬁnal “effects”, about 10² units and 1,000 more.[12] It "
    "cost 3.5 % of 140 euros. The cluster doesn’t scale to ten nodes. The hall has 300 m² of floor."
)
READ = Text(SOURCE)


def verdict(quote: str, text: str) -> str:
    return check(quote, Text(text)).verdict


@pytest.mark.parametrize(
    "quote",
    [
        "the committee did not approve the plan",
        "THE COMMITTEE  did\nnot approve the plan!",
        "“An example of well-known final 'effects', about 10^2 units”",
        "10² units and 1000 more. It cost 3.5%",
        "10² units and 1\u202f000 more. It cost 3.5 per cent",
        "10² units and １,０００ more",
        "the cluster doesn't scale to ten nodes",
        "The *committee* did **not** approve the <b>plan</b>",
        "[T]he committee did not approve the plan [sic] that the ministry",
        "> The committee did not approve\n> the plan",
        "…the committee did not approve the plan…",
        "The hall has 300 m^2 of floor",
    ],
)
def test_typography_makes_no_difference(quote: str) -> None:
    assert check(quote, READ).verdict == "verbatim"


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("able to recover all calls", "says 'able' where the text says 'unable'"),
        ("was 5 percent in 2021", "says '5' where the text says '-5'"),
        ("The committee did approve the plan that the ministry had prepared", "leaves out 'not'"),
        ("fees rose by three billion dollars", "says 'billion' where the text says 'million'"),
        ("The output rose by nine percent and", "says 'nine' where the text says 'five'"),
        ("about 102 units and 1000 more", "says '102' where the text says '10²'"),
        ("It cost 35 % of 140 euros", "says '35' where the text says '3.5'"),
        ("It cost 3.5 % of 40 euros", "says '40' where the text says '140'"),
        ("The cluster does scale to ten nodes", "says 'does' where the text says 'doesn’t'"),
        ("The hall has 300 m³ of floor", "says '³' where the text says '²'"),
        ("The hall has 300 m of floor", "leaves out '²'"),
        ("The committee did not quite approve the plan", "adds 'quite'"),
        ("did not approve the plan that the ministry had rejected", "says 'rejected' where the text says 'prepared'"),
    ],
)
def test_other_words_are_altered_and_named(quote: str, why: str) -> None:
    found = check(quote, READ)
    assert (found.verdict, found.why) == ("altered", why)


def test_many_changes_are_told_as_the_first_three() -> None:
    found = check("the output sank by nine percent, and everybody talked about it at the meeting last month", READ)
    assert found.why.count("where the text says") == 3


def test_a_long_change_is_told_in_short() -> None:
    found = check("The board of Lahn met in May", Text(f"The board of {'x' * 100} met in May"))
    assert found.why == f"says 'Lahn' where the text says '{'x' * 79}…'"


def test_what_is_nowhere_is_absent() -> None:
    assert check("A cat sat on the mat all day", READ) == Finding(
        "absent", why="is nowhere in the text, nor anything like it"
    )


@pytest.mark.parametrize("quote", ["", " \n", "…", "--", "the plan", "plan", "[12]"])
def test_fewer_than_three_words_prove_nothing(quote: str) -> None:
    assert check(quote, READ).verdict == "short"


@pytest.mark.parametrize("text", ["Yes, indeed.", "“yes – INDEED”"])
def test_two_words_that_are_the_whole_text_are_verbatim(text: str) -> None:
    assert verdict("Yes indeed", text) == "verbatim"


def test_only_verbatim_and_near_are_accepted() -> None:
    verdicts: tuple[Verdict, ...] = ("verbatim", "near", "clipped", "altered", "absent", "short")
    assert [v for v in verdicts if Finding(v).accepted] == ["verbatim", "near"]


def test_the_anchor_leads_to_the_very_words() -> None:
    found = check("FEES rose  by three million dollars", READ)
    assert SOURCE[found.start : found.end] == "fees rose by three million dollars"


NEAR = "The output rose by five percent and nobody complained about it at the meeting last week"


@pytest.mark.parametrize(
    "quote",
    [
        NEAR.replace("complained", "complainned"),
        NEAR.replace("complained", "compalined"),
        NEAR.replace("at the meeting", "at meeting"),
        NEAR.replace("at the meeting", "at a meeting"),
        "an example of wellknown final effects about 10² units",
    ],
)
def test_articles_slips_and_split_words_are_near(quote: str) -> None:
    assert check(quote, READ).verdict == "near"


@pytest.mark.parametrize(
    "quote",
    [
        NEAR.replace("complained", "comqlained"),
        "nobody complainned about it at the meetting",
        NEAR.replace("nobody", "noboddy"),
        "and nobody complainned about it",
        NEAR.replace("nobody complained", "nobody explained"),
    ],
)
def test_a_wrong_letter_too_many_slips_or_a_short_quote_are_not(quote: str) -> None:
    assert check(quote, READ).verdict == "altered"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mortality", "morality"),
        ("alternation", "alteration"),
        ("handled", "handed"),
        ("carries", "caries"),
        ("casually", "causally"),
        ("retired", "retried"),
        ("unsafely", "safely"),
        ("planning", "plannings"),
        ("seventeen", "sevnteen"),
        ("approved", "approvde"),
        ("plan", "pln"),
        ("a4bcdefg", "abcdefg"),
        ("complained", "complainnned"),
        ("complained", "complaxned"),
        ("complained", "cmplaiend"),
        ("complained", "complained"),
    ],
)
def test_no_slip_is_forgiven_at_the_ends_of_a_word_or_where_it_makes_another(one: str, other: str) -> None:
    assert not slipped(one, other)


@pytest.mark.parametrize(("one", "other"), [("unforgettable", "unforgetable"), ("administration", "administation")])
def test_a_letter_may_be_missing_in_a_long_word(one: str, other: str) -> None:
    assert slipped(one, other)


def test_a_slip_that_is_a_word_of_the_text_is_none() -> None:
    text = "Nobody complained to the board about the noise. The singer complainned is a name here."
    assert verdict("Nobody complainned to the board about the noise", text) == "altered"


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("Plan was rejected by the board of the company", "Plan A was rejected by the board of the company"),
        ("Die Kommission nimmt den Antrag der Stadt", "Die Kommission nimmt den a Antrag der Stadt"),
    ],
)
def test_an_article_is_english_and_small(quote: str, text: str) -> None:
    assert verdict(quote, text) == "altered"


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("The in valid permit was used by the firm", "The invalid permit was used by the firm", "altered"),
        ("The not able firm was praised by the board", "The notable firm was praised by the board", "altered"),
        ("The non-profit firm was praised", "The non-\nprofit firm was praised", "near"),
        ("The data base was closed", "The database was closed", "near"),
        ("The v2 x was closed", "The v2x was closed", "altered"),
        ("It has 12 500 workers", "It has 12\u202f500 workers", "near"),
        ("It has 12\u202f500 workers", "It has 12 500 workers", "near"),
        ("It has 12 500 workers", "It has 12500 workers", "altered"),
        ("It has 12 50 workers", "It has 1250 workers", "altered"),
    ],
)
def test_a_word_or_figure_may_be_set_in_two(quote: str, text: str, expected: str) -> None:
    assert verdict(quote, text) == expected


@pytest.mark.parametrize(
    ("quote", "verdict_", "why"),
    [
        ("The board … approved the plan", "short", "has a part of fewer than 3 words"),
        (" … ".join(["the plan was"] * 9), "absent", "has more than 8 parts"),
        ("plan " * 7000, "absent", "has more than 32000 characters, too many to check"),
    ],
)
def test_there_are_limits_to_parts_and_length(quote: str, verdict_: Verdict, why: str) -> None:
    assert check(quote, READ) == Finding(verdict_, why=why)


LONG = [f"word{n}" for n in range(2000)]


def test_a_long_quote_must_be_exact() -> None:
    read = Text(" ".join(LONG))
    assert check(" ".join(LONG[100:1500]), read).verdict == "verbatim"
    changed = check(" ".join([*LONG[100:700], "other", *LONG[701:1500]]), read)
    assert (changed.verdict, changed.why) == ("altered", "says 'other' where the text says 'word700'")
    assert check(" ".join([*LONG[100:500], *(f"new{n}" for n in range(500))]), read).verdict == "absent"
    assert check(" ".join(f"new{n}" for n in range(500)), read).verdict == "absent"


def test_pieces_of_a_long_quote_stand_together() -> None:
    pieces = [LONG[:400], LONG[397:797]]
    text = " ".join(" … ".join([*piece, "gap"]) for piece in pieces)
    assert check(" ".join(LONG[:797]), Text(text)) == Finding(
        "absent", why="has pieces that do not stand together in the text"
    )


def test_words_that_share_a_code_are_compared_letter_by_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "UNKNOWN", 3)
    read = Text("pumps and valves need new seals today")
    assert check("need new seals", read).verdict == "verbatim"
    assert check("seals new need", read).verdict != "verbatim"


def distance(one: str, other: str) -> int:
    row = [0] * (len(other) + 1)
    for n, sign in enumerate(one, 1):
        last, row[0] = row[0], n
        for m, there in enumerate(other, 1):
            last, row[m] = row[m], min(row[m] + 1, row[m - 1] + 1, last + (sign != there))
    return min(row)


@given(st.text("abc", min_size=1, max_size=12), st.text("abc", max_size=20))
def test_the_alignment_has_the_fewest_edits(sought: str, window: str) -> None:
    pairs, low, high = matches(sought, window)
    assert all(sought[i] == window[j] and low <= j < high for i, j in pairs)
    edits, ends = 0, [(-1, low - 1), *pairs, (len(sought), high)]
    for (i, j), (p, q) in pairwise(ends):
        edits += max(p - i, q - j) - 1
    assert edits == distance(sought, window)


@given(st.sampled_from(sorted(LANGUAGES)), st.data())
def test_the_anchor_of_an_accepted_quote_folds_back_to_it(code: str, data: st.DataObject) -> None:
    some = data.draw(st.lists(st.sampled_from(LANGUAGES[code].sentences), min_size=1, max_size=4))
    text = (" " if LANGUAGES[code].spaced else "").join(some)
    start = data.draw(st.integers(0, len(text) - 1))
    quote = unicodedata.normalize("NFD", text[start : start + data.draw(st.integers(1, 120))])
    read = Text(text)
    found = check(quote, read)
    if found.verdict == "verbatim":
        assert Folded(text[found.start : found.end], read.decimal).words == Folded(quote, read.decimal).words
    assert found.accepted or found.why


@given(st.text(), st.text())
def test_nothing_breaks_it(quote: str, text: str) -> None:
    for one, other in ((quote, text), (text, text), (f"{quote} {text} … {quote}", f"{text} {quote}")):
        found = check(one, Text(other))
        assert -1 <= found.start <= found.end <= len(other)


@given(
    st.lists(
        st.sampled_from(
            [
                "not",
                "safe,",
                "the",
                "plan",
                ".",
                "…",
                "5",
                "%",
                "-",
                "(",
                ")",
                "\n",
                "no",
                "or",
                "and",
                "不",
                "安",
                "全",
                "n'",
                "that",
                "3.5",
                "million",
            ]
        )
    ),
    st.data(),
)
def test_no_order_of_turning_words_breaks_it(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words)))
    check(" ".join(words[first : first + data.draw(st.integers(0, 12))]), Text(" ".join(words)))


LATER = pytest.mark.nightly("a million characters take seconds to read; prose and two words are tried on every change")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a " * 500_000, id="one word", marks=LATER),
        pytest.param("a b " * 250_000, id="two words"),
        pytest.param("not " * 250_000, id="a negation", marks=LATER),
        pytest.param(SOURCE * 1400, id="prose"),
    ],
)
def test_a_long_text_is_searched_in_bounded_time(text: str) -> None:
    read = Text(text[:1_000_000])
    quotes = ["a " * 5000, "a b a a b b " * 60, " … ".join(["a b a"] * 8), " ".join(NEAR.split()[::-1]), NEAR * 50]
    began = time.process_time()
    for quote in quotes:
        check(quote, read)
    assert time.process_time() - began < 1  # the benchmark measures it


PAGES = "The committee did not\fapprove the plan. The admin-\fistration of the town was told in\f\fwriting. So it was."


@pytest.mark.parametrize(
    "quote", ["The committee did not approve the plan", "The administration of the town was told in writing"]
)
def test_a_quote_may_run_over_the_end_of_a_page(quote):
    found = check(quote, Text(PAGES))
    assert (found.verdict, PAGES[found.start : found.end].replace("-\f", "").split()) == ("verbatim", quote.split())


@pytest.mark.parametrize(("quote", "verdict_"), [("did approve the plan", "altered"), ("approve the plan", "clipped")])
def test_the_end_of_a_page_excuses_nothing(quote, verdict_):
    assert verdict(quote, PAGES) == verdict_


@given(st.lists(st.sampled_from(SOURCE.split()), min_size=3, max_size=30), st.integers(0, 29))
def test_the_end_of_a_page_counts_as_the_end_of_a_line(words, cut):
    line, page = ("{}{}{}".format(" ".join(words[:cut]), end, " ".join(words[cut:])) for end in "\n\f")
    quote = " ".join(words[1:8])
    assert check(quote, Text(page)) == check(quote, Text(line))
