"""What is on record is in the queue; what was left over is found and queued, by a worker and by `resume`."""

import pytest
import sqlalchemy as sa
from dbos import DBOSClient
from sqlalchemy.exc import DBAPIError

from hustings.db import leases
from hustings.db.tables import RUN
from hustings.engine import sweep as after_deaths
from hustings.engine import unqueued
from hustings.engine.client import INPUT, STATUS, engines
from hustings.engine.follow_up_worker import FollowUpWorker
from hustings.engine.runner import start
from hustings.engine.sweep import RESTARTS
from hustings.engine.worker import take_up
from hustings.errors import Unsuitable
from hustings.runs.judging_spec import JudgingRequest, judging_spec
from hustings.transcript.notes import Played

from .rig import HUMAN, open_rig

pytestmark = pytest.mark.both_databases


def engine_row(rig, run_id, table=STATUS):
    with rig.database.reading() as db:
        query = sa.text(f"select * from {engines(db, table)} where workflow_uuid = :id")
        return dict(db.execute(query, {"id": run_id}).mappings().one())


def engine_counts(rig):
    """Rows in each of the engine's tables."""
    schema = "dbos" if rig.database.dialect == "postgresql" else None
    tables = sa.inspect(rig.database.engine).get_table_names(schema)
    own = [name for name in tables if not name.startswith("hustings")]
    with rig.database.reading() as db:
        return {name: db.scalar(sa.text(f"select count(*) from {engines(db, name)}")) for name in own}


def holder(rig, run_id):
    return rig.runs.light_row(run_id)["executor_id"]


@pytest.fixture(scope="module")
def idle(opened, tmp_path_factory):
    """A database without a worker: what is queued stays in the queue."""
    kind = "sqlite" if opened.database.dialect == "sqlite" else "postgres"
    with open_rig(kind, tmp_path_factory.mktemp("idle"), opened.provider, works=False) as made:
        yield made


@pytest.fixture
def sweep(rig):
    """Look for what was left over; a run may be as young as it likes."""
    return FollowUpWorker(rig.service, {}, lambda made: made, grace=-1.0).search


# -- entering --------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [1, 3])
def test_what_is_entered_is_in_the_queue(rig, many):
    made = [rig.drawn() for _ in range(many)]
    rig.control.enter(*made)
    assert all(rig.is_queued(each.run_id) for each in made)
    assert [rig.ended(each.run_id).ending for each in made] == [Played()] * many


@pytest.fixture
def without_a_queue(idle):
    """A table of the engine is away."""

    def rename(old, new):
        with idle.database.writing() as db:
            db.execute(sa.text(f"alter table {engines(db, old)} rename to {new}"))

    rename(INPUT, "elsewhere")
    yield idle
    rename("elsewhere", INPUT)


def test_what_cannot_be_queued_is_not_entered_either(without_a_queue):
    made = without_a_queue.drawn()
    with pytest.raises(DBAPIError):
        without_a_queue.control.enter(made)
    assert not without_a_queue.runs.exists(made.run_id)


def test_a_debate_without_room_is_not_queued(rig):
    rig.budgets.set_caps("poor", total=10, day=None)
    made = rig.drawn(owner="poor")
    capped = made.model_copy(update={"above": ("owner:poor",), "caps": made.caps.model_copy(update={"money": 11})})
    with pytest.raises(Unsuitable, match="no room"):
        rig.control.enter(capped)
    assert not rig.is_queued(made.run_id)


def test_an_owner_who_may_not_write_the_tables_of_the_engine_is_queued_all_the_same(rig):
    made = [rig.drawn(owner="ann") for _ in range(2)]
    rig.service.acting_for("ann").control.enter(*made)
    assert [rig.ended(each.run_id).ending for each in made] == [Played()] * 2


# -- what many at once relies on ---------------------------------------------------------------


def test_the_engine_lets_others_queue_in_their_own_transaction():
    assert callable(DBOSClient.enqueue_in_transaction)


def test_the_engine_has_a_row_in_two_tables_for_a_workflow_that_waits(idle):
    before = engine_counts(idle)
    idle.control.enter(idle.drawn())
    after = engine_counts(idle)
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == {STATUS: 1, INPUT: 1}


def test_of_many_each_has_the_rows_that_one_would_have(idle):
    one, *many = made = [idle.drawn() for _ in range(4)]
    before = engine_counts(idle)
    idle.control.enter(one)
    idle.control.enter(*many)
    after = engine_counts(idle)
    assert (after[STATUS] - before[STATUS], after[INPUT] - before[INPUT]) == (4, 4)
    of_its_own = {"creator_xid", "created_at", "updated_at", "retention_timestamp"}
    for table in (STATUS, INPUT):
        rows = [
            {
                name: str(value).replace(each.run_id, "RUN")
                for name, value in engine_row(idle, each.run_id, table).items()
                if name not in of_its_own
            }
            for each in made
        ]
        assert rows == rows[:1] * 4


def test_what_the_engine_knows_stays_as_it_is(idle):
    known, new = idle.drawn(), idle.drawn()
    idle.control.enter(known)
    before = engine_row(idle, known.run_id)
    with idle.database.writing() as db:
        idle.service.engine.enqueue(db, [known.run_id, new.run_id])
    assert (engine_row(idle, known.run_id), idle.is_queued(new.run_id)) == (before, True)
    idle.service.engine.delete({new.run_id: 0})


# -- left over ---------------------------------------------------------------------------------


