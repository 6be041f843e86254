"""What the log of a run tells of calls that fail, wait and are made again."""

import json
import time

import pytest

from hustings.db import rate_limits
from hustings.engine import model_call
from hustings.engine.delay_log import SHORT_WAIT, endpoint_name
from hustings.llm.model_spec import ModelSpec
from hustings.runs.delays import open_delays
from tests.cli.console import run

from .rig import IMPROVISER
from .test_model_call import ONCE


@pytest.fixture(autouse=True)
def once(installed):
    installed("once", ONCE, module="once_protocol")


def delays(rig, fault, **more):
    """Of a debate whose first seat meets a fault, until it ends."""
    options = {"protocol": "once", "seats": {"con": IMPROVISER}}
    return rig.play(rig.model_spec(fault, **more), **options).of("call_delayed")


def test_each_failed_try_is_an_event_that_counts_and_names_the_next(rig):
    first, second, third = delays(rig, "json_malformed")
    assert [(each.seat, each.address, each.reason, each.fault) for each in (first, second, third)] == [
        ("pro", "000.0 pro speech", "fault", "garbled")
    ] * 3
    assert [(each.times, each.most, each.attempt) for each in (first, second, third)] == [
        (1, 3, 0),
        (2, 3, 1),
        (3, 3, 2),
    ]
    assert (first.wait is not None, second.wait is not None, third.wait) == (True, True, None)


def test_a_try_that_times_out_says_within_how_many_seconds(rig):
    first, last = delays(rig, "hang", timeout=1.0)
    assert (first.words, last.words, last.times) == ("no answer within 1 s", "no answer within 1 s", 2)
    assert first.endpoint.startswith("127.0.0.1:")


def test_a_server_error_is_named_by_its_number(rig, monkeypatch):
    monkeypatch.setattr(model_call, "LONGEST_WAIT", 0.2)
    run_id = rig.start(rig.model_spec("status500"), protocol="once", seats={"con": IMPROVISER})
    rig.wait_for(run_id, "call_delayed")
    assert rig.seen(run_id).of("call_delayed")[0].words == "server error 500"
    rig.control.steer(run_id, "cancel")


def test_what_failed_is_told_while_the_call_goes_on(rig):
    run_id = rig.start(rig.model_spec("status503"), protocol="once", seats={"con": IMPROVISER})
    rig.wait_for(run_id, "call_delayed")
    [delay] = open_delays(rig.runs, run_id)
    assert (delay.seat, delay.fault) == ("pro", "overloaded")
    rig.control.steer(run_id, "cancel")


def test_show_says_what_a_running_debate_waits_for(rig):
    run_id = rig.start(rig.model_spec("status503"), protocol="once", seats={"con": IMPROVISER})
    rig.wait_for(run_id, "call_delayed")
    lines = run("show", run_id, "--database", rig.url).stdout.splitlines()
    [delay] = json.loads(run("show", run_id, "--database", rig.url, "--json").stdout)["delays"]
    assert [line for line in lines if line.startswith("pro · server error 503")]
    assert (delay["seat"], delay["words"]) == ("pro", "server error 503")
    rig.control.steer(run_id, "cancel")


def test_a_debate_without_a_fault_has_no_such_event(rig):
    assert rig.play(rig.model_spec(), protocol="once").of("call_delayed") == []


def test_a_wait_for_our_own_rate_limit_is_one_event_however_often_the_call_asks_again(rig, monkeypatch):
    monkeypatch.setattr(rate_limits, "LONGEST_WAIT", SHORT_WAIT)
    run_id = rig.start(rig.model_spec(requests_per_minute=1), protocol="once")
    rig.wait_for(run_id, "call_delayed")
    time.sleep(2 * SHORT_WAIT + 1)
    assert [each.reason for each in rig.seen(run_id).of("call_delayed")] == ["limit"]
    rig.control.steer(run_id, "cancel")


def test_an_open_breaker_is_told_once_for_each_call(rig):
    rig.provider.plan(rate=1.0, faults=["status503"], patience=5)
    run_id = rig.start(rig.model_spec(), protocol="once")

    def both():
        return {each.seat for each in rig.seen(run_id).of("call_delayed") if each.reason == "breaker"} == {"pro", "con"}

    rig.until(both)
    breakers = [each for each in rig.seen(run_id).of("call_delayed") if each.reason == "breaker"]
    assert len(breakers) == 2
    assert min(each.times for each in breakers) >= 5
    rig.control.steer(run_id, "cancel")


def test_the_record_is_the_same_with_and_without_delays(rig):
    rig.provider.plan(rate=1.0, faults=["status429_now"], patience=1)
    seen = rig.play(rig.model_spec(model="soon"), protocol="once")
    assert seen.of("call_delayed")
    assert seen.told.transcript == seen.proceedings.transcript
    assert "call_delayed" not in seen.proceedings.model_dump_json()


def test_an_endpoint_is_named_by_host_and_port_or_by_its_provider():
    assert endpoint_name(ModelSpec(provider="openai", base_url="http://127.0.0.1:9/v1/key")) == "127.0.0.1:9"
    assert endpoint_name(ModelSpec(provider="openai")) == "openai"
