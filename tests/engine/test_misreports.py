"""Providers that report tokens as they like: no cap is exceeded, the run says so, and the sums agree."""

import pytest

from hustings.cli.state_text import misreports
from hustings.config.checkup import check_up
from hustings.db.caps import MICRO
from hustings.llm.model import Usage
from hustings.llm.prices import likely_tokens, price
from hustings.runs.dossiers import dossier
from hustings.runs.follow_ups import FollowUps, next_run

from .rig import Caps

CAP = MICRO // 2
FAULTS = {
    "usage_huge": "too_high",
    "usage_tiny": "too_low",
    "no_usage": "missing",
    "usage_negative": "impossible",
    "usage_changing": "changing",
}


def booked(seen):
    """Money, tokens, and tokens that nobody counted, as the ledger has them call by call."""
    return tuple(sum(getattr(row, name) for row in seen.rows) for name in ("price", "tokens", "unproven_tokens"))


@pytest.mark.both_databases
@pytest.mark.timeout(90)
@pytest.mark.parametrize("fault", FAULTS)
def test_no_report_takes_spending_past_its_cap_and_every_sum_agrees(rig, fault):
    seen = rig.play(rig.model_spec(fault), caps=Caps(money=CAP), seconds=60)
    stands, paid, report = seen.account, seen.of("call_paid"), seen.report
    assert (seen.ending.kind, stands.spent.money <= CAP, stands.held.money) == ("played", True, 0)
    assert booked(seen) == (stands.spent.money, stands.spent.tokens, stands.unproven)
    assert sum(round(event.booked * MICRO) for event in paid) == stands.spent.money == round(report.spent * MICRO)
    assert sum(event.tokens for event in paid) == report.tokens == stands.spent.tokens - stands.unproven
    assert report.tokens_held == stands.unproven
    must_be_told(rig, seen, FAULTS[fault])


def must_be_told(rig, seen, misreport):
    """By the log, the summary, the bill and `hustings show`."""
    tries, report = [each for event in seen.of("call_paid") for each in event.tries], seen.report
    assert {each.misreport for each in tries} == {misreport}
    assert report.misreported == len(tries) == dossier(rig.runs, seen.run_id).expenses[0].misreported
    assert (report.reported_beyond > 0) == (misreport == "too_high")
    (first, *_) = misreports(report, seen.events)
    assert f"{len(tries)} answers" in first


@pytest.mark.parametrize(("unit", "cap"), [("money", 12_000), ("tokens", 9_000)])
def test_a_report_beyond_all_measure_ends_a_debate_within_its_cap(rig, unit, cap):
    seen = rig.play(rig.model_spec("usage_huge"), caps=Caps(**{unit: cap}))
    assert (seen.ending.kind, 0 < getattr(seen.account.spent, unit) <= cap) == ("budget_stopped", True)


def test_a_report_of_one_token_is_booked_by_our_own_count(rig):
    seen = rig.play(rig.model_spec("usage_tiny"))
    said = sum(likely_tokens(row) for row in seen.said)
    floor = price(next(iter(rig.runs.spec(seen.run_id).model_specs.values())), Usage(input=0, output=said))
    assert (seen.ending.kind, seen.account.spent.money > floor > 12) == ("played", True)


def test_totals_that_grow_in_a_stream_are_no_misreport(rig):
    seen = rig.play(rig.model_spec("usage_growing"))
    assert (seen.report.misreported, seen.report.tokens_held, seen.report.tokens) == (0, 0, 6 * 2_300)


def test_a_provider_that_counts_well_is_not_doubted(rig):
    seen = rig.play(rig.model_spec())
    assert (seen.report.misreported, seen.report.reported_beyond, seen.report.tokens_held) == (0, 0.0, 0)


def test_tokens_of_calls_that_broke_off_are_told_apart_from_those_known(rig):
    known = rig.play(rig.model_spec()).report
    rig.provider.plan(rate=1.0, faults=["stream_cut"], patience=1)
    seen = rig.play(rig.model_spec())
    assert (seen.report.tokens, seen.report.misreported) == (known.tokens, 0)
    assert seen.report.tokens_held == seen.account.unproven > known.tokens


def test_a_control_gets_the_tokens_that_are_known_and_a_cap_counts_all(rig):
    rig.provider.plan(rate=1.0, faults=["stream_cut"], patience=1)
    follow_ups = FollowUps.of("improviser", control=True)
    seen = rig.play(rig.model_spec(), caps=Caps(tokens=10**6), follow_ups=follow_ups)
    spec = rig.runs.spec(seen.run_id)
    made = next_run(rig.runs, spec, follow_ups, {}, lambda made: made)
    assert made.debate.settings["debate_tokens"] == seen.report.tokens
    assert made.caps.tokens == 10**6 - seen.report.tokens - seen.report.tokens_held


def test_doctor_tells_of_reports_that_cannot_be_right(rig):
    rig.play(rig.model_spec("usage_tiny"))
    last = rig.play(rig.model_spec("usage_huge"))
    (told,) = [found for found in check_up(rig.url, ()) if found.about == "tokens"]
    assert (told.state, last.run_id in told.cure) == ("warn", True)


def test_a_paid_call_tells_of_all_its_tries_and_when_it_was_sent_and_answered(rig):
    rig.provider.plan(rate=1.0, faults=["stream_cut"], patience=1)
    seen = rig.play(rig.model_spec())
    for event in seen.of("call_paid"):
        assert [(each.ended, each.price is None) for each in event.tries] == [("garbled", True), ("ok", False)]
        moments = [moment for each in event.tries for moment in (each.sent_at, each.answered_at)]
        assert [event.sent_at, *moments, event.answered_at] == sorted([event.sent_at, *moments, event.answered_at])
        assert event.booked == pytest.approx(sum(each.booked for each in event.tries))
