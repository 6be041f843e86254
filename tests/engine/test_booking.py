import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.db.budget import Booking, Sum
from hustings.engine.booking import count
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
    return count(PRICED, REQUEST, LlmResponse(kind, text, usage=Usage(read, 0, 0, said), **more), HELD)


def cost(read, said):
    return price(PRICED, Usage(input=read, output=said))


def test_a_report_that_can_be_right_is_booked_as_it_is():
    found = counted(150, 80)
    assert (found.booking, found.price, found.response.misreport) == (Booking(cost(150, 80), 230), cost(150, 80), "")


def test_hidden_reasoning_is_believed_as_far_as_it_was_held():
    found = counted(OURS[0], REQUEST.max_tokens)
    assert (found.response.misreport, found.tokens) == ("", OURS[0] + REQUEST.max_tokens)


def test_a_report_beyond_what_was_held_is_booked_in_full_and_the_rest_is_told():
    found = counted(90_000_000, 90_000_000)
    assert (found.booking.money, found.booking.tokens) == (HELD.money, HELD.tokens)
    assert found.booking.beyond == cost(90_000_000, 90_000_000) - HELD.money
    assert (found.response.misreport, found.tokens, found.price) == ("too_high", sum(OURS), None)


def test_a_report_of_next_to_nothing_is_booked_by_our_own_count():
    found = counted(1, 1)
    assert found.booking == Booking(cost(*OURS), sum(OURS), misreported=True)
    assert (found.response.misreport, found.tokens, found.price) == ("too_low", sum(OURS), None)


def test_only_the_count_that_is_too_low_is_raised():
    assert counted(150, 1).booking == Booking(cost(150, OURS[1]), 150 + OURS[1], misreported=True)


def test_without_a_report_it_is_booked_in_full_and_known_is_what_we_count():
    found = counted(None, None, misreport="missing")
    assert (found.booking.money, found.booking.tokens, found.tokens) == (HELD.money, HELD.tokens, sum(OURS))
    assert found.booking.misreported


def test_of_a_try_that_broke_off_no_token_is_known_and_no_provider_is_blamed():
    found = counted(None, None, kind="garbled", billed="maybe")
    assert (found.booking, found.tokens) == (Booking(HELD.money, HELD.tokens, HELD.tokens), 0)


def test_a_stream_that_we_stopped_ourselves_is_no_misreport():
    assert not counted(None, None, kind="malformed").booking.misreported


def test_what_was_not_billed_costs_nothing():
    assert counted(7, 7, billed="no").booking == Booking()


def test_a_server_that_cut_the_prompt_is_believed():
    assert counted(20, 80, kind="too_long").booking == Booking(cost(20, 80), 100)


def test_contradicting_reports_are_booked_by_the_largest_and_not_below_our_own_count():
    assert counted(2, 80, misreport="changing").booking == Booking(cost(OURS[0], 80), OURS[0] + 80, misreported=True)


def test_the_throttle_never_gets_a_count_that_cannot_be_right():
    assert {counted(*report).response.usage for report in ((90_000_000, 1), (1, 1))} == {Usage()}


COUNTS = st.none() | st.integers(0, 10**8)


@given(COUNTS, COUNTS, st.integers(0, 30), st.sampled_from(["no", "maybe", "yes"]))
def test_whatever_is_reported_is_booked_between_floor_and_ceiling(read, said, times, billed):
    text = "To be fair, no. " * times
    found = counted(read, said, text=text, billed=billed).booking
    assert found == found.within(HELD) or found.beyond
    assert 0 <= found.money <= HELD.money
    assert 0 <= found.unproven <= found.tokens <= HELD.tokens
    least = least_tokens(PROMPT) * 3 // 4 + len(text) // 8
    assert billed == "no" or (found.tokens >= least and found.money >= cost(least_tokens(PROMPT) * 3 // 4, 0))


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
    assert counted(150, tokens, text=text).response.misreport == ""
