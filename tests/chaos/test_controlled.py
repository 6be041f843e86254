"""A controller decides the same after a crash, and a person's order is kept where it was given."""

import pytest

from hustings.script.seats import CONTROLLER
from hustings.transcript.events import TurnBegun
from tests.rig.crash_workers import KILLED, POINTS
from tests.rig.fixtures import EACH_DATABASE

from .scene import CONTROLLED, database_of, scene

PLACES = ("in the last look", "after a look")


@pytest.fixture(scope="module", params=EACH_DATABASE)
def on(request, tmp_path_factory):
    with database_of(request.param, tmp_path_factory.mktemp("controlled")) as url, scene(url) as made:
        made.successor()
        yield made


def entered(on):
    """A controlled debate whose tone a person sets before it begins."""
    made = on.spec(CONTROLLED)
    on.service.control.turn_dial(made.run_id, "tone 0.8")
    return made


def address_of(on, run_id, place):
    begun = [event.address for event in on.service.runs.events(run_id) if isinstance(event, TurnBegun)]
    read = [address for address in begun if f" {CONTROLLER.id} " in address]
    if place == "in the last look":
        return read[-1]
    return next(address for address in begun[begun.index(read[0]) :] if address not in read)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("place", PLACES)
def test_a_controlled_debate_ends_the_same_wherever_it_is_killed(on, place):
    undisturbed = entered(on)
    on.service.control.enqueue(undisturbed.run_id)
    on.await_ends(60)
    runs, address = {}, address_of(on, undisturbed.run_id, place)
    for point in POINTS:
        run = entered(on)
        pid = on.worker(run, point=point, address=address)
        runs[point] = run.run_id
        assert on.pool.ended(60) == (pid, KILLED)
        on.expire(pid)
    on.await_ends(60)
    like = on.essence(undisturbed.run_id)
    assert [point for point, run_id in runs.items() if on.essence(run_id) != like] == []
    assert [fault for run_id in runs.values() for fault in on.faults_of(run_id)] == []
    notes = on.service.runs.proceedings(undisturbed.run_id).notes
    assert [note.body.get("dial") for note in notes if note.kind == "controller"] == ["tone 0.8", None, None]
