"""What events tell beyond their fields."""

import json

from hustings.transcript.events import EVENT, CallPaid, CallTry, logged

AT = "2026-01-01T00:00:00.000Z"


def test_the_tokens_of_a_call_are_those_of_all_its_tries():
    tries = (CallTry(ended="timed_out", sent_at=AT, tokens=3), CallTry(ended="ok", sent_at=AT, tokens=7))
    assert CallPaid(address="1.0", model="m", tokens_in=4, tokens_out=3, tries=tries).tokens == 10


def test_the_log_gives_an_event_its_number():
    kind, body = logged(CallPaid(seq=7, address="1.0", model="m", tokens_in=4))
    assert (kind, "seq" in json.loads(body)) == ("call_paid", False)


def test_an_event_can_be_read_back_from_the_log():
    event = CallPaid(address="1.0", model="m", tokens_in=4, tries=(CallTry(ended="ok", sent_at=AT, tokens=7),))
    assert EVENT.validate_json(logged(event)[1]) == event
