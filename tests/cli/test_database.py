"""`hustings db`, and where the database is."""

import json
import stat
import time
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from hustings.config.paths import address
from hustings.db.connection import connect
from hustings.errors import Unsuitable
from tests.rig.fixtures import database_url, postgres_url  # noqa: F401
from tests.rig.postgres import administer, server_url

from .engine import debate, run


def test_without_a_name_the_database_is_in_the_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert address("") == f"sqlite:///{tmp_path}/hustings/hustings.db"
    assert not any(tmp_path.iterdir())


def test_the_data_folder_is_made_with_the_database_and_is_its_users_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run("db", "upgrade").exit_code == 0
    assert stat.S_IMODE((tmp_path / "hustings").stat().st_mode) == 0o700


def test_without_a_data_folder_it_is_in_the_customary_one(tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert address("") == f"sqlite:///{tmp_path}/.local/share/hustings/hustings.db"


def test_a_database_that_is_empty_says_so_until_a_debate_is_held_in_it(postgres_url):  # noqa: F811
    with pytest.raises(Unsuitable, match="this database has no debates yet: hold one: hustings run"):
        run("list", "--database", postgres_url)
    debate("--database", postgres_url, "-m", "improviser", "--judges", "none")
    assert run("list", "--database", postgres_url).exit_code == 0


def test_a_database_is_made_ready_and_may_be_again(database_url):  # noqa: F811
    made = [json.loads(run("db", "upgrade", "--database", database_url, "--json").stdout) for _ in range(2)]
    assert [each["ready"] for each in made] == [True, True]
    assert run("list", "--database", database_url).exit_code == 0


def test_a_database_that_cannot_be_reached_does_not_give_its_password_away():
    with pytest.raises(Unsuitable, match="check that it is running") as caught:
        run("list", "--database", "postgresql://me:pass-word@127.0.0.1:1/none")
    assert "pass-word" not in str(caught.value)


@pytest.mark.parametrize("coding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_cannot_store_every_script_is_refused_with_what_to_do(coding):
    server, name = server_url(), f"hustings_{uuid4().hex}"
    administer(server, f"create database {name} encoding '{coding}' locale 'C' template template0")
    try:
        with pytest.raises(Unsuitable, match=f"stores text as {coding}, .*with ENCODING 'UTF8'"):
            run("list", "--database", urlsplit(server)._replace(path=f"/{name}").geturl())
    finally:
        administer(server, f"drop database {name} with (force)")


def test_a_database_of_another_kind_is_refused():
    with pytest.raises(Unsuitable, match="unknown kind of database: 'mysql'"):
        run("list", "--database", "mysql://127.0.0.1/none")


def test_what_is_pruned_leaves_transcript_and_events(tmp_path):
    url = f"sqlite:///{tmp_path}/hustings.db"
    run_id, told = debate("-m", "improviser", "--database", url)
    time.sleep(0.01)
    gone = json.loads(run("db", "prune", "--days", 0, "--answers-days", 0, "--database", url, "--json").stdout)
    assert gone == {"runs": 1, "answers": 6}
    shown = run("show", run_id, "--events", "--json", "--database", url).stdout
    assert len(shown.splitlines()) == len(told) - 2
    assert run("show", run_id, "--transcript", "--database", url).exit_code == 0
    connect(url).close()


def test_a_debate_is_the_same_after_backup_and_restore(tmp_path):
    url, other = (f"sqlite:///{tmp_path}/{name}.db" for name in ("first", "second"))
    run_id, _ = debate("-m", "improviser", "--database", url)
    made = json.loads(run("db", "backup", tmp_path / "backup.zip", "--database", url, "--json").stdout)
    put = json.loads(run("db", "restore", tmp_path / "backup.zip", "--database", other, "--json").stdout)
    assert made["tables"] == put["tables"]
    shown, again = (run("show", run_id, "--transcript", "--database", where).stdout for where in (url, other))
    assert shown == again
    assert run("replay", run_id, "--database", other, "--speed", 1000, "--display", "plain").exit_code == 0


# -- limits of an owner ----------------------------------------------------------------------


@pytest.fixture
def cap(tmp_path, monkeypatch):
    """What `hustings db cap` says."""
    monkeypatch.setenv("HUSTINGS_DATABASE", f"sqlite:///{tmp_path}/capped.db")
    return lambda *options: run("db", "cap", *options).stdout


def test_to_look_at_the_limits_changes_none_of_them(cap):
    cap("--day", 5, "--total", 40)
    shown = "local: 5.00 USD per day, 40.00 USD in total.\n"
    assert (cap(), cap(), json.loads(cap("--json"))) == (shown, shown, {"owner": "local", "day": 5.0, "total": 40.0})


def test_one_limit_is_changed_or_removed_without_the_other(cap):
    cap("--day", 5)
    assert cap("--total", 9) == "local: 5.00 USD per day, 9.00 USD in total.\n"
    assert cap("--day", "none") == "local: no limit per day, 9.00 USD in total.\n"
    assert cap("--total", "none") == cap() == "local: no limit per day, no limit in total.\n"


def test_a_small_limit_is_shown_whole(cap):
    assert cap("ann", "--day", 0.004) == cap("ann") == "ann: 0.004 USD per day, no limit in total.\n"


@pytest.mark.parametrize("text", ["five", "-1", "nan", ""])
def test_a_limit_that_is_no_amount_is_refused_and_the_old_one_stays(cap, text):
    cap("--day", 5)
    with pytest.raises(Unsuitable, match="is no amount of money"):
        cap(f"--day={text}")
    assert cap().startswith("local: 5.00 USD per day")
