"""What people tell speakers survives a crash: the same questions go out, and the record tells it once."""

import pytest

from tests.rig.crash_workers import KILLED, POINTS
from tests.rig.fixtures import EACH_DATABASE

from .scene import database_of, scene

TOLD = "Speak of night buses."
ADDRESSES = ("000.1 con opening", "001.0 pro cross-examination")


@pytest.fixture(scope="module", params=EACH_DATABASE)
def on(request, tmp_path_factory):
    with database_of(request.param, tmp_path_factory.mktemp("told")) as url, scene(url) as made:
        made.successor()
        yield made


def told(on):
    """A debate whose speakers are told something before it begins."""
    made = on.spec("structured")
    on.service.control.tell(made.run_id, TOLD)
    return made


def log_of(on, run_id):
    found = on.service.runs.proceedings(run_id).transcript.intervention_log or []
    return [(each.speaker_id, each.instruction_sent, each.trigger) for each in found]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_run_that_was_told_something_ends_the_same_wherever_it_is_killed(on, address):
    undisturbed = told(on)
    on.service.control.enqueue(undisturbed.run_id)
    on.await_ends(60)
    runs = {}
    for point in POINTS:
        run = told(on)
        pid = on.worker(run, point=point, address=address)
        runs[point] = run.run_id
        assert on.pool.ended(60) == (pid, KILLED)
        on.expire(pid)
    on.await_ends(60)
    like = on.essence(undisturbed.run_id)
    assert [point for point, run_id in runs.items() if on.essence(run_id) != like] == []
    assert [fault for run_id in runs.values() for fault in on.faults_of(run_id)] == []
    assert log_of(on, undisturbed.run_id) == [(seat, TOLD, "human_override") for seat in ("pro", "con")]


@pytest.mark.timeout(120)
def test_what_is_told_after_a_crash_goes_with_the_next_wave(on):
    run = told(on)
    pid = on.worker(run, point="called", address=ADDRESSES[0])
    assert on.pool.ended(60) == (pid, KILLED)
    on.service.control.tell(run.run_id, "Be brief.", "con")
    on.expire(pid)
    on.await_ends(60)
    assert on.faults_of(run.run_id) == []
    assert log_of(on, run.run_id)[2:] == [("con", "Be brief.", "human_override")]
    turns = [turn for turn in on.service.runs.proceedings(run.run_id).transcript.turns if turn.speaker_id == "con"]
    applied = [[one.intervention_id for one in turn.attempts[0].interventions_applied or ()] for turn in turns]
    assert applied[:2] == [["iv1"], ["iv2"]]
