"""The pretend provider does what its plan says, and its ledger tells what it did."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from hustings.errors import NotFound
from tests.rig.provider import CHAOS, FAULTS, FaultPlan, good_answer, read_log, serving

from .asking import HELLO, ask
from .waiting import until

HANG = 0.3
STREAMED = {**HELLO, "stream": True, "stream_options": {"include_usage": True}}
BROKEN = (http.client.HTTPException, OSError)


@pytest.fixture(scope="module")
def running():
    with serving(seed=3, hang=HANG) as provider:
        yield provider


@pytest.fixture
def provider(running):
    running.plan(rate=0.0, delay=0.0, faults=list(CHAOS))
    running.reset()
    return running


def test_a_call_is_answered_well_where_nothing_is_planned(provider):
    assert ask(provider.base_url, "a b/ü").text == good_answer(HELLO, "a b/ü", 3)


def test_a_stream_brings_the_same_words(provider):
    assert ask(provider.base_url, "a", STREAMED).streamed == good_answer(STREAMED, "a", 3)


def test_a_stream_ends_with_its_usage(provider):
    usage = ask(provider.base_url, "a", STREAMED).events[-1]["usage"]
    tokens = len(json.dumps(STREAMED)) // 4
    assert (usage["prompt_tokens"], usage["prompt_tokens_details"]) == (tokens, {"cached_tokens": 0})


def test_a_stream_tells_no_usage_unless_it_is_asked_for(provider):
    events = ask(provider.base_url, "a", {**HELLO, "stream": True}).events
    assert not any("usage" in event for event in events)


@pytest.mark.parametrize("request_", [HELLO, STREAMED], ids=["plain", "streamed"])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name, marks=[pytest.mark.nightly("half a minute of an answer that never ends")] * (name == "endless")
        )
        for name in sorted(FAULTS)
    ],
)
def test_every_fault_is_played_and_leaves_the_server_well(provider, name, request_):
    with suppress(*BROKEN):
        ask(provider.always(name), name, request_)
    settled(provider)
    (call,) = provider.calls()
    assert (call.fault, ask(provider.base_url).status) == (name, 200)


@pytest.mark.parametrize("name", ["conn_reset", "conn_close", "hang", "exec_then_hang", "stream_cut", "stream_hang"])
def test_a_broken_connection_breaks_for_the_caller(provider, name):
    with pytest.raises(BROKEN):
        ask(provider.always(name), "a", STREAMED)


def test_a_reset_is_a_reset(provider):
    with pytest.raises(ConnectionResetError):
        ask(provider.always("conn_reset"))


@pytest.mark.parametrize(("name", "billed"), [("hang", False), ("exec_then_hang", True)])
def test_of_two_calls_that_hang_one_is_billed(provider, name, billed):
    with pytest.raises(BROKEN):
        ask(provider.always(name))
    settled(provider)
    assert [call.billed for call in provider.calls()] == [billed]


@pytest.mark.parametrize("request_", [HELLO, STREAMED], ids=["plain", "streamed"])
def test_a_slow_drip_takes_as_long_as_a_call_hangs(provider, request_):
    began = time.monotonic()
    got = ask(provider.always("slow_drip"), "a", request_)
    words = got.streamed if request_ is STREAMED else got.text
    assert (words, time.monotonic() - began > HANG * 0.7) == (good_answer(request_, "a", 3), True)


def test_the_ledger_counts_keys_bills_and_faults(provider):
    for path, name in [("ok", "a"), ("ok", "a"), ("status500", "b")]:
        ask(provider.always(path), name)
    ledger = provider.ledger()
    wanted = {
        "calls": 3,
        "keys": 2,
        "billed": 2,
        "billed_again": 1,
        "served_again": 1,
        "faults": {"ok": 2, "status500": 1},
    }
    assert {name: ledger[name] for name in wanted} == wanted


def test_the_ledger_keeps_what_the_caller_said_of_itself(provider):
    ask(provider.base_url, "a", x_stainless_retry_count="2", idempotency_key="once")
    (call,) = provider.calls()
    assert (call.sdk_retry, call.idempotency_key) == ("2", "once")


def test_the_key_is_told_apart_and_never_kept(provider):
    for secret in ("sk-one", "sk-two"):
        ask(provider.base_url, "a", authorization=f"Bearer {secret}")
    digests = {call.auth_digest for call in provider.calls()}
    assert (len(digests), "sk-" in str(provider.calls())) == (2, False)


def test_requests_can_be_read_back(provider):
    ask(provider.base_url)
    assert provider.bodies() == [HELLO]


def test_who_hung_up_was_billed_and_got_nothing(provider):
    provider.plan(delay=0.2)
    with pytest.raises(TimeoutError):
        ask(provider.base_url, timeout=0.05)
    settled(provider)
    assert [(call.billed, call.delivered) for call in provider.calls()] == [(True, False)]


def test_the_same_seed_plans_the_same_faults():
    one, other = (FaultPlan(seed=5, rate=0.5) for _ in range(2))
    keys = [f"call {n}" for n in range(200)]
    assert [one.fault_for(key, 0) for key in keys] == [other.fault_for(key, 0) for key in keys]


def test_about_as_many_calls_meet_a_fault_as_planned():
    faults = [FaultPlan(seed=5, rate=0.2).fault_for(f"call {n}", 0) for n in range(2000)]
    assert 0.17 < sum(fault != "ok" for fault in faults) / 2000 < 0.23


def test_patience_ends_every_row_of_faults(provider):
    provider.plan(rate=1.0, faults=["status500"])
    assert [ask(provider.base_url).status for _ in range(4)] == [500, 500, 500, 200]


def test_an_unknown_fault_is_refused_by_name():
    with pytest.raises(NotFound, match="no fault is called earthquake; there are bad_utf8, "):
        FaultPlan(faults=("earthquake",))


def test_an_unknown_fault_is_refused_by_a_running_server_too(provider):
    with pytest.raises(NotFound, match="no fault is called earthquake"):
        provider.plan(faults=["earthquake"])


def test_chaos_is_made_of_known_faults_and_never_of_good_answers():
    assert (set(CHAOS) <= FAULTS.keys(), "ok" in CHAOS) == (True, False)


@pytest.mark.nightly("a process of its own, for a helper")
def test_the_log_outlives_a_killed_server(tmp_path):
    log = tmp_path / "calls.jsonl"
    with serving(hang=30, log=log) as provider:
        ask(provider.base_url, "done")
        with pytest.raises(TimeoutError):
            ask(provider.always("exec_then_hang"), "open", timeout=0.2)
        os.kill(provider.pid, signal.SIGKILL)
    assert [(call.key, call.ended is not None) for call in read_log(log)] == [("done", True), ("open", False)]


@pytest.mark.nightly("two processes of its own, for a helper")
def test_a_killed_parent_leaves_no_server():
    code = (
        "import time; from tests.rig.provider import serving\n"
        "with serving() as provider: print(provider.url, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        host, port = parent.stdout.readline().strip().removeprefix("http://").split(":")
        parent.kill()
    until(lambda: refused(host, int(port)))


def test_the_sdk_of_the_real_provider_understands_it(provider):
    import openai  # noqa: PLC0415  heavy

    with openai.OpenAI(api_key="k", base_url=provider.base_url, max_retries=0) as client:
        named = {"X-Client-Request-Id": "a"}
        plain = client.chat.completions.create(**HELLO, extra_headers=named)
        stream = client.chat.completions.create(**HELLO, stream=True, extra_headers=named)
        pieces = [chunk.choices[0].delta.content or "" for chunk in stream]
    assert "".join(pieces) == plain.choices[0].message.content


def settled(provider):
    until(lambda: provider.ledger()["open"] == 0)


def refused(host, port):
    try:
        socket.create_connection((host, port), timeout=1).close()
    except ConnectionRefusedError:
        return True
    return False