def test_a_debate_that_was_entered_and_not_queued_is_queued_by_a_worker(rig, sweep):
    alone, of_a_batch = rig.spec(), rig.spec(batch="some")
    sweep()
    assert [rig.ended(each.run_id).ending for each in (alone, of_a_batch)] == [Played()] * 2


def test_an_audit_that_was_entered_and_not_queued_is_queued_by_a_worker(rig, sweep):
    debate = rig.play().run_id
    request = JudgingRequest(judges=("improviser",), tier="quick")
    made = judging_spec(rig.runs.spec(debate), rig.runs.finished(debate), request, {})
    rig.control.enter_here(made)
    sweep()
    assert rig.ended(made.run_id).ending == Played()


def test_a_debate_that_was_cancelled_before_anybody_knew_it_comes_to_its_end(rig, sweep):
    made = rig.spec()
    rig.control.steer(made.run_id, "cancel")
    sweep()
    assert rig.ended(made.run_id).ending.kind == "cancelled"


def test_a_spec_that_cannot_be_read_keeps_no_other_from_the_queue(rig, sweep):
    broken, sound = rig.spec(), rig.spec()
    with rig.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == broken.run_id).values(spec="{}"))
    sweep()
    assert [rig.ended(each.run_id).report.state for each in (broken, sound)] == ["broken", "ended"]


def test_a_debate_that_a_live_process_is_about_to_start_is_left_to_it(rig, sweep):
    made = rig.drawn()
    leases.take(rig.database, "elsewhere", 60.0)
    rig.control.enter_here(made, "elsewhere")
    sweep()
    assert not rig.is_queued(made.run_id)
    leases.release(rig.database, "elsewhere")
    sweep()
    assert rig.ended(made.run_id).ending == Played()


def test_a_debate_that_was_paused_before_it_began_waits_until_it_is_resumed(rig, sweep):
    made = rig.drawn()
    rig.control.enter_here(made, paused=True)
    sweep()
    assert not rig.is_queued(made.run_id)
    rig.control.resume(made.run_id)
    assert rig.ended(made.run_id).ending == Played()


def test_a_debate_that_is_resumed_is_queued_if_the_engine_does_not_know_it(rig):
    made = rig.spec()
    assert rig.control.resume(made.run_id)
    assert rig.ended(made.run_id).ending == Played()


def test_a_debate_whose_workers_die_again_and_again_is_given_up(idle):
    made = idle.spec()
    for _ in range(RESTARTS + 1):
        with idle.database.writing() as db:
            db.execute(sa.update(RUN).where(RUN.c.run_id == made.run_id).values(executor_id="dead"))
        after_deaths.sweep(idle.database, idle.service.engine, "sweeper")
    report = idle.runs.read(made.run_id)
    assert (report.state, report.reason) == ("broken", "it was restarted too often without progress")


def test_a_worker_that_comes_too_late_leaves_the_run_to_whoever_took_it_up(rig):
    made = rig.spec(rig.model_spec())
    number = rig.control.take_here(made.run_id, rig.worker.executor_id)
    rig.worker.start(made.run_id, number - 1)
    rig.worker.start(made.run_id, number)
    seen = rig.ended(made.run_id)
    assert (len(seen.asked), seen.kinds.count("debate_started")) == (6, 1)


@pytest.mark.parametrize("over", ["ended", "broken"])
def test_a_run_that_is_over_is_taken_up_by_nobody(rig, over):
    """A worker may die after it stored the end, and before the queue knows."""
    made = rig.spec(rig.model_spec())
    with rig.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == made.run_id).values(state=over, control="pause"))
    rig.worker._loop.submit(take_up(rig.worker.context, made.run_id, 0)).result(5)
    told = (rig.control.take_here(made.run_id, "x"), rig.control.steer(made.run_id, "go"))
    assert (told, rig.runs.read(made.run_id).state, rig.seen(made.run_id).events) == ((None, False), over, [])


def test_what_was_left_over_is_counted(idle):
    left_over = idle.spec()
    idle.control.enter(idle.drawn())
    idle.control.enter_here(idle.drawn(), paused=True)
    counted = idle.service.unqueued(grace=-1.0), idle.service.unqueued(grace=3600.0)
    assert idle.control.enqueue(left_over.run_id) == [left_over.run_id]
    assert (counted, idle.service.unqueued(grace=-1.0)) == ((1, 0), 0)


def test_the_search_reads_an_index_and_not_all_runs(rig):
    with rig.database.reading() as db:
        if db.dialect.name == "postgresql":
            db.execute(sa.text("set local enable_seqscan = off"))  # it would rather read a table as small as this
        query = unqueued._query(db, "run.run_id", unqueued.LEFT_OVER)
        explain = "explain query plan" if db.dialect.name == "sqlite" else "explain"
        plan = str(db.execute(sa.text(f"{explain} {query}"), {"before": "9"}).all())
    assert "hustings_run_by_follows" in plan


# -- in this process ---------------------------------------------------------------------------


def test_a_debate_that_is_started_here_is_held_by_the_worker_of_this_process(rig):
    made = rig.drawn(seats={"pro": HUMAN})
    rig.control.enter_here(made, rig.worker.executor_id)
    assert (holder(rig, made.run_id), rig.control.abandoned(made.run_id)) == (rig.worker.executor_id, False)
    start(rig.service, rig.worker, made)  # as after an error between the two
    rig.wait_for(made.run_id, "human_awaited")


def test_a_debate_that_nobody_began_is_begun_by_a_process_that_starts_it(rig):
    made = rig.spec()
    start(rig.service, rig.worker, made)
    assert rig.ended(made.run_id).ending == Played()
    assert holder(rig, made.run_id) == rig.worker.executor_id
