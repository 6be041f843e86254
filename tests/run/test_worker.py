import inspect
import threading
import time

import pytest
import sqlalchemy as sa
from dbos import DBOS, SetWorkflowID
from dbos._sys_db import SystemDatabase

from hustings.core.outcome import Played
from hustings.run.engine_client import ENGINE
from hustings.run.heartbeat import Heartbeat
from hustings.run.worker import Worker, config_for, perform_run
from hustings.store import leases
from hustings.store.tables import LEASE, RUN
from tests.run.house import HUMAN, IMPROVISER

pytestmark = pytest.mark.both_databases

TTL = 0.3


def status(house, run_id):
    """How the engine has it: its state, and whose it is."""
    table = "dbos.workflow_status" if house.database.dialect == "postgresql" else "workflow_status"
    with house.database.reading() as db:
        query = sa.text(f"select status, executor_id from {table} where workflow_uuid = :id")
        return tuple(db.execute(query, {"id": run_id}).one())


def runs_out(house, name):
    """When a lease does."""
    with house.database.reading() as db:
        return db.scalars(sa.select(LEASE.c.expires).where(LEASE.c.executor_id == name)).one()


@pytest.fixture
def waiting(house):
    """A debate that waits for a person."""
    run_id = house.start(seats={"pro": HUMAN})
    house.wait_for(run_id, "human_awaited")
    yield run_id
    house.abandon(run_id)


@pytest.fixture
def heart(house):
    """Hearts of workers that do nothing else."""
    hearts = []

    def beat(name, *, sweeps=False, ttl=TTL, on_fenced=lambda: None):
        leases.take(house.database, name, ttl)
        hearts.append(Heartbeat(house.database, name, ttl, on_fenced, sweeps=sweeps))
        hearts[-1].start()
        return hearts[-1]

    yield beat
    for each in hearts:
        each.stop()
        leases.release(house.database, each._executor_id)


# -- leases ----------------------------------------------------------------------------------


def test_a_worker_at_work_has_a_lease(house):
    assert house.worker.executor_id in house.runs.workers()


def test_a_worker_that_stops_gives_its_lease_back(house):
    before = house.worker.executor_id
    house.close()
    after = leases.known(house.database)
    house.open()
    assert before not in after


def test_a_heart_that_beats_renews_its_lease(house, heart):
    heart("steady", ttl=3)
    first = runs_out(house, "steady")
    house.until(lambda: runs_out(house, "steady") > first, 10)


def test_a_worker_whose_lease_was_taken_away_is_told_once(house, heart):
    told = []
    heart("fenced", on_fenced=lambda: told.append(threading.current_thread().name))
    leases.release(house.database, "fenced")
    house.until(lambda: told, 5)
    time.sleep(2 * TTL)
    assert told == ["hustings-heartbeat"]


def test_nobody_is_swept_away_before_ones_own_lease_has_held_for_a_whole_term(house, heart, monkeypatch):
    swept, begun = [], time.monotonic()
    monkeypatch.setattr(Heartbeat, "sweep", lambda self: swept.append((self._executor_id, time.monotonic() - begun)))
    heart("young", sweeps=True, ttl=0.6)
    house.until(lambda: "young" in dict(swept), 8)
    assert min(after for name, after in swept if name == "young") >= 0.6


def test_whoever_does_not_take_debates_sweeps_nobody_away(house, heart, monkeypatch):
    swept = []
    monkeypatch.setattr(Heartbeat, "sweep", lambda self: swept.append(self._executor_id))
    heart("idle")
    time.sleep(4 * TTL)
    assert "idle" not in swept


def test_a_sweep_takes_a_lease_away_that_ran_out(house):
    leases.take(house.database, "dead", -1.0)
    house.worker._heartbeat.sweep()
    assert "dead" not in leases.known(house.database)


def test_a_gap_in_ones_own_lease_starts_the_term_anew(house):
    heartbeat = Heartbeat(house.database, "gap", 3.0, lambda: None, sweeps=True)
    before = heartbeat._since
    leases.take(house.database, "gap", 60.0)
    heartbeat.start()

    def late():
        heartbeat._until = 0.0
        return heartbeat._since > before

    house.until(late, 10)
    heartbeat.stop()
    leases.release(house.database, "gap")


