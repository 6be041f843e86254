"""`hustings catalogue`, and choosing from it: personalities, topics, panels."""

import json

import pytest

from hustings.errors import BrokenFile, Unsuitable

from .engine import debate, run


@pytest.fixture(scope="module", autouse=True)
def here(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("catalogue")
        patch.chdir(folder)
        patch.setenv("HUSTINGS_DATABASE", f"sqlite:///{folder}/hustings.db")
        yield folder


def participants(*options, **more):
    run_id, _ = debate(*options, "-m", "improviser", **more)
    return json.loads(run("show", run_id, "--transcript", "--json").stdout)["participants"]


def test_everything_that_can_be_chosen_is_listed():
    lines = run("catalogue").stdout.splitlines()
    assert [line for line in lines if line and line == line.capitalize() and not line.startswith(("-", " "))] == [
        "Personalities",
        "Lenses",
        "Topics",
    ]
    assert "  diplomatic   grants what is true, then turns it to use" in lines


def test_one_kind_can_be_listed_alone_and_as_data():
    assert "Topics" not in run("catalogue", "lenses").stdout
    told = json.loads(run("catalogue", "topics", "--json").stdout)
    assert {name: value for name, value in told["topics"][0].items() if name != "text"} == {
        "id": "four_day_week",
        "language": "en",
        "protocol": None,
    }


def test_entries_of_ones_own_are_listed(here):
    (here / "hustings.toml").write_text('[topics.buses]\ntext = "Should buses run at night?"\n')
    try:
        assert "  buses " in run("catalogue", "topics").stdout
    finally:
        (here / "hustings.toml").unlink()


def test_a_topic_is_debated_by_its_name():
    _, told = debate("-m", "improviser", topic="topic:four_day_week")
    header = next(event["header"] for event in told if event["kind"] == "debate_started")
    assert header["debate_metadata"]["topic"].startswith("A four-day working week")


def test_a_personality_is_chosen_for_a_seat_and_recorded():
    seats = participants("--persona", "pro=diplomatic", "--persona", "con=devil")
    assert [seat["tags"] for seat in seats] == [["persona:diplomatic"], ["persona:devil"]]


def test_a_persona_without_a_name_is_refused():
    with pytest.raises(Unsuitable, match="--persona 'pro'"):
        run("run", "Is it so?", "-m", "improviser", "--persona", "pro")


SHORT = ("--set", "max_exchanges=1")


@pytest.mark.parametrize("option", ["--panel", "--set"])
def test_a_panel_is_written_as_one_would_say_it(option):
    said = "Ada: engineer, nuclear, Ben: nurse"
    seats = participants(option, said if option == "--panel" else f"panel={said}", *SHORT, protocol="moderated")
    assert [seat["display_name"] for seat in seats] == ["Moderator", "Ada, engineer, nuclear", "Ben, nurse"]


def test_a_panel_comes_from_a_file(here):
    (here / "panel.txt").write_text("# Who comes\nAda: engineer\n\nBen: nurse\n")
    seats = participants("--panel", "panel.txt", *SHORT, protocol="moderated")
    assert [seat["display_name"] for seat in seats] == ["Moderator", "Ada, engineer", "Ben, nurse"]
    with pytest.raises(BrokenFile, match="there is no file"):
        run("run", "Is it so?", "-p", "moderated", "--panel", "./nobody.txt", "-m", "improviser")
