"""A quote is the text's own words, or differs in a way that is on a short list; the finding names what was changed."""

import time
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.text import folding
from hustings.text.aligning import matches, slipped
from hustings.text.folding import Folded, decimal_mark
from hustings.text.quote_check import Finding, Text, check
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
    verdicts = ("verbatim", "near", "clipped", "altered", "absent", "short")
    assert [v for v in verdicts if Finding(v).accepted] == ["verbatim", "near"]


def test_the_anchor_leads_to_the_very_words() -> None:
    found = check("FEES rose  by three million dollars", READ)
    assert SOURCE[found.start : found.end] == "fees rose by three million dollars"


NEAR = "The output rose by five percent and nobody complained about it at the meeting last week"


@pytest.mark.parametrize(
    "quote",
    [
        NEAR.replace("complained", "complaned"),
        NEAR.replace("complained", "complaiined"),
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
        "nobody complaned about it at the meetng",
        NEAR.replace("nobody", "noboddy"),
        "and nobody complaned about it",
        NEAR.replace("nobody complained", "nobody explained"),
    ],
)
def test_a_wrong_letter_too_many_slips_or_a_short_quote_are_not(quote: str) -> None:
    assert check(quote, READ).verdict == "altered"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mortality", "morality"),
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


def test_a_slip_that_is_a_word_of_the_text_is_none() -> None:
    text = "Nobody complained to the board about the noise. The singer complaned is a name here."
    assert verdict("Nobody complaned to the board about the noise", text) == "altered"


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
    ("quote", "text"),
    [
        ("safe to use in rain", "The pump is not safe to use in rain."),
        ("hold the line at night", "The pump fails to hold the line at night."),
        ("to hold the line", "The pump fails to hold the line at night."),
        ("it works at night", "There is no evidence that it works at night."),
        ("scale to ten nodes", SOURCE),
        ("objected to the plan", "Nobody in the room objected to the plan."),
        ("approve the plan", "They did not read and approve the plan."),
        ("approved by the board", "It was not designed, tested or approved by the board."),
        ("safe to use", "It is not, as the board said, safe to use."),
        ("safe to use", "It is not (as the board said) safe to use."),
        ("hold the line", "It is too weak to hold the line."),
        ("leaving the old harbour", "They did it without leaving the old harbour."),
        ("only safe but cheap", "It is not only safe but cheap."),
        ("see Dr. Lane today", "She will not see Dr. Lane today."),
        ("Lane today at noon", "She will not see Dr. Lane today at noon."),
        ("approuve pas le plan", "La commission n’approuve pas le plan."),
        ("das alte Fundament hält", "Die Ingenieure bezweifeln, dass das alte Fundament hält."),
        ("die Pumpe zu prüfen", "Die Firma versäumte es, die Pumpe zu prüfen."),
        ("支持并发写入", "该系统不支持并发写入，但支持并发读取。"),
        ("安全可靠", "该系统并不安全可靠。"),
    ],
)
def test_a_negation_cut_off_before_the_quote_clips_it(quote: str, text: str) -> None:
    found = check(quote, Text(text))
    assert (found.verdict, found.why[:8], found.why[-9:]) == ("clipped", "cuts off", "before it")


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("The committee has read the plan", "No doubt. The committee has read the plan."),
        ("the match was moved", "It did not rain, and the match was moved."),
        ("the match was moved", "It did not rain and the match was moved."),
        ("the match was moved", "Not again (as in May): the match was moved."),
        ("the match was moved", "It never rained; the match was moved."),
        ("supply rose by five percent", "Although it did not rain, supply rose by five percent."),
        ("the ferry ran late", "It did not rain, as usual, the ferry ran late."),
        ("the ferry ran late", "As usual, the ferry ran late."),
        ("the pump broke down", "It did not start because the pump broke down."),
        ("safe but also cheap to run", "It is not only safe but also cheap to run."),
        ("the pump runs at full load", "Without a permit from the city of Lahn the pump runs at full load."),
        ("the pump runs at full load", "It is too late now and the pump runs at full load."),
        ("The pump was sold", "## No refunds\n\nThe pump was sold."),
        ("The pump was sold", "No refunds\nThe pump was sold to the city of Lahn by the board of trustees\nin May."),
        ("the pump was sold", "- no refunds\n- the pump was sold"),
        ("The pump was sold", "never) The pump was sold."),
        ("安全可靠", "该系统非常安全可靠。"),
        ("安全可靠", "该系统特别安全可靠。"),
        ("支持并发读取", "该系统不支持并发写入，但支持并发读取。"),
    ],
)
def test_a_negation_of_another_clause_does_not(quote: str, text: str) -> None:
    assert verdict(quote, text) == "verbatim"


def test_a_line_that_only_wraps_ends_no_clause() -> None:
    assert verdict("safe to use", "The pump is not\nsafe to use in the rain.") == "clipped"


