"""Who executes a run: taken up here or from the queue, and handed on when its worker is dead."""

from uuid import uuid4

import pytest
import sqlalchemy as sa

from hustings.db import leases, run_holders, run_rests, run_rows
from hustings.db.tables import RUN


@pytest.fixture
def run(db):
    """A run on record that nobody has."""
    run_id = uuid4().hex
    row = {"run_id": run_id, "owner": "ann", "protocol": "p/1", "topic": "t", "created_at": "2026", "spec": "{}"}
    run_rows.enter(db, [row])
    return run_id


def has(db, run_id):
    row = db.execute(sa.select(RUN.c.executor_id, RUN.c.resumptions, RUN.c.rests_until).where(RUN.c.run_id == run_id))
    return tuple(row.one())


def change(db, run_id, **values):
    db.execute(sa.update(RUN).where(RUN.c.run_id == run_id).values(values))


def living(db, name, seconds=60.0):
    db.execute(sa.insert(leases.LEASE).values(executor_id=name, expires=leases.now() + seconds))
    return name


def test_a_run_is_claimed_under_its_number_alone(db, run):
    assert run_holders.claim(db, run, "w", 1) is None
    assert run_holders.claim(db, run, "w", 0)["run_id"] == run
    assert has(db, run) == ("w", 0, None)


@pytest.mark.parametrize("state", [{"state": "ended"}, {"state": "broken"}, {"rests_until": 1.0}, {"executor_id": "v"}])
def test_a_run_that_is_over_rests_or_has_a_worker_is_not_claimed(db, run, state):
    change(db, run, **state)
    assert run_holders.claim(db, run, "w", 0) is None


def test_a_run_that_is_taken_up_has_a_new_number(db, run):
    assert run_holders.take(db, run, "w") == run_holders.TakenUp(1, began=False, after="")
    assert has(db, run) == ("w", 1, None)


def test_a_run_is_not_taken_from_a_worker_that_lives(db, run):
    change(db, run, executor_id=living(db, uuid4().hex))
    assert run_holders.take(db, run, "w") is None


def test_a_run_is_taken_from_a_worker_whose_lease_ran_out(db, run):
    dead = living(db, uuid4().hex, -1.0)
    change(db, run, executor_id=dead, waves=1)
    assert run_holders.take(db, run, "w") == run_holders.TakenUp(1, began=True, after=dead)
    assert not leases.lives(db, dead)


@pytest.mark.parametrize("over", ["ended", "broken"])
def test_a_run_that_is_over_is_not_taken_up(db, run, over):
    change(db, run, state=over)
    assert run_holders.take(db, run, "w") is None


def test_a_run_of_a_dead_worker_is_an_orphan_and_is_handed_on_once(db, run):
    change(db, run, executor_id="dead")
    assert (run, "dead", 0) in map(tuple, run_holders.orphans(db))
    assert run_holders.hand_on(db, run, "dead", 0) == run_holders.TakenUp(1, began=False, after="dead", restarts=1)
    assert (run_holders.hand_on(db, run, "dead", 0), has(db, run)) == (None, ("", 1, None))


def test_neither_a_run_that_rests_nor_one_of_a_living_worker_is_an_orphan(db, run):
    change(db, run, executor_id="dead", rests_until=run_rests.FOREVER)
    resting = [*run_holders.orphans(db)]
    change(db, run, executor_id=living(db, uuid4().hex), rests_until=None)
    assert run not in [one.run_id for one in (*resting, *run_holders.orphans(db))]


def test_a_rest_ends_once(db, run):
    change(db, run, rests_until=1.0)
    assert (run_holders.take_rested(db, run, "w"), run_holders.take_rested(db, run, "v")) == (1, None)


def test_orphans_are_found_by_an_index(db):
    if db.dialect.name == "postgresql":
        db.execute(sa.text("set local enable_seqscan = off"))
    explain = "explain query plan " if db.dialect.name == "sqlite" else "explain "
    seen = []

    @sa.event.listens_for(db, "before_cursor_execute")
    def note(_connection, _cursor, statement, parameters, *_):
        seen.append((statement, parameters))

    run_holders.orphans(db)
    statement, parameters = seen[-1]
    assert "hustings_run_held" in str(db.exec_driver_sql(explain + statement, parameters).all())
