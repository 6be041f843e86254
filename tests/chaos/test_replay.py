"""Whatever is repeated is free and says the same; whatever is paused, resumed or cancelled tells so, and no more."""

import time

import pytest

from hustings.runs.fork import EVERYTHING, fork
from hustings.runs.spec import Inheritance
from tests.rig.fixtures import EACH_DATABASE

from .scene import AUDITS, POLL_SECONDS, PROTOCOLS, database_of, scene

DELAY = 0.15
ADDRESS = "001.0 pro cross-examination"


@pytest.fixture(scope="module", params=EACH_DATABASE)
def on(request, tmp_path_factory):
    with database_of(request.param, tmp_path_factory.mktemp("replay")) as url, scene(url) as made:
        made.successor()
        yield made


@pytest.fixture
def slowly(on):
    """Time to steer in."""
    on.provider.plan(delay=DELAY)
    yield on
    on.provider.plan(delay=0.0)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_finished_debate_repeated_says_the_same_for_nothing(on, protocol):
    first = on.undisturbed(protocol)
    again = fork(on.service.runs, first.run_id)
    on.service.control.enter(again)
    on.await_ends(30)
    assert on.essence(again.run_id) == on.essence(first.run_id)
    assert again.run_id not in on.served()
    assert on.faults_of(again.run_id) == []


@pytest.mark.timeout(60)
@pytest.mark.parametrize("audit", AUDITS)
def test_a_finished_audit_repeated_says_the_same_for_nothing(on, audit):
    first = on.undisturbed(audit)
    name = f"{first.run_id}:again"
    kin = Inheritance(lineage=first.lineage, before_wave=EVERYTHING)
    again = first.model_copy(update={"run_id": name, "lineage": name, "inherits": (kin,)})
    on.service.control.enter(again)
    on.await_ends(30)
    assert on.essence(name) == on.essence(first.run_id)
    assert name not in on.served()
    assert on.faults_of(name) == []


def test_a_debate_that_was_paused_and_resumed_ends_like_any_other(slowly):
    run = begun(slowly)
    slowly.service.control.steer(run.run_id, "pause", "ann")
    await_state(slowly, run.run_id, "paused")
    asked = slowly.served()[run.run_id].total()
    time.sleep(4 * DELAY)
    assert slowly.served()[run.run_id].total() == asked
    slowly.service.control.steer(run.run_id, "go", "ben")
    slowly.await_ends(20)
    assert told(slowly, run.run_id) == [("paused", "ann"), ("resumed", "ben")]
    assert slowly.essence(run.run_id) == slowly.essence(slowly.undisturbed("structured").run_id)
    assert slowly.faults_of(run.run_id) == []


def test_a_debate_that_was_cancelled_keeps_what_was_said(slowly):
    run = begun(slowly)
    slowly.service.control.steer(run.run_id, "cancel", "ann")
    slowly.await_ends(20)
    proceedings = slowly.service.runs.proceedings(run.run_id)
    whole = slowly.service.runs.proceedings(slowly.undisturbed("structured").run_id)
    said = [turn.said for turn in proceedings.transcript.turns]
    assert (proceedings.ending.kind, proceedings.ending.by) == ("cancelled", "ann")
    assert 0 < len(said) < len(whole.transcript.turns)
    assert said == [turn.said for turn in whole.transcript.turns][: len(said)]
    assert slowly.faults_of(run.run_id) == []


def test_a_debate_can_be_cancelled_while_it_is_paused(slowly):
    run = begun(slowly)
    slowly.service.control.steer(run.run_id, "pause", "ann")
    await_state(slowly, run.run_id, "paused")
    slowly.service.control.steer(run.run_id, "cancel", "ben")
    slowly.await_ends(20)
    assert slowly.service.runs.proceedings(run.run_id).ending.kind == "cancelled"
    assert slowly.faults_of(run.run_id) == []


def test_a_pause_outlives_the_worker(on):
    run = orphaned(on, "pause")
    await_state(on, run.run_id, "paused")
    on.service.control.steer(run.run_id, "go", "ann")
    on.await_ends(20)
    assert on.essence(run.run_id) == on.essence(on.undisturbed("structured").run_id)
    assert [kind for kind, _ in told(on, run.run_id)] == ["recovered", "paused", "resumed"]
    assert on.faults_of(run.run_id) == []


def test_a_debate_cancelled_while_it_had_no_worker_ends_where_it_was(on):
    run = orphaned(on, "cancel")
    on.await_ends(20)
    assert on.service.runs.proceedings(run.run_id).ending.kind == "cancelled"
    assert on.faults_of(run.run_id) == []


def begun(on):
    """A debate of which something has been said."""
    run = on.spec("structured")
    on.service.control.enqueue(run.run_id)
    until = time.monotonic() + 20
    while not any(event.kind == "turn_entered" for event in on.service.runs.events(run.run_id)):
        assert time.monotonic() < until
        time.sleep(POLL_SECONDS)
    return run


def orphaned(on, control):
    """A debate whose worker died in the middle, and which was told something before another came."""
    run = on.spec("structured")
    pid = on.worker(run, point="called", address=ADDRESS)
    assert on.pool.ended(30)[0] == pid
    on.service.control.steer(run.run_id, control, "ann")
    on.expire(pid)
    return run


def await_state(on, run_id, state):
    until = time.monotonic() + 20
    while on.service.runs.read(run_id).state != state:
        assert time.monotonic() < until, on.service.runs.read(run_id)
        time.sleep(POLL_SECONDS)


def told(on, run_id):
    """Who steered it or took it over, by the log."""
    events = on.service.runs.events(run_id)
    return [(event.kind, event.by) for event in events if event.kind in {"paused", "resumed", "recovered"}]
