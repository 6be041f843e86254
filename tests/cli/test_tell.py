"""`hustings tell`: a person gives speakers an instruction while their debate goes on."""

import json

import pytest

from hustings.errors import Unsuitable
from tests.rig.postgres import ready_sqlite_file

from .engine import TOPIC, run


@pytest.fixture(autouse=True)
def _at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", ready_sqlite_file(tmp_path))
    monkeypatch.chdir(tmp_path)


def begun(*options):
    """Id of a debate that waits for a worker."""
    told = run("run", TOPIC, "-m", "improviser", "-p", "roundtable", "--judges", "none", "--detach", "--json", *options)
    return json.loads(told.stdout)["run_id"]


def test_a_debate_without_retries_names_the_option_that_lets_people_speak():
    with pytest.raises(Unsuitable, match="--retries 1"):
        run("tell", begun(), "Be brief.")


def test_speakers_are_told_words():
    told = json.loads(run("tell", begun("--retries", "1"), "Be brief.", "--seat", "ada", "--json").stdout)
    assert told["told"] == ["ada"]
