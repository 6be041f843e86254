"""What events tell beyond their fields."""

from hustings.transcript.events import CallPaid, CallTry

AT = "2026-01-01T00:00:00.000Z"


def test_the_tokens_of_a_call_are_those_of_all_its_tries():
    tries = (CallTry(ended="timed_out", sent_at=AT, tokens=3), CallTry(ended="ok", sent_at=AT, tokens=7))
    assert CallPaid(address="1.0", model="m", tokens_in=4, tokens_out=3, tries=tries).tokens == 10


def test_the_tokens_of_a_call_in_an_old_log_are_those_of_its_answer():
    assert CallPaid(address="1.0", model="m", tokens_in=4).tokens == 4
