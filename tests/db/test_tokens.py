"""A token opens what its owner has, and whoever reads the database has none."""

import pytest
import sqlalchemy as sa

from hustings.db import tokens
from hustings.db.tables import TOKEN
from hustings.errors import NotFound, Unsuitable


@pytest.fixture(autouse=True)
def _none_left(database):
    with database.writing() as db:
        db.execute(sa.delete(TOKEN))


def test_a_token_leads_to_its_owner(database):
    ann, bob = tokens.issue(database, "ann"), tokens.issue(database, "bob")
    assert [tokens.owner_of(database, token) for token in (ann, bob)] == ["ann", "bob"]


@pytest.mark.parametrize("wrong", ["", "x", "a" * 43, "%", "é"])
def test_what_is_no_token_leads_to_nobody(database, wrong):
    tokens.issue(database, "ann")
    assert tokens.owner_of(database, wrong) is None


def test_what_is_stored_is_no_token(database):
    token = tokens.issue(database, "ann", "laptop")
    with database.reading() as db:
        row = db.execute(sa.select(TOKEN)).one()
    assert token not in str(row)
    assert tokens.owner_of(database, row.digest) is None


def test_no_two_tokens_are_alike_and_none_is_short(database):
    made = {tokens.issue(database, "ann") for _ in range(20)}
    assert (len(made), min(map(len, made))) == (20, 43)


def test_a_token_that_is_taken_back_opens_nothing_and_the_others_still_do(database):
    first, second = tokens.issue(database, "ann", "old"), tokens.issue(database, "ann", "new")
    tokens.revoke(database, next(token.id for token in tokens.every(database) if token.name == "old"))
    assert [tokens.owner_of(database, token) for token in (first, second)] == [None, "ann"]


@pytest.mark.parametrize(("which", "error"), [("", Unsuitable), ("%" * 12, NotFound), ("0" * 12, NotFound)])
def test_what_names_no_token_takes_none_back(database, which, error):
    tokens.issue(database, "ann")
    with pytest.raises(error):
        tokens.revoke(database, which)
    assert tokens.exist(database)


def test_it_is_told_when_a_token_was_used(database):
    token = tokens.issue(database, "ann")
    before = tokens.every(database)[0].used_at
    tokens.owner_of(database, token)
    shown = tokens.every(database)[0]
    assert before is None
    assert abs(shown.used_at - shown.created_at) < 60


@pytest.mark.parametrize("name", ["", "a:b", "a b", "-a", "a" * 65, "a\n"])
def test_an_owner_whose_name_could_be_taken_for_something_else_gets_no_token(database, name):
    with pytest.raises(Unsuitable, match="no name for an owner"):
        tokens.issue(database, name)


def test_without_tokens_there_are_none(database):
    assert (tokens.exist(database), tokens.every(database)) == (False, [])
