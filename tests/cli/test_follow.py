"""How a run is shown is chosen by an option or a variable, the same for every command that tells one."""

import pytest

from hustings.cli.commands.batch import stands
from tests.rig.postgres import ready_sqlite_file

from .engine import TOPIC, events_of, run

DEBATE = ("run", TOPIC, "-m", "improviser", "--judges", "none")


@pytest.fixture(autouse=True)
def _at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", ready_sqlite_file(tmp_path))


def test_quiet_shows_nothing_and_tells_the_end():
    told = run(*DEBATE, "--display", "quiet")
    assert (told.stdout, "Finished: 6 calls, 0 tokens, 0.0000 USD\n" in told.stderr) == ("", True)


def test_the_display_may_come_from_a_variable(monkeypatch):
    monkeypatch.setenv("HUSTINGS_DISPLAY", "json")
    told = events_of(run(*DEBATE).stdout)
    assert [told[0]["kind"], told[-1]["kind"]] == ["launched", "done"]


def test_a_display_that_is_not_there_is_wrong_usage():
    assert run(*DEBATE, "--display", "loud").exit_code == 2


def test_a_batch_says_how_far_it_is():
    how = {"played": 11, "budget_stopped": 1, "running": 4, "waiting": 34}
    assert stands(how, 50, 0.12) == "12 of 50 done · 1 limit reached, 11 finished, 4 running, 34 waiting · $0.1200"
