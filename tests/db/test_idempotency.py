"""What is asked for twice under one key is done once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from hustings.db.run_rows import DAY, Conflict, RequestKey, claim_key
from hustings.db.tables import REQUEST


def test_a_fresh_key_is_claimed(db):
    assert claim_key(db, "ann", RequestKey("k", "d"), "run-1") is None


def test_the_same_request_again_leads_to_the_run_of_the_first(db):
    claim_key(db, "ann", RequestKey("k", "d"), "run-1")
    assert claim_key(db, "ann", RequestKey("k", "d"), "run-2") == "run-1"


def test_the_same_key_for_something_else_is_refused(db):
    claim_key(db, "ann", RequestKey("k", "d"), "run-1")
    with pytest.raises(Conflict):
        claim_key(db, "ann", RequestKey("k", "other"), "run-2")


def test_a_key_of_somebody_else_is_another_key(db):
    claim_key(db, "ann", RequestKey("k", "d"), "run-1")
    assert claim_key(db, "bob", RequestKey("k", "other"), "run-2") is None


def test_a_key_is_forgotten_after_a_day(db):
    claim_key(db, "ann", RequestKey("k", "d"), "run-1")
    db.execute(sa.update(REQUEST).values(at=REQUEST.c.at - DAY - 1))
    assert claim_key(db, "ann", RequestKey("k", "other"), "run-2") is None


def test_of_many_who_ask_at_the_same_time_one_is_first(database):
    def ask(n):
        with database.writing() as db:
            return claim_key(db, "ann", RequestKey("race", "d"), f"run-{n}") or f"run-{n}"

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ask, range(24)))) == 1