# -- taking over -----------------------------------------------------------------------------


def test_what_the_engine_must_offer_for_taking_over_is_there():
    pending = inspect.signature(SystemDatabase.get_pending_workflows)
    again = inspect.signature(SystemDatabase.reenqueue_for_recovery)
    assert list(pending.parameters) == ["self", "executor_id", "app_version"]
    assert list(again.parameters) == ["self", "workflow_id", "executor_ids", "recovery_queue_name"]


def test_a_debate_of_a_worker_that_stopped_is_handed_on(house, waiting):
    before = status(house, waiting)
    house.close()
    between = status(house, waiting)
    house.open()
    house.worker._heartbeat.sweep()
    house.until(lambda: status(house, waiting)[1] == house.worker.executor_id)
    assert (before, between[0]) == (between, "PENDING")


def test_taking_over_is_logged_with_who_did_it(house, waiting):
    house.close()
    house.open()
    house.worker._heartbeat.sweep()
    house.wait_for(waiting, "recovered")
    assert [event.by for event in house.seen(waiting).of("recovered")] == [house.worker.executor_id]


def test_a_sweep_hands_nothing_on_that_somebody_holds(house, waiting):
    assert (house.worker._heartbeat.sweep(), status(house, waiting)[1]) == ([], house.worker.executor_id)


def test_a_debate_that_the_engine_gave_up_says_so(house, waiting):
    table = "dbos.workflow_status" if house.database.dialect == "postgresql" else "workflow_status"
    with house.database.writing() as db:
        change = sa.text(f"update {table} set status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED' where workflow_uuid = :id")
        db.execute(change, {"id": waiting})
    house.worker._heartbeat.sweep()
    report = house.runs.read(waiting)
    assert (report.state, report.reason) == ("broken", "it was taken up again too often, and never came far")


def test_a_commission_that_cannot_be_read_breaks_its_run_and_no_other(house):
    made = house.commission()
    with house.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == made.run_id).values(commission="{}"))
    with SetWorkflowID(made.run_id):
        DBOS.start_workflow(perform_run, made.run_id)
    report = house.ended(made.run_id).report
    assert (report.state, report.reason.partition(":")[0]) == ("broken", "ValidationError")


def test_a_worker_takes_debates_from_the_queue(house):
    made = house.commission()
    house.control.enqueue(made)
    assert house.ended(made.run_id).ending == Played()


def test_a_debate_that_is_queued_twice_is_played_once(house):
    made = house.commission(house.voice())
    house.control.enqueue(made)
    house.control.enqueue(made)
    seen = house.ended(made.run_id)
    assert (len(seen.asked), seen.kinds.count("debate_started")) == (6, 1)


def test_many_debates_at_once_do_not_mix(house):
    made = [house.commission(IMPROVISER, seed=seed) for seed in range(12)]
    house.control.enqueue(*made)
    seen = [house.ended(each.run_id) for each in made]
    assert all(each.findings == [] and each.ending == Played() for each in seen)
    assert [each.proceedings.transcript.run_id for each in seen] == [each.run_id for each in made]


# -- the engine ------------------------------------------------------------------------------


def test_the_engine_writes_plain_json_and_never_migrates_by_itself(house):
    config = config_for(house.url, "x")
    assert (type(config["serializer"]).__name__, config["run_migrations"], config["application_version"]) == (
        "DBOSPortableJSONSerializer",
        False,
        ENGINE,
    )


def test_no_row_of_the_engine_is_pickled(house):
    house.play()
    schema = "dbos" if house.database.dialect == "postgresql" else None
    inspector, found = sa.inspect(house.database.engine), set()
    with house.database.reading() as db:
        for name in inspector.get_table_names(schema=schema):
            if "serialization" in {column["name"] for column in inspector.get_columns(name, schema=schema)}:
                table = f"{schema}.{name}" if schema else name
                found |= set(db.scalars(sa.text(f"select distinct serialization from {table}")))
    assert found <= {None, "portable_json"}, found


def test_two_workers_of_one_machine_have_different_names(house):
    names = {Worker(house.url, lambda _: None).executor_id for _ in range(3)}
    assert len(names) == 3