@pytest.mark.parametrize(
    ("quote", "text", "cut"),
    [
        ("Das Modul besteht die Prüfung", "Das Modul besteht die Prüfung nicht.", "nicht"),
        ("Das Modul besteht die Prüfung", "Das Modul besteht die Prüfung im Mai nicht.", "nicht"),
        ("The committee of Lahn did", "The committee of Lahn did not approve it.", "not"),
        ("La commission n'approuve", "La commission n'approuve pas le plan.", "pas"),
        ("It is safe to use", "It is safe to use unless it rains.", "unless"),
        ("It is safe to use", "It is safe to use, except in rain.", "except"),
        ("You may use it", "You may use it only if it is dry.", "only"),
        ("the plan is not", "He says the plan is not just cheap.", "just"),
    ],
)
def test_what_takes_a_quote_back_behind_its_end_clips_it(quote: str, text: str, cut: str) -> None:
    found = check(quote, Text(text))
    assert (found.verdict, found.why) == ("clipped", f"cuts off '{cut}' after it")


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("Das Modul besteht die Prüfung", "Das Modul besteht die Prüfung und stört nicht."),
        ("Das Modul besteht die Prüfung", "Das Modul besteht die Prüfung, die nicht leicht ist."),
        ("Das Modul besteht die Prüfung", "Das Modul besteht die Prüfung " + "im Mai " * 10 + "nicht."),
        ("Das Modul besteht die Prüfung", "Das Modul besteht die Prüfung. Unless it rains."),
        ("Das Modul besteht die Prüfung", "Das Modul besteht die Prüfung ohne Mühe nicht nur heute."),
        ("Das Modul besteht die Prüfung", "Das Modul besteht die Prüfung"),
    ],
)
def test_what_follows_in_another_clause_does_not(quote: str, text: str) -> None:
    assert verdict(quote, text) == "verbatim"


@pytest.mark.parametrize(
    ("quote", "text", "cut"),
    [
        ("It cost 3.5", SOURCE, "3.5 %"),
        ("They lost almost five", "They lost almost five million crowns.", "five million"),
        ("5 percent of users", "Less than 5 percent of users left.", "Less than 5"),
        ("-18 degrees at night", "It stays below -18 degrees at night.", "below -18"),
        ("5 of the pumps", "We saw <5 of the pumps.", "<5"),
        ("five pumps in May", "They saw twenty-five pumps in May.", "twenty-five"),
        ("cinco bombas en mayo", "Hay treinta y cinco bombas en mayo.", "treinta y cinco"),
        ("Hay siempre treinta", "Hay siempre treinta y cinco bombas.", "treinta y"),
        ("they are twenty", "I think they are twenty five of us.", "twenty five"),
        ("it takes 5", "Today it takes 5-10 days.", "5-"),
        ("the hall has 300 m", SOURCE, "m²"),
        ("the code is error", "They say the code is error-free.", "error-free"),
        ("war protest in May", "An anti-war protest in May.", "anti-war"),
        ("百万元的收入", "有五百万元的收入。", "五百"),
    ],
)
def test_a_figure_or_compound_is_quoted_whole(quote: str, text: str, cut: str) -> None:
    found = check(quote, Text(text))
    assert (found.verdict, found.why) == ("clipped", f"cuts '{cut}' in two")


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("In May it sold 5", "In May it sold 5. Million more came."),
        ("there were 5", "Today there were 5 - and ten more."),
        ("five pumps in May", "In 2021 five pumps in May broke."),
        ("five pumps in May", "Less than, well, five pumps in May."),
        ("five pumps in May", "y five pumps in May"),
        ("5 pumps in May", "We saw 5 pumps in May."),
        ("they are twenty", "I think they are twenty y"),
        ("it is 10 m", "Now it is 10 m ²"),
        ("it takes 5", "It says it takes 5-"),
    ],
)
def test_a_figure_that_ends_is_whole(quote: str, text: str) -> None:
    assert verdict(quote, text) == "verbatim"


PARTED = (
    "The board of Lahn, after long talks in May, approved the plan for the harbour. The mayor was pleased with it. "
    "The council did not, so far, discuss the costs. The mayor praised the plan while the council rejected the costs. "
    "The pump is closed in winter unless it is dry and warm outside the hall. Nobody saw the old pump at the hall again."
)


@pytest.mark.parametrize("mark", ["…", "[…]", "...", "(...)", "[ ... ]"])
def test_words_may_be_left_out_where_it_is_marked(mark: str) -> None:
    found = check(f"The board of Lahn {mark} approved the plan for the harbour", Text(PARTED))
    assert (found.verdict, found.why) == ("verbatim", "leaves words out")


def test_whole_sentences_may_be_left_out() -> None:
    assert verdict("approved the plan for the harbour. […] The council did not, so far,", PARTED) == "verbatim"


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("The council did … discuss the costs", "leaves out 'not'"),
        ("The mayor praised … rejected the costs", "leaves out 'while'"),
        ("The board of Lahn … was pleased with it", "makes one sentence of two"),
        ("The pump is closed … warm outside the hall", "leaves out 'unless'"),
        ("approved the plan for … the board of Lahn", "has its parts in another order"),
        ("The board of Lahn … approved a plan for the harbour", "says 'a' where the text says 'the'"),
        ("so far, discuss the costs … council rejected the costs", "makes one sentence of two"),
        ("saw the old pump … the hall again", "cuts off 'Nobody' before it"),
        ("The mayor was pleased with it … The pump is closed in winter", "cuts off 'unless' after it"),
    ],
)
def test_an_omission_may_not_turn_the_sense(quote: str, why: str) -> None:
    found = check(quote, Text(PARTED))
    assert not found.accepted
    assert why in found.why


