"""A debate under a file of the user's: a worker plays it as long as the file is what it was, and else sets it aside."""

import pytest

from hustings.errors import Unsuitable
from hustings.runs.fork import fork
from hustings.runs.protocol_files import with_protocol
from hustings.transcript.notes import Played
from tests.rig.protocol_file import DUEL, own_file

pytestmark = pytest.mark.both_databases


@pytest.fixture
def file(tmp_path):
    return own_file(tmp_path)


def queued(rig, file, **more):
    spec = rig.drawn(protocol=str(file.path), **more)
    rig.control.enter(spec)
    return spec.run_id


def set_aside(rig, file):
    """A debate whose worker has gone, and that another finds with a file that changed."""
    rig.close()
    run_id = queued(rig, file)
    file.write(DUEL.replace("two points", "three points"))
    rig.open()
    rig.until(lambda: rig.runs.read(run_id).state == "paused")
    return run_id


def test_a_worker_plays_it_from_the_queue(rig, file):
    run_id = queued(rig, file)
    seen = rig.ended(run_id)
    assert (seen.ending, len(seen.said), seen.findings) == (Played(), 4, [])
    assert seen.report.protocol == seen.proceedings.transcript.run_metadata.protocol
    assert seen.report.protocol.startswith("duel/1+")


def test_a_file_that_changed_pauses_the_run_and_says_why(rig, file):
    run_id = set_aside(rig, file)
    reason = f"{file.path} changed since this debate began: put the old version back, or start anew"
    assert (rig.runs.read(run_id).reason, rig.seen(run_id).asked) == (reason, [])


def test_with_the_old_file_it_goes_on(rig, file):
    run_id = set_aside(rig, file)
    file.write()
    rig.control.resume(run_id)
    assert rig.ended(run_id).ending == Played()


def test_resumed_with_a_changed_file_it_is_paused_again(rig, file):
    run_id = set_aside(rig, file)
    rig.control.resume(run_id)
    rig.until(lambda: rig.runs.light_row(run_id)["control"] == "pause")
    assert rig.runs.read(run_id).state == "paused"


def test_a_file_that_is_gone_pauses_the_run(rig, file):
    rig.close()
    run_id = queued(rig, file)
    file.path.unlink()
    rig.open()
    rig.until(lambda: rig.runs.read(run_id).state == "paused")
    assert "is not on this machine" in rig.runs.read(run_id).reason


def test_one_that_is_cancelled_without_its_file_is_over(rig, file):
    run_id = set_aside(rig, file)
    rig.control.steer(run_id, "cancel")
    rig.until(lambda: rig.runs.read(run_id).state == "broken")
    assert rig.runs.read(run_id).reason.startswith(f"it was cancelled, and {file.path} changed")


def test_what_was_answered_is_not_paid_again(rig, file):
    run_id = rig.start(
        seats={"pro": rig.model_spec(), "con": rig.model_spec("ctx_exceeded")},
        protocol=str(file.path),
        on_failure="pause",
    )
    rig.until(lambda: rig.runs.read(run_id).state == "paused", 30)
    rig.control.reseat(run_id, {"con": rig.model_spec()})
    rig.control.steer(run_id, "go")
    asked = rig.ended(run_id).asked
    assert len([key for key in asked if " pro " in key]) == 2


def test_no_run_is_entered_by_who_has_not_loaded_the_file(rig, file):
    old = rig.spec(protocol=str(file.path))
    copied = rig.runs.spec(old.run_id).model_copy(update={"run_id": "copy", "lineage": "copy"})
    with pytest.raises(Unsuitable, match="which only its own user may run"):
        rig.control.enter(copied)
    assert not rig.runs.exists("copy")


def test_a_fork_needs_the_file_too(rig, file):
    seen = rig.play(protocol=str(file.path))
    with pytest.raises(Unsuitable, match="which only its own user may run"):
        fork(rig.runs, seen.run_id, turn="r2.t1")
    again = fork(rig.runs, seen.run_id, turn="r2.t1", load=with_protocol)
    rig.control.enter(again)
    assert rig.ended(again.run_id).said[:3] == seen.said[:3]
