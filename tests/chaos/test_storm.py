"""Storms of fixed seeds on both databases, and the verdict itself against books that were forged."""

import pytest

from tests.rig.provider import ReceivedCall

from .storm import Weather, run
from .verdict import Verdict, charged, late, overspent, unexplained

STORMS = (
    Weather("postgres", debates=100, kills=6, db_crashes=1, freezes=1, seed=11),
    Weather("sqlite", debates=60, kills=4, seed=12),
)


@pytest.mark.nightly("a minute of storm; `make chaos` is the longer one")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("weather", STORMS, ids=lambda weather: weather.database)
def test_every_debate_comes_through_a_storm_and_the_books_agree(weather):
    verdict, figures = run(weather)
    assert not verdict.failed, verdict
    assert figures["kills"] >= weather.kills
    assert figures["db_crashes"] == weather.db_crashes


def request(key, number, started, **more):
    said = {"fault": "ok", "stream": True, "billed": True, "delivered": True, "good": True, **more}
    return ReceivedCall(number=number, key=key, nth=number, started=started, **said)


TWICE = [request("r/a", 0, 10.0), request("r/a", 1, 10.5)]


def test_an_answer_served_again_without_a_takeover_is_unexplained():
    assert unexplained(TWICE, {}) == {"r/a": 1}


def test_a_takeover_explains_only_the_calls_it_found_in_flight():
    assert unexplained(TWICE, {"dead": {"r/b"}}) == {"r/a": 1}
    assert unexplained(TWICE, {"dead": {"r/a"}}) == {}


def test_one_takeover_does_not_explain_two_repeats():
    assert unexplained([*TWICE, request("r/a", 2, 11.0)], {"dead": {"r/a"}}) == {"r/a": 1}


def test_an_answer_that_never_arrived_may_be_asked_for_again():
    assert unexplained([request("r/a", 0, 10.0, delivered=False), request("r/a", 1, 10.5)], {}) == {}


def test_a_repeat_without_a_failed_try_on_record_is_not_late():
    assert late(TWICE, {"r/a": ["ok"]}) == {}


def test_an_answer_that_was_given_up_on_record_is_late():
    assert late(TWICE, {"r/a": ["timed_out", "ok"]}) == {"r/a": 1}


def test_a_try_that_failed_at_the_provider_is_not_late():
    bad = request("r/a", 2, 11.0, good=False)
    assert late([bad, *TWICE], {"r/a": ["garbled", "timed_out", "ok"]}) == {"r/a": 1}
    assert late([bad, *TWICE], {"r/a": ["garbled", "ok"]}) == {}


def test_a_try_that_was_lost_with_its_worker_is_not_late():
    assert late(TWICE, {"r/a": ["lost", "ok"]}) == {}


def test_every_request_that_ran_is_charged_whether_or_not_it_was_answered():
    calls = [*TWICE, request("r/a", 2, 12.0, good=False, delivered=False), request("r/a", 3, 13.0, billed=False)]
    assert charged(calls, {"r/a": 7}) == {"r": 21}


def test_a_call_without_a_known_price_is_charged_like_the_dearest_of_its_run():
    assert charged([request("r/c", 0, 1.0)], {"r/a": 7, "r/b": 9, "q/a": 99}) == {"r": 9}


def test_owing_more_than_is_booked_is_overspending():
    assert overspent({"r": 21}, {"r": 20}, {"r": 30}) == ["r"]


def test_booking_more_than_the_cap_is_overspending():
    assert overspent({"r": 21}, {"r": 31}, {"r": 30}) == ["r"]


def test_books_in_order_are_not_overspending():
    assert overspent({"r": 20}, {"r": 21, "q": 0}, {"r": 30, "q": 5}) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"lost": ["r"]},
        {"stuck": 1},
        {"invalid": ["r"]},
        {"unexplained": {"r/a": 1}},
        {"overspent": ["r"]},
        {"unsettled": ["r"]},
        {"untold": ["r"]},
        {"unfenced": 1},
    ],
)
def test_any_single_wrong_fails_the_storm(wrong):
    assert Verdict(**wrong).failed


def test_duplicates_within_the_bound_do_not_fail_it():
    assert not Verdict(duplicates=3, bound=5, late=1).failed
