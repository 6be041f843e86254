"""`hustings label`: a person labels turns without seeing what models said of them."""

import json
import logging

import pytest
from typer.testing import CliRunner

from hustings.errors import NotFound
from hustings.main import app
from tests.rig.postgres import ready_sqlite_file

from .engine import debate, run


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    return ready_sqlite_file(tmp_path_factory.mktemp("labels"))


@pytest.fixture(autouse=True)
def _at_home(url, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", url)


@pytest.fixture
def held(url):
    return debate(
        "-m", "improviser", "--database", url, "--set", "rounds=2", "--set", "seats=2", protocol="roundtable"
    )[0]


def typing(*arguments, lines):
    """The command, with what a person types."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input="\n".join(lines) + "\n")
    logging.getLogger("dbos").handlers.clear()
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_every_turn_is_asked_about_and_kept(held):
    told = typing("label", held, lines=["consistent", "L1", "stub", "none", "2", "5", "other", "L3"])
    assert f"{held}: 4 turns labelled\n" in told.stdout
    assert "Agreement on verdicts: unknown, no labelled turn was evaluated" in told.stdout
    assert "Evaluations are not checked against people: 4 of 200 labels" in told.stdout
    again = typing("label", held, lines=[])
    assert f"{held}: 0 turns labelled\n" in again.stdout


def test_what_models_said_is_not_shown_before_the_person_has_spoken(held):
    run("evaluate", held, "--judges", "improviser", "--tier", "quick", "--display", "quiet")
    told = typing("label", held, lines=["cannot tell", "cannot tell"]).stdout
    asked, _, after = told.partition("1 turn labelled")
    assert not any(word in asked for word in ("ρ", "INCONSISTENT", "pillar"))
    assert ", 3 left" in after


def test_a_person_may_leave_and_what_was_said_is_kept(held):
    told = typing("label", held, "--turns", "2", "--by", "Ana", lines=["consistent", "none"])
    assert f"{held}: 1 turn labelled, 1 left\n" in told.stdout
    assert told.stderr == f"Next: hustings label {held}\n"


def test_programs_read_agreement_alone_from_standard_output(held):
    told = typing("label", held, "--turns", "1", "--json", lines=["consistent", "none"])
    assert json.loads(told.stdout)["labelled"] == 1


def test_a_debate_that_is_not_there_cannot_be_labelled():
    with pytest.raises(NotFound):
        typing("label", "none", lines=[])
