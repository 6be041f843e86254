"""A script follows the skill to the letter, without a key: it debates a document of twenty pages and reports it."""

import json
import re
import shlex
from pathlib import Path

import pytest

from hustings.cli.commands.skill import NAME
from hustings.runs.dossiers import judgement
from hustings.runs.queries import open_runs
from hustings.transcript.rules import check_document
from tests.cli.console import run
from tests.rig.provider_answers import good_answer

pytestmark = pytest.mark.timeout(600)
QUESTION = "Should the town close its market street to cars?"
PAGE = (
    "On this page the office counts what the street would gain and lose in month {n}. Of {shops} shops, {lost} expect "
    "fewer customers and {more} expect more. Buses would stop every {wait} minutes at both ends of the street. "
)
STEPS = ("start", "next", "answer", "show")


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A machine with the skill, a document, and no key."""
    folder = tmp_path_factory.mktemp("trial")
    pages = [PAGE.format(n=n, shops=900 + n, lost=210 + n, more=95 + n, wait=5 + n) * 8 for n in range(1, 21)]
    (folder / "plan.txt").write_text("\f".join(pages), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for kind in ("CONFIG", "DATA", "STATE"):
            patch.setenv(f"XDG_{kind}_HOME", str(folder / kind))
        patch.setenv("HUSTINGS_DATABASE", f"sqlite:///{folder}/hustings.db")
        run("skill", "install", "--to", folder)
        yield folder


class Follower:
    """Knows nothing but the text of the skill: its commands, with the words in capitals filled in."""

    def __init__(self, skill):
        found = [shlex.split(told) for told in re.findall(r"`(hustings [^`]+)`", skill)]
        self.lines = {line[1]: line[1:] for line in found if line[1] in STEPS}

    def does(self, step, *more, **words):
        filled = [words.get(word, word) for word in self.lines[step]]
        return run(*filled, *more).stdout

    def plays(self, run_id):
        """Answer every open question from its prompt and nothing else, until the run has ended."""
        while (wave := json.loads(self.does("next", RUN=run_id)))["state"] != "ended":
            for question in wave["questions"]:
                Path("answer.txt").write_text(answer_to(question), encoding="utf-8")
                self.does("answer", RUN=run_id, KEY=question["key"], FILE="answer.txt")
        return wave["next"]


def answer_to(question):
    schema = question.get("form_schema")
    form = {"response_format": {"json_schema": {"schema": schema}}} if schema else {}
    return good_answer({"messages": [{"content": question["prompt"]}], **form}, question["key"], 1)


@pytest.fixture(scope="module")
def reported(here):
    """The id of the debate, and the report."""
    follower = Follower((here / NAME / "SKILL.md").read_text("utf-8"))
    begun = follower.does("start", "--file", "plan.txt", QUESTION=QUESTION, **{"YOUR-MODEL-NAME": "claude-opus-4"})
    run_id = json.loads(begun)["run_id"]
    judging = re.search(r"hustings next (\S+)", follower.plays(run_id))[1]
    follower.plays(judging)
    return run_id, " ".join(follower.does("show", RUN=run_id).split())


def test_the_skill_has_a_command_for_every_step(here):
    assert set(Follower((here / NAME / "SKILL.md").read_text("utf-8")).lines) == set(STEPS)


def test_the_report_holds_every_caveat_word_for_word(here, reported):
    run_id, report = reported
    with open_runs(f"sqlite:///{here}/hustings.db") as runs:
        found = judgement(runs, run_id)
    assert found.degraded
    assert [caveat for caveat in found.degraded if " ".join(caveat.split()) not in report] == []
    assert any(caveat.startswith("One mind (") for caveat in found.degraded)


def test_the_record_is_valid_and_the_debate_was_played(here, reported):
    with open_runs(f"sqlite:///{here}/hustings.db") as runs:
        finished = runs.finished(reported[0])
    assert check_document(finished.document()) == []
    assert len(finished.transcript.turns) == 6
