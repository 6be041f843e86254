import threading
import time
from contextlib import closing

import pytest
import sqlalchemy as sa

from hustings.db import leases
from hustings.db.connection import connect
from hustings.db.outage import DatabaseGone
from hustings.db.tables import LEASE, RUN
from hustings.engine.client import ENGINE, STATUS, engines
from hustings.engine.heartbeat import Heartbeat
from hustings.engine.intake import config_for
from hustings.engine.worker import Worker
from hustings.transcript.notes import Played
from tests.rig.postgres import ready_sqlite_file
from tests.rig.waiting import until

from .rig import IMPROVISER

pytestmark = pytest.mark.both_databases

TTL = 0.3


def holder(rig, run_id):
    return rig.runs.light_row(run_id)["executor_id"]


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

    def beat(name, *, sweep=None, ttl=TTL, on_lost=lambda _: None):
        leases.take(rig.database, name, ttl)
        hearts.append(Heartbeat(rig.database, name, ttl, on_lost, sweep))
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
    after = leases.alive(rig.database)
    rig.open()
    assert before not in after


def test_a_heart_that_beats_renews_its_lease(rig, heart):
    heart("steady", ttl=3)
    first = runs_out(rig, "steady")
    rig.until(lambda: runs_out(rig, "steady") > first, 10)


def test_a_worker_whose_lease_was_taken_away_is_told_once(rig, heart):
    told = []
    heart("fenced", on_lost=lambda _: told.append(threading.current_thread().name))
    leases.release(rig.database, "fenced")
    rig.until(lambda: told, 5)
    time.sleep(2 * TTL)
    assert told == ["hustings-heartbeat"]


def test_a_worker_whose_database_file_is_gone_is_told_so(tmp_path):
    path, told = tmp_path / "hustings.db", []
    with closing(connect(ready_sqlite_file(tmp_path))) as database:
        leases.take(database, "blind", TTL)
        heart = Heartbeat(database, "blind", TTL, told.append)
        heart.start()
        path.rename(tmp_path / "moved.db")
        until(lambda: told, 5)
        heart.stop()
    assert [type(why) for why in told] == [DatabaseGone]


def test_a_worker_that_leaves_at_once_gives_its_lease_back_and_takes_that_for_no_loss(rig):
    lost, begun = [], time.monotonic()
    rig.worker._tell_lost = lost.append
    rig.worker.leave_at_once()
    took, alive = time.monotonic() - begun, leases.alive(rig.database)
    time.sleep(rig.worker.duty.ttl / 2)  # a beat of the heart
    before = rig.worker.executor_id
    rig.close()
    rig.open()
    assert (before in alive, lost) == (False, [])
    assert took < 1.0


def test_nobody_is_swept_away_before_ones_own_lease_has_held_for_a_whole_term(rig, heart):
    swept, begun = [], time.monotonic()
    heart("young", sweep=lambda: swept.append(time.monotonic() - begun), ttl=0.6)
    rig.until(lambda: swept, 8)
    assert min(swept) >= 0.6


def test_a_sweep_takes_a_lease_away_that_ran_out(rig):
    leases.take(rig.database, "dead", -1.0)
    rig.worker.sweep()
    with rig.database.reading() as db:
        assert leases.end(db, "dead")


def test_a_gap_in_ones_own_lease_starts_the_term_anew(rig):
    heartbeat = Heartbeat(rig.database, "gap", 3.0, lambda _: None)
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


def test_a_debate_of_a_worker_that_stopped_is_handed_on(rig, waiting):
    before = holder(rig, waiting)
    rig.close()
    rig.open()
    rig.until(lambda: holder(rig, waiting) == rig.worker.executor_id)
    assert before != rig.worker.executor_id


@pytest.mark.parametrize("status", ["PENDING", "ERROR"])
def test_a_debate_that_was_taken_from_the_queue_and_never_begun_is_handed_on(rig, status):
    rig.close()
    made = rig.spec()
    rig.control.enqueue(made.run_id)
    with rig.database.writing() as db:
        taken = f"update {engines(db, STATUS)} set status = :status, executor_id = 'dead' where workflow_uuid = :run"
        db.execute(sa.text(taken), {"status": status, "run": made.run_id})
    rig.open()
    assert rig.ended(made.run_id).ending == Played()


def test_taking_over_is_logged_with_who_did_it(rig, waiting):
    rig.close()
    rig.open()
    rig.worker.sweep()
    rig.wait_for(waiting, "recovered")
    assert [event.by for event in rig.seen(waiting).of("recovered")] == [rig.worker.executor_id]


def test_a_sweep_hands_nothing_on_that_somebody_holds(rig, waiting):
    assert (rig.worker.sweep(), holder(rig, waiting)) == ([], rig.worker.executor_id)


def test_a_spec_that_cannot_be_read_breaks_its_run_and_no_other(rig):
    made = rig.spec()
    with rig.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == made.run_id).values(spec="{}"))
    rig.worker.start(made.run_id)
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
