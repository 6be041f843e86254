"""A token opens what its owner has, and whoever reads the database has none."""

from contextlib import closing

import pytest
import sqlalchemy as sa

from hustings.db import activity, migrate, tokens
from hustings.db.connection import connect
from hustings.db.tables import TOKEN
from hustings.db.tokens import Access, Credential
from hustings.errors import NotFound, Unsuitable
from tests.rig.postgres import sqlite_file


@pytest.fixture(autouse=True)
def _none_left(database):
    with database.writing() as db:
        db.execute(sa.delete(TOKEN))


def owner_of(database, token):
    access = tokens.access_of(database, Credential(token))
    return access and access.owner


def test_a_token_leads_to_its_owner(database):
    ann, bob = tokens.issue(database, Access("ann")), tokens.issue(database, Access("bob"))
    assert [owner_of(database, token) for token in (ann, bob)] == ["ann", "bob"]


@pytest.mark.parametrize("wrong", ["", "x", "a" * 43, "%", "é"])
def test_what_is_no_token_leads_to_nobody(database, wrong):
    tokens.issue(database, Access("ann"))
    assert owner_of(database, wrong) is None


def test_what_is_stored_is_no_token(database):
    token = tokens.issue(database, Access("ann"), "laptop")
    with database.reading() as db:
        row = db.execute(sa.select(TOKEN)).one()
    assert token not in str(row)
    assert owner_of(database, row.digest) is None


def test_no_two_tokens_are_alike_and_none_is_short(database):
    made = {tokens.issue(database, Access("ann")) for _ in range(20)}
    assert (len(made), min(map(len, made))) == (20, 43)


def test_a_token_that_is_taken_back_opens_nothing_and_the_others_still_do(database):
    first, second = tokens.issue(database, Access("ann"), "old"), tokens.issue(database, Access("ann"), "new")
    tokens.revoke(database, next(token.id for token in tokens.every(database) if token.name == "old"))
    assert [owner_of(database, token) for token in (first, second)] == [None, "ann"]


@pytest.mark.parametrize(("which", "error"), [("", Unsuitable), ("%" * 12, NotFound), ("0" * 12, NotFound)])
def test_what_names_no_token_takes_none_back(database, which, error):
    tokens.issue(database, Access("ann"))
    with pytest.raises(error):
        tokens.revoke(database, which)
    assert tokens.ever_issued(database)


def test_it_is_told_when_a_token_was_used(database):
    token = tokens.issue(database, Access("ann"))
    before = tokens.every(database)[0].used_at
    owner_of(database, token)
    shown = tokens.every(database)[0]
    assert before is None
    assert abs(shown.used_at - shown.created_at) < 60


@pytest.mark.parametrize("name", ["", "a:b", "a b", "-a", "a" * 65, "a\n"])
def test_an_owner_whose_name_could_be_taken_for_something_else_gets_no_token(database, name):
    with pytest.raises(Unsuitable, match="can't be an owner's name"):
        tokens.issue(database, Access(name))


def test_without_tokens_there_are_none(database):
    assert tokens.every(database) == []


def only(database):
    return tokens.every(database)[0].id


def test_a_database_whose_last_token_was_revoked_is_not_taken_for_one_that_never_had_any(tmp_path):
    with closing(connect(sqlite_file(tmp_path))) as database:
        migrate.upgrade(database)
        before = tokens.ever_issued(database)
        tokens.issue(database, Access("ann"))
        tokens.revoke(database, only(database))
        assert (before, tokens.ever_issued(database)) == (False, True)


def test_a_token_keeps_its_role_its_debate_and_its_seat(database):
    token = tokens.issue(database, Access("ann", "seat", "run-1", "pro"))
    access = tokens.access_of(database, Credential(token))
    assert access == Access("ann", "seat", "run-1", "pro", holder=only(database))


def test_a_token_expires(database):
    later, past = (tokens.issue(database, Access("ann"), seconds=seconds) for seconds in (60.0, -1.0))
    assert [owner_of(database, token) for token in (later, past)] == ["ann", None]


def test_a_rotated_token_opens_beside_its_successor_until_the_overlap_is_over(database):
    old = tokens.issue(database, Access("ann", "viewer"), "laptop")
    new = tokens.rotate(database, only(database), 60.0)
    assert [owner_of(database, token) for token in (old, new)] == ["ann", "ann"]
    with database.writing() as db:
        db.execute(sa.update(TOKEN).where(TOKEN.c.expires.is_not(None)).values(expires=1.0))
    assert [owner_of(database, token) for token in (old, new)] == [None, "ann"]


def test_a_rotated_token_keeps_role_name_and_holder(database):
    old = tokens.issue(database, Access("ann", "judge"), "laptop")
    new = tokens.rotate(database, only(database), 60.0)
    first, second = (tokens.access_of(database, Credential(token)) for token in (old, new))
    assert (first, {kept.name for kept in tokens.every(database)}) == (second, {"laptop"})


def test_rotation_does_not_lengthen_the_life_of_a_token(database):
    tokens.issue(database, Access("ann"), seconds=60.0)
    tokens.rotate(database, only(database), 3_600.0)
    assert max(kept.expires - kept.created_at for kept in tokens.every(database)) < 90


def test_an_expired_token_is_not_rotated(database):
    tokens.issue(database, Access("ann"), seconds=-1.0)
    with pytest.raises(Unsuitable, match="has expired"):
        tokens.rotate(database, only(database), 60.0)


def test_many_tokens_and_sessions_are_checked_at_once(database):
    ann, bob = (tokens.issue(database, Access(name)) for name in ("ann", "bob"))
    given = {Credential(ann), Credential(bob), Credential(session=tokens.open_session(database, bob))}
    made_up = {Credential("made-up"), Credential(session=ann), Credential()}
    assert tokens.valid(database, given | made_up) == given
    tokens.revoke(database, next(kept.id for kept in tokens.every(database) if kept.access.owner == "bob"))
    assert tokens.valid(database, given | made_up) == {Credential(ann)}


def test_the_activity_log_tells_who_made_rotated_and_revoked_a_token(database):
    tokens.issue(database, Access("ann", "viewer"), by="user:ops")
    first = only(database)
    tokens.rotate(database, first, 0.0, by="user:ops")
    tokens.revoke(database, first, by="user:eve")
    with database.reading() as db:
        found = activity.latest(db, 3, subject=first)
    assert [(row.actor, row.action) for row in found] == [
        ("user:eve", "token revoked"),
        ("user:ops", "token rotated"),
        ("user:ops", "token added"),
    ]