def test_an_omission_may_not_hide_the_end_of_a_sentence_that_turns_it() -> None:
    text = "The pump is closed in winter unless it is dry. The mayor was pleased with it."
    assert check("The pump is closed in winter … The mayor was pleased", Text(text)).why == "leaves out 'unless'"


def test_an_omission_may_not_cut_a_figure() -> None:
    text = "The firm lost about 5 million crowns in May and sold the mill."
    assert check("The firm lost about 5 … and sold the mill", Text(text)).why == "cuts '5 million' in two"


def test_parts_stand_close_together() -> None:
    text = "The board met in May. " + "It talked about pumps. " * 50 + "It approved the plan."
    found = check("The board met in May. … It approved the plan.", Text(text))
    assert found.why == "has parts that do not stand close together"


def test_beside_an_omission_no_slip_is_forgiven() -> None:
    quote = "The board of Lahn … approved the plan for teh harbour. The mayor was pleased with it. The council"
    assert check(quote, Text(PARTED)).verdict == "altered"
    slip = "The board of Lahn … the mayor was plleased with it the council did not so far"
    assert check(slip, Text(PARTED)).verdict == "altered"


@pytest.mark.parametrize(
    ("quote", "verdict_", "why"),
    [
        ("The board … approved the plan", "short", "has a part of fewer than 3 words"),
        (" … ".join(["the plan was"] * 9), "absent", "has more than 8 parts"),
        ("plan " * 7000, "absent", "has more than 32000 characters, too many to check"),
    ],
)
def test_there_are_limits_to_parts_and_length(quote: str, verdict_: str, why: str) -> None:
    assert check(quote, Text(PARTED)) == Finding(verdict_, why=why)


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
    assert check(" ".join(LONG[:797]), Text(text)).why == "has pieces that do not stand together in the text"


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("It rose by 3.5 percent.", "."),
        ("Es waren 3,5 Prozent.", ","),
        ("Es waren 3,5 und 3.5 Prozent.", ""),
        ("1.250", ""),
        ("the 1,250", "."),
    ],
)
def test_the_decimal_sign_of_a_text_is_told_by_its_figures(text: str, mark: str) -> None:
    assert decimal_mark(text) == mark


@pytest.mark.parametrize(
    ("text", "decimal", "words"),
    [
        ("1,250 1.250", ".", ["1250", "1.250"]),
        ("1,250 1.250", ",", ["1,250", "1250"]),
        ("1,250 1.250", "", ["1,250", "1.250"]),
        ("1,250,000 1.250.000", "", ["1250000", "1250000"]),
        ("0,250 1’000", ".", ["0,250", "1000"]),
        ("−5 −\u20095 -5 5-10", "", ["-5", "-5", "-5", "5", "-", "10"]),
        ("٤٢ ４２", "", ["42", "42"]),
        ("10⁻² x^-3 Wort² Meter² Meter⁷ end.⁷", "", ["10", "^-2", "x", "^-3", "wort", "meter", "^2", "meter", "end"]),
        ("5 per cent, 5 pour cent, pour cent euros, 5 por ciento", "", [*"5%5%", "pour", "cent", "euros", *"5%"]),
        ("cent ciento", "", ["cent", "ciento"]),
        ("Pro\u00adzent per\u00adcent", "", ["%", "%"]),
        (
            "l’été n'*est* L'**or** d'e\u0302tre don`t",
            "",
            ["l'", "été", "n'", "est", "l'", "or", "d'", "être", "don't"],
        ),
        ("un\u200bsafe **un**safe \u00adx", "", ["unsafe", "unsafe", "x"]),
        ("ex-\nam\u00ad\r\nple", "", ["example"]),
        ("≦ ＜ ∼ =====", "", ["≤", "<", "~"]),
        ("[see](https://a/b) [text](#c)", "", ["see", "text"]),
        ("हिन्दी ไทย", "", ["हिन्दी", "ไ", "ท", "ย"]),
    ],
)
def test_tokens_keep_what_changes_the_sense(text: str, decimal: str, words: list[str]) -> None:
    assert Folded(text, decimal).words == words


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


@pytest.mark.parametrize(
    "text",
    ["a " * 500_000, "a b " * 250_000, "not " * 250_000, SOURCE * 1400],
    ids=["one word", "two words", "a negation", "prose"],
)
def test_a_long_text_is_searched_in_bounded_time(text: str) -> None:
    read = Text(text[:1_000_000])
    quotes = ["a " * 5000, "a b a a b b " * 60, " … ".join(["a b a"] * 8), " ".join(NEAR.split()[::-1]), NEAR * 50]
    began = time.process_time()
    for quote in quotes:
        check(quote, read)
    assert time.process_time() - began < 1  # the benchmark measures it
