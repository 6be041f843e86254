"""A person with a seat answers in the same terminal: the debate asks, waits, and goes on."""

import stat

import pytest

from hustings.cli.person import person_here
from hustings.engine.people import questions
from hustings.engine.service import open_service
from hustings.runs.queries import open_runs
from tests.rig.postgres import ready_sqlite_file

from .display.pseudo import session, staging
from .engine import TOPIC

SEATS = ("-m", "improviser", "--seat", "con=human", "--judges", "none")
STEPS, FACTS = "The steps that lead to it are these.", "General knowledge, and quite sure."
OPENING = [line for n in range(3) for line in (f"Claim number {n} of the person.", STEPS, FACTS)] + ["n"]


@pytest.fixture(scope="module")
def stage():
    with staging() as process:
        yield process


@pytest.fixture
def url(tmp_path):
    return ready_sqlite_file(tmp_path)


def run_id_in(url):
    with open_runs(url) as runs:
        return runs.latest()[0].run_id


def asks(brief):
    return lambda terminal: any(f"it is your turn: {brief}" in line for line in terminal.lines)


def waits(prompt):
    """The last line that is painted is a prompt."""
    return lambda terminal: prompt in (terminal.lines or [""])[-1]


def answer(terminal, *lines):
    """Type one line at each prompt, as a person would."""
    for line in lines:
        assert terminal.read_until(lambda t: t.lines and t.lines[-1].rstrip().endswith((">", "]", ":")))
        shown = len(terminal.painted) + len(line)
        terminal.type(line)
        assert terminal.read_until(lambda t, shown=shown: len(t.painted) > shown)


@pytest.mark.parametrize("display", ["live", "plain"])
def test_the_person_is_asked_in_the_same_window(stage, url, display):
    command = ("run", TOPIC, *SEATS, "--display", display, "--database", url)
    with session(stage, *command, columns=100) as terminal:
        assert terminal.read_until(asks("opening"))
        assert not [line for line in terminal.lines if "answer from another terminal" in line]
        answer(terminal, *OPENING)
        assert terminal.read_until(asks("cross-examination"))
        assert [line for line in terminal.lines if "Claim number 2 of the person." in line]
        terminal.leave()
        assert terminal.read_until(lambda t: any("Left open. Answer it later: hustings say" in x for x in t.lines))
    with open_service(url) as service:
        assert [call.brief.name for call in questions(service.runs, run_id_in(url))] == ["cross-examination"]


def test_ctrl_c_at_a_question_pauses_the_debate_and_resume_asks_again(stage, url):
    with session(stage, "run", TOPIC, *SEATS, "--database", url, columns=100) as terminal:
        assert terminal.read_until(asks("opening"))
        terminal.read_until(waits(">"))
        terminal.press_ctrl_c()
        terminal.read_until()
    told = f"Saved. CON's answer is open: hustings resume {run_id_in(url)}"
    with open_runs(url) as runs:
        assert (terminal.code, terminal.lines[-1], runs.latest()[0].state) == (130, told, "paused")
    with session(stage, "resume", run_id_in(url), "--database", url, columns=100) as terminal:
        assert terminal.read_until(asks("opening"))
        answer(terminal, *OPENING)
        assert terminal.read_until(asks("cross-examination"))


def test_say_asks_at_another_terminal(stage, url):
    with session(stage, "run", TOPIC, *SEATS, "--database", url, columns=100) as first:
        assert first.read_until(asks("opening"))
        command = ("say", run_id_in(url), "--database", url)
        with staging() as another, session(another, *command, columns=100) as second:
            assert second.read_until(asks("opening"))
            answer(second, *OPENING)
            second.read_until()
        assert (second.code, "CON has spoken." in second.lines) == (0, True)


def test_the_editor_gets_the_question_as_remarks_in_a_private_file(monkeypatch, tmp_path):
    editor = tmp_path / "editor"
    steps = (f'stat -c %a "$(dirname "$1")" > {tmp_path}/mode', f'cp "$1" {tmp_path}/seen', 'echo Words. > "$1"')
    editor.write_text("\n".join(("#!/bin/sh", *steps)))
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.delenv("VISUAL", raising=False)
    written = person_here().edit("A draft", ["What is asked\nin two lines"])
    assert written == "Words."
    assert (tmp_path / "seen").read_text().startswith("A draft\n\n# What is asked\n# in two lines\n# Lines that begin")
    assert (tmp_path / "mode").read_text().strip() == "700"
