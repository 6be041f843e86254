"""`hustings tokens`: shown once, listed without their secret, taken away."""

import json

import pytest

from hustings.errors import Unsuitable

from .engine import run


def test_a_token_is_shown_once_and_then_only_whose_it_is(tmp_path):
    where = ("--database", f"sqlite:///{tmp_path}/tokens.db")
    token = run("tokens", "add", "ann", "--name", "laptop", *where).stdout.strip()
    listed = run("tokens", "list", *where).stdout
    assert (len(token), "ann" in listed, "laptop" in listed, token in listed) == (43, True, True, False)


def test_a_token_that_was_taken_away_is_gone(tmp_path):
    where = ("--database", f"sqlite:///{tmp_path}/tokens.db")
    run("tokens", "add", "ann", *where)
    (row,) = json.loads(run("tokens", "list", "--json", *where).stdout)
    assert json.loads(run("tokens", "revoke", row["id"], "--json", *where).stdout)["left"] == 0
    assert json.loads(run("tokens", "list", "--json", *where).stdout) == []


def test_a_name_that_is_none_is_refused(tmp_path):
    with pytest.raises(Unsuitable, match="can't be an owner's name"):
        run("tokens", "add", "no owner", "--database", f"sqlite:///{tmp_path}/tokens.db")
