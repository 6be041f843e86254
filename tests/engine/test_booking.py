import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.db.budget import Sum
from hustings.db.caps import MICRO
from hustings.engine.booking import charge
from hustings.llm.model import LlmRequest, LlmResponse, Usage
from hustings.llm.model_spec import ModelSpec, Price
from hustings.llm.prices import least_tokens, likely_tokens, most_tokens, price, worst
from hustings.script.prompt import Prompt

PRICED = ModelSpec(provider="openai_compatible", model="m", price=Price(input=1.0, output=2.0))
PROMPT = Prompt("You debate.", ("The towns are full of cars. " * 20,), "Speak now, in two sentences.", None)
ANSWER = "Cars take the room that people need, and the air that they breathe. " * 5
REQUEST = LlmRequest(PROMPT, 1_000)
HELD = Sum(worst(PRICED, most_tokens(PROMPT), REQUEST.max_tokens), most_tokens(PROMPT) + REQUEST.max_tokens)
OURS = likely_tokens(PROMPT.text), likely_tokens(ANSWER)


def counted(read, said, *, kind="ok", text=ANSWER, **more):
    return charged(read, said, kind=kind, text=text, **more).call_try


def charged(read, said, *, kind="ok", text=ANSWER, **more):
    return charge(PRICED, REQUEST, LlmResponse(kind, text, usage=Usage(read, 0, 0, said), **more), HELD, 1.0)


def booked(call_try):
    """Money, tokens, and those of them that nothing proves."""
    return round(call_try.booked * MICRO), call_try.tokens + call_try.unproven, call_try.unproven


def cost(read, said):
    return price(PRICED, Usage(input=read, output=said))


def test_a_report_that_can_be_right_is_booked_as_it_is():
    call_try = counted(150, 80)
    assert (booked(call_try), call_try.misreport) == ((cost(150, 80), 230, 0), "")
    assert call_try.price == cost(150, 80) / MICRO


def test_hidden_reasoning_is_believed_as_far_as_it_was_held():
    call_try = counted(OURS[0], REQUEST.max_tokens)
    assert (call_try.misreport, call_try.tokens) == ("", OURS[0] + REQUEST.max_tokens)


def test_a_report_beyond_what_was_held_is_booked_in_full_and_the_rest_is_told():
    call_try = counted(90_000_000, 90_000_000)
    assert booked(call_try)[:2] == (HELD.money, HELD.tokens)
    assert round(call_try.beyond * MICRO) == cost(90_000_000, 90_000_000) - HELD.money
    assert (call_try.misreport, call_try.tokens, call_try.price) == ("too_high", sum(OURS), None)


def test_a_report_of_next_to_nothing_is_booked_by_our_own_count():
    call_try = counted(1, 1)
    assert booked(call_try) == (cost(*OURS), sum(OURS), 0)
    assert (call_try.misreport, call_try.price) == ("too_low", None)


def test_only_the_count_that_is_too_low_is_raised():
    assert booked(counted(150, 1)) == (cost(150, OURS[1]), 150 + OURS[1], 0)


def test_without_a_report_it_is_booked_in_full_and_known_is_what_we_count():
    call_try = counted(None, None, misreport="missing")
    assert (booked(call_try)[:2], call_try.tokens) == ((HELD.money, HELD.tokens), sum(OURS))
    assert call_try.misreport == "missing"


def test_of_a_try_that_broke_off_no_token_is_known_and_no_provider_is_blamed():
    call_try = counted(None, None, kind="garbled", billed="maybe")
    assert (booked(call_try), call_try.misreport) == ((HELD.money, HELD.tokens, HELD.tokens), "")


def test_a_stream_that_we_stopped_ourselves_is_no_misreport():
    assert counted(None, None, kind="malformed").misreport == ""


def test_what_was_not_billed_costs_nothing():
    call_try = counted(7, 7, billed="no", misreport="changing")
    assert (booked(call_try), call_try.price, call_try.misreport) == ((0, 0, 0), 0.0, "")


def test_a_server_that_cut_the_prompt_is_believed():
    assert booked(counted(20, 80, kind="too_long")) == (cost(20, 80), 100, 0)


def test_contradicting_reports_are_booked_by_the_largest_and_not_below_our_own_count():
    assert booked(counted(2, 80, misreport="changing")) == (cost(OURS[0], 80), OURS[0] + 80, 0)


def test_the_throttle_never_gets_a_count_that_cannot_be_right():
    assert {charged(*report).response.usage for report in ((90_000_000, 1), (1, 1))} == {Usage()}


COUNTS = st.none() | st.integers(0, 10**8)


@given(COUNTS, COUNTS, st.integers(0, 30), st.sampled_from(["no", "maybe", "yes"]))
def test_whatever_is_reported_is_booked_between_floor_and_ceiling(read, said, times, billed):
    text = "To be fair, no. " * times
    money, tokens, unproven = booked(counted(read, said, text=text, billed=billed))
    assert 0 <= money <= HELD.money
    assert 0 <= unproven <= tokens <= HELD.tokens
    least = least_tokens(PROMPT) * 3 // 4 + len(text) // 8
    assert billed == "no" or (tokens >= least and money >= cost(least_tokens(PROMPT) * 3 // 4, 0))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Vapaa liikkuvuus kuuluu kaikille.", 9),
        ("交通是一个问题", 4),
        ("if (a) { b(); }", 8),
        ("a" + " " * 900 + "b", 3),
    ],
)
def test_an_honest_count_is_not_doubted_whatever_the_language(text, tokens):
    assert counted(150, tokens, text=text).misreport == ""
