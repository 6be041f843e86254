"""A database that vanishes or stays away under a program: an error of ours that says how to go on."""

import threading
from urllib.parse import urlsplit

import pytest

from hustings import Unfinished, debate, resume
from hustings.api.shared_worker import SHARED_WORKERS
from hustings.db import outage
from hustings.db.outage import DatabaseGone
from tests.rig.postgres import ready_database, ready_sqlite_file
from tests.rig.proxy import proxied
from tests.rig.waiting import until

MOTION = "Should towns close their centres to cars?"


@pytest.fixture
def asked(provider):
    """What begins when a call is under way."""
    threads = []
    provider.reset()
    provider.plan(delay=0.5)

    def then(act):
        threads.append(threading.Thread(target=lambda: until(provider.calls) and act()))
        threads[-1].start()

    yield then
    for thread in threads:
        thread.join()
    SHARED_WORKERS.close()  # what was left asks no more, or the next test would take that for a call of its own
    provider.plan(delay=0.0)


def test_a_database_file_that_is_gone_is_an_error_and_no_result(provider, asked, tmp_path):
    ready_sqlite_file(tmp_path)
    asked(lambda: [file.unlink() for file in tmp_path.glob("hustings.db*")])
    with pytest.raises(DatabaseGone, match="Not saved from here on"):
        debate(MOTION, model=f"openai_compatible/m@{provider.base_url}", judges=None, database=tmp_path / "hustings.db")


def test_a_database_that_stays_away_leaves_a_debate_unfinished_and_it_is_resumed(provider, asked, monkeypatch):
    monkeypatch.setattr(outage, "PATIENCE", 0.5)
    with ready_database() as near, proxied("127.0.0.1", urlsplit(near).port or 5432) as door:
        address = urlsplit(near)
        far = address._replace(netloc=f"{address.username}@127.0.0.1:{door.port}").geturl()
        asked(door.down)
        with pytest.raises(Unfinished, match="the database does not answer") as stopped:
            debate(MOTION, model=f"openai_compatible/m@{provider.base_url}", judges=None, database=far)
        door.up()
        assert resume(stopped.value.run_id, judges=None, database=far).ending.kind == "played"
        assert provider.ledger()["served_again"] == 0
        SHARED_WORKERS.close()
