import inspect
import threading
import time

import pytest
import sqlalchemy as sa
from dbos import DBOS, SetWorkflowID
from dbos._sys_db import SystemDatabase

from hustings.db import leases
from hustings.db.tables import LEASE, RUN
from hustings.engine.client import ENGINE
from hustings.engine.heartbeat import Heartbeat
from hustings.engine.worker import Worker, config_for, perform_run
from hustings.transcript.notes import Played

from .rig import IMPROVISER

pytestmark = pytest.mark.both_databases

TTL = 0.3


def status(rig, run_id):
    """How the engine has it: its state, and whose it is."""
    table = "dbos.workflow_status" if rig.database.dialect == "postgresql" else "workflow_status"
    with rig.database.reading() as db:
        query = sa.text(f"select status, executor_id from {table} where workflow_uuid = :id")
        return tuple(db.execute(query, {"id": run_id}).one())


def runs_out(rig, name):
    """When a lease does."""
    with rig.database.reading() as db:
        return db.scalars(sa.select(LEASE.c.expires).where(LEASE.c.executor_id == name)).one()


@pytest.fixture
def waiting(rig):
    """A debate that waits long for its first answers."""
    rig.provider.plan(delay=3.0)
    run_id = rig.start(rig.model_spec())
    rig.until(lambda: rig.seen(run_id).asked)
    return run_id


@pytest.fixture
def heart(rig):
    """Hearts of workers that do nothing else."""
    hearts = []

    def beat(name, *, sweeps=False, ttl=TTL, on_fenced=lambda: None):
        leases.take(rig.database, name, ttl)
        hearts.append(Heartbeat(rig.database, name, ttl, on_fenced, sweeps=sweeps))
        hearts[-1].start()
        return hearts[-1]

    yield beat
    for each in hearts:
        each.stop()
        leases.release(rig.database, each._executor_id)


# -- leases ----------------------------------------------------------------------------------


def test_a_worker_at_work_has_a_lease(rig):
    assert rig.worker.executor_id in rig.runs.workers()


def test_a_worker_that_stops_gives_its_lease_back(rig):
    before = rig.worker.executor_id
    rig.close()
    after = leases.known(rig.database)
    rig.open()
    assert before not in after


def test_a_heart_that_beats_renews_its_lease(rig, heart):
    heart("steady", ttl=3)
    first = runs_out(rig, "steady")
    rig.until(lambda: runs_out(rig, "steady") > first, 10)


def test_a_worker_whose_lease_was_taken_away_is_told_once(rig, heart):
    told = []
    heart("fenced", on_fenced=lambda: told.append(threading.current_thread().name))
    leases.release(rig.database, "fenced")
    rig.until(lambda: told, 5)
    time.sleep(2 * TTL)
    assert told == ["hustings-heartbeat"]


def test_nobody_is_swept_away_before_ones_own_lease_has_held_for_a_whole_term(rig, heart, monkeypatch):
    swept, begun = [], time.monotonic()
    monkeypatch.setattr(Heartbeat, "sweep", lambda self: swept.append((self._executor_id, time.monotonic() - begun)))
    heart("young", sweeps=True, ttl=0.6)
    rig.until(lambda: "young" in dict(swept), 8)
    assert min(after for name, after in swept if name == "young") >= 0.6


def test_whoever_does_not_take_debates_sweeps_nobody_away(rig, heart, monkeypatch):
    swept = []
    monkeypatch.setattr(Heartbeat, "sweep", lambda self: swept.append(self._executor_id))
    heart("idle")
    time.sleep(4 * TTL)
    assert "idle" not in swept


def test_a_sweep_takes_a_lease_away_that_ran_out(rig):
    leases.take(rig.database, "dead", -1.0)
    rig.worker._heartbeat.sweep()
    assert "dead" not in leases.known(rig.database)


def test_a_gap_in_ones_own_lease_starts_the_term_anew(rig):
    heartbeat = Heartbeat(rig.database, "gap", 3.0, lambda: None, sweeps=True)
    before = heartbeat._since
    leases.take(rig.database, "gap", 60.0)
    heartbeat.start()

    def late():
        heartbeat._until = 0.0
        return heartbeat._since > before

    rig.until(late, 10)
    heartbeat.stop()
    leases.release(rig.database, "gap")


# -- taking over -----------------------------------------------------------------------------


