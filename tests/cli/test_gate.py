"""`hustings run --fail-on`: a protocol's own verdict as an exit code."""

import json

import pytest

from hustings.cli.gate import VerdictGate, gate_code
from hustings.cli.options import Place
from hustings.errors import Unsuitable

from .engine import TOPIC, run

GATE = VerdictGate(("accept", "revise", "reject"), "revise")
PLAN = "# Buses first\n\nThe centre closes to cars on 1 May. Buses run every ten minutes from then on.\n"


@pytest.fixture
def critique(tmp_path):
    """Run an improvised critique of a plan."""
    (tmp_path / "plan.md").write_text(PLAN, "utf-8")
    usual = ("--file", tmp_path / "plan.md", "-p", "critique", "-m", "improviser", "--judges", "none")
    return lambda *more: run("run", *usual, "--database", f"sqlite:///{tmp_path}/h.db", *more)


def told(finished):
    events = [json.loads(line) for line in finished.stdout.splitlines()]
    (found,) = [event for event in events if event["kind"] == "gate"]
    return found


@pytest.mark.parametrize("fail_on", ["revise", "reject"])
def test_a_verdict_at_the_limit_or_beyond_it_ends_in_6(critique, fail_on):
    finished = critique("--fail-on", fail_on, "--set", "reply=true", "--json")
    assert told(finished)["verdict"] == "revise"
    assert (finished.exit_code, told(finished)["fails"]) == ((6, True) if fail_on == "revise" else (0, False))


def test_the_verdict_is_said_with_its_reason(critique):
    assert "Verdict: accept. No verified objection is serious." in critique("--fail-on", "revise").stderr


def test_without_a_limit_a_critique_ends_like_any_other_debate(critique):
    finished = critique("--set", "reply=true")
    assert (finished.exit_code, "Verdict: revise" in finished.stderr) == (0, False)


@pytest.mark.parametrize(
    ("protocol", "more", "said"),
    [
        ("structured", ("--fail-on", "reject"), "gives no verdict to fail on: use --protocol critique"),
        ("critique", ("--fail-on", "reject", "--detach"), "--fail-on waits for the verdict"),
        ("critique", ("--fail-on", "accept"), "can't fail on 'accept': use revise or reject"),
    ],
)
def test_a_limit_that_could_never_be_met_is_refused_before_the_debate(protocol, more, said):
    with pytest.raises(Unsuitable, match=said):
        run("run", TOPIC, "-p", protocol, "-m", "improviser", *more)


@pytest.mark.parametrize("code", [1, 3, 4, 130])
def test_a_run_that_did_not_finish_keeps_its_own_code(code):
    assert gate_code(code, "whatever", GATE, Place()) == code


@pytest.mark.parametrize(("verdict", "fails"), [(None, False), ("accept", False), ("revise", True), ("reject", True)])
def test_a_verdict_fails_from_the_limit_on(verdict, fails):
    assert GATE.fails(verdict) is fails


def test_no_verdict_ends_in_5(tmp_path):
    """Without a critic that answers, there is nothing to go by."""
    database = f"sqlite:///{tmp_path}/h.db"
    finished = run(
        "run", TOPIC, "-p", "critique", "-m", "improviser", "--judges", "none", "--max-calls", "0", "--fail-on",
        "revise", "--database", database,
    )  # fmt: skip
    assert finished.exit_code == 3
    assert gate_code(0, _only(database), GATE, Place(database=database)) == 5


def _only(database):
    (found,) = json.loads(run("list", "--json", "--database", database).stdout)
    return found["run_id"]
