"""`--tools`: what speakers had fetched can be read, exported and checked like any document."""

import json

import pytest

from hustings.errors import Unsuitable
from tests.rig.postgres import ready_sqlite_file
from tests.rig.tool_server import tool_server

from .engine import run

TOPIC = "Should towns close their centres to cars?"


@pytest.fixture(scope="module", autouse=True)
def here(tmp_path_factory):
    """A machine with one tool."""
    folder = tmp_path_factory.mktemp("tools")
    settings = folder / "config" / "hustings"
    settings.mkdir(parents=True)
    command = json.dumps([*tool_server("honest", folder / "calls").command])
    (settings / "config.toml").write_text(
        f'[tools.shops]\ncommand = {command}\nallow = ["search"]\nabout = "Finds facts about shops"\ncalls = 1\n'
        "price = 0.01\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        patch.setenv("HUSTINGS_DATABASE", ready_sqlite_file(folder))
        yield folder


@pytest.fixture(scope="module")
def debated(here):
    return run("run", TOPIC, "-p", "roundtable", "-m", "improviser", "--tools", "shops", "--allow-tools")


def test_without_a_terminal_nothing_is_started_unless_it_is_allowed(here):
    with pytest.raises(Unsuitable, match="a tool needs your yes before it is started: add --allow-tools"):
        run("run", TOPIC, "-m", "improviser", "--tools", "shops")
    assert not (here / "calls").exists()


def test_the_command_is_named_and_the_estimate_knows_its_price(here):
    told = run("run", TOPIC, "-m", "improviser", "--tools", "shops", "--allow-tools", "--estimate", "--json")
    assert "The tool shops (config.toml) runs env -C" in told.stderr
    found = json.loads(told.stdout)
    rows = {row["seat"]: row for row in found["parts"][0]["seats"]}
    assert (rows["tool_shops"]["paid"], rows["tool_shops"]["worst"]["money"]) == ("priced", 20_000)
    assert not (here / "calls").exists()


def test_what_came_back_is_told(debated):
    assert "DOC-1: fetched by shops for" in debated.stdout
    assert "not vouched for" in debated.stdout


def test_what_was_fetched_is_listed_and_can_be_read(debated, here):
    shown = run("show", "last").stdout
    assert "DOC-1: fetched by shops for" in shown
    assert json.loads(run("show", "last", "--json").stdout)["spent"] == 0.03
    read = run("show", "last", "--document", "DOC-1").stdout
    assert "DOC-1.1\nOf 900 shops 210 lost customers in the first year." in read


def test_reports_name_it(debated):
    text = run("show", "last", "--transcript").stdout
    assert "- Document DOC-1: fetched by shops for" in text
    page = run("export", "last", "--to", "html", "-o", "-").stdout
    assert "fetched by shops for" in page


def test_quotes_are_found_again_in_the_exported_documents(debated, here):
    run("export", "last", "--to", "transcript", "-o", "debate.json", "--with-documents", "texts")
    checked = run("validate", "debate.json", "--documents", "texts")
    assert "quotes from documents stand in texts" in checked.stdout
    accepted, _, every = checked.stdout.partition(" quotes from documents")[0].split()[-3:]
    assert accepted == every != "0"
