"""Words cut off before or behind a quote, or left out of it, may not turn its sense."""

import pytest

from hustings.text.quote_check import Text, check
from tests.text.test_quote_check import SOURCE, verdict


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
        ("safe for the public", "The plan is anything but safe for the public."),
        ("of the members agreed", "Few of the members agreed."),
        ("sicher für Kinder", "Die Pumpe ist alles andere als sicher für Kinder."),
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
        ("the plan works well", "There is no doubt that the plan works well."),
        ("of the members agreed", "Only a few of the members agreed."),
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
        ("that the plan works", "The claim that the plan works is false.", "is false"),
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
    "The pump is closed in winter unless it is dry and warm outside the hall. Nobody saw the old pump at the hall."
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
        ("saw the old pump … at the hall", "cuts off 'Nobody' before it"),
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
