from uuid import uuid4

import pytest
import sqlalchemy as sa

from hustings.db import leases
from hustings.db.tables import LEASE

from .databases import fresh


@pytest.fixture
def worker(database):
    name = uuid4().hex
    leases.take(database, name, 60)
    return name


def run_out(database, worker):
    with database.writing() as db:
        db.execute(sa.update(LEASE).where(LEASE.c.executor_id == worker).values(expires=database.now - 1))


def held(database, worker):
    with database.writing() as db:
        return leases.holds(db, worker)


def test_whoever_takes_a_lease_holds_it(database, worker):
    assert (held(database, worker), worker in leases.alive(database)) == (True, True)


def test_a_lease_is_not_expired_before_its_time(database, worker):
    assert worker not in leases.expired(database)


def test_a_lease_that_ran_out_is_expired_and_still_held(database, worker):
    run_out(database, worker)
    assert (worker in leases.expired(database), held(database, worker)) == (True, True)


def test_a_late_renewal_counts_as_long_as_nobody_took_the_lease_away(database, worker):
    run_out(database, worker)
    assert (leases.renew(database, worker, 60), worker in leases.expired(database)) == (True, False)


def test_a_lease_that_ran_out_can_be_taken_away_for_good(database, worker):
    run_out(database, worker)
    leases.take_away(database, {worker})
    assert (held(database, worker), leases.renew(database, worker, 60)) == (False, False)


def test_a_lease_that_was_renewed_meanwhile_is_not_taken_away(database, worker):
    leases.take_away(database, {worker})
    assert held(database, worker)


def test_a_lease_that_is_given_back_is_gone(database, worker):
    leases.release(database, worker)
    assert worker not in leases.alive(database)


def test_taking_nobodys_lease_away_is_harmless(database, worker):
    leases.take_away(database, set())
    assert held(database, worker)


def test_whoever_takes_a_lease_away_waits_for_the_writes_of_its_holder(tmp_path):
    with fresh("postgresql", tmp_path) as database:
        leases.take(database, "w", -1)
        with database.writing() as db:
            leases.holds(db, "w")
            with database.engine.connect() as other:
                other.execute(sa.text("set local lock_timeout = '100ms'"))
                with pytest.raises(sa.exc.OperationalError, match="lock timeout"):
                    other.execute(sa.delete(LEASE))


def test_the_writes_of_several_workers_do_not_wait_for_each_other(tmp_path):
    with fresh("postgresql", tmp_path) as database:
        leases.take(database, "w", 60)
        with database.writing() as db, database.writing() as other:
            assert (leases.holds(db, "w"), leases.holds(other, "w")) == (True, True)
