"""A model that always answers in a habit of its own ends its debate: over HTTP, with the command of a user."""

import json

import pytest

from tests.rig.provider import serving
from tests.rig.provider_faults import HABITS

from .engine import run

TOPIC = "Should towns close their centres to cars?"
OF_SERVERS = ("parts", "null_beside_thinking", "tool_call")
SHORT = {"structured": (), "roundtable": ("--set", "seats=2", "--set", "rounds=1")}


@pytest.fixture(scope="module")
def provider():
    with serving() as running:
        yield running


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HUSTINGS_DATABASE", f"sqlite:///{tmp_path}/hustings.db")


def test_there_are_ten_habits():
    assert len(HABITS) == 10


@pytest.mark.parametrize("habit", [*HABITS, *OF_SERVERS])
@pytest.mark.parametrize(
    "protocol",
    [
        "structured",
        pytest.param("roundtable", marks=pytest.mark.nightly("plain words; forms are tried on every change")),
    ],
)
def test_a_model_with_a_habit_ends_its_debate(provider, protocol, habit):
    provider.reset()
    model = f"openai_compatible/m@{provider.always(habit)}"
    ended = run("run", TOPIC, "-p", protocol, *SHORT[protocol], "-m", model, "--json")
    shown = json.loads(run("show", "last", "--json").stdout)
    assert (ended.exit_code, shown["ending"]) == (0, "played")
    assert provider.ledger()["calls"] == provider.ledger()["keys"] == shown["calls"], "no answer was asked for again"