def test_what_the_engine_must_offer_for_taking_over_is_there():
    pending = inspect.signature(SystemDatabase.get_pending_workflows)
    again = inspect.signature(SystemDatabase.reenqueue_for_recovery)
    assert list(pending.parameters) == ["self", "executor_id", "app_version"]
    assert list(again.parameters) == ["self", "workflow_id", "executor_ids", "recovery_queue_name"]


def test_a_debate_of_a_worker_that_stopped_is_handed_on(rig, waiting):
    before = status(rig, waiting)
    rig.close()
    between = status(rig, waiting)
    rig.open()
    rig.worker._heartbeat.sweep()
    rig.until(lambda: status(rig, waiting)[1] == rig.worker.executor_id)
    assert (before, between[0]) == (between, "PENDING")


def test_taking_over_is_logged_with_who_did_it(rig, waiting):
    rig.close()
    rig.open()
    rig.worker._heartbeat.sweep()
    rig.wait_for(waiting, "recovered")
    assert [event.by for event in rig.seen(waiting).of("recovered")] == [rig.worker.executor_id]


def test_a_sweep_hands_nothing_on_that_somebody_holds(rig, waiting):
    assert (rig.worker._heartbeat.sweep(), status(rig, waiting)[1]) == ([], rig.worker.executor_id)


def test_a_debate_that_the_engine_gave_up_says_so(rig, waiting):
    table = "dbos.workflow_status" if rig.database.dialect == "postgresql" else "workflow_status"
    with rig.database.writing() as db:
        change = sa.text(f"update {table} set status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED' where workflow_uuid = :id")
        db.execute(change, {"id": waiting})
    rig.worker._heartbeat.sweep()
    report = rig.runs.read(waiting)
    assert (report.state, report.reason) == ("broken", "it was restarted too often without progress")


def test_a_spec_that_cannot_be_read_breaks_its_run_and_no_other(rig):
    made = rig.spec()
    with rig.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == made.run_id).values(spec="{}"))
    with SetWorkflowID(made.run_id):
        DBOS.start_workflow(perform_run, made.run_id)
    report = rig.ended(made.run_id).report
    assert (report.state, report.reason.partition(":")[0]) == ("broken", "ValidationError")


def test_a_worker_takes_debates_from_the_queue(rig):
    made = rig.spec()
    rig.control.enqueue(made.run_id)
    assert rig.ended(made.run_id).ending == Played()


def test_a_debate_that_is_queued_twice_is_played_once(rig):
    made = rig.spec(rig.model_spec())
    rig.control.enqueue(made.run_id)
    rig.control.enqueue(made.run_id)
    seen = rig.ended(made.run_id)
    assert (len(seen.asked), seen.kinds.count("debate_started")) == (6, 1)


@pytest.mark.nightly("a crowd of debates on each database; two workers share a batch on every change")
def test_many_debates_at_once_do_not_mix(rig):
    made = [rig.spec(IMPROVISER, seed=seed) for seed in range(12)]
    rig.control.enqueue(*(each.run_id for each in made))
    seen = [rig.ended(each.run_id) for each in made]
    assert all(each.findings == [] and each.ending == Played() for each in seen)
    assert [each.proceedings.transcript.run_id for each in seen] == [each.run_id for each in made]


# -- the engine ------------------------------------------------------------------------------


def test_the_engine_writes_plain_json_and_never_migrates_by_itself(rig):
    config = config_for(rig.url, "x")
    assert (type(config["serializer"]).__name__, config["run_migrations"], config["application_version"]) == (
        "DBOSPortableJSONSerializer",
        False,
        ENGINE,
    )


def test_no_row_of_the_engine_is_pickled(rig):
    rig.play()
    schema = "dbos" if rig.database.dialect == "postgresql" else None
    inspector, found = sa.inspect(rig.database.engine), set()
    with rig.database.reading() as db:
        for name in inspector.get_table_names(schema=schema):
            if "serialization" in {column["name"] for column in inspector.get_columns(name, schema=schema)}:
                table = f"{schema}.{name}" if schema else name
                found |= set(db.scalars(sa.text(f"select distinct serialization from {table}")))
    assert found <= {None, "portable_json"}, found


def test_two_workers_of_one_machine_have_different_names(rig):
    names = {Worker(rig.url, lambda _: None).executor_id for _ in range(3)}
    assert len(names) == 3
