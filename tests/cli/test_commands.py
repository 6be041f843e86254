"""The commands as a whole: light to start, and every option explained."""

import os
import re
import shlex
import subprocess
import sys
from inspect import getdoc

import pytest

from hustings.cli.lazy_commands import COMMANDS, EXAMPLES

from .console import ENTRY, hustings, run, typed

HEAVY = (
    "fastapi uvicorn mcp dbos jinja2 openai anthropic httpx httpx2 sqlalchemy pydantic_ai starlette prometheus_client "
    "hustings.runs"
)
LOOK = f"""
import sys
from hustings.main import app
try:
    app(["--help"])
finally:
    sys.stderr.write(" ".join(sorted({set(HEAVY.split())!r} & set(sys.modules))))
"""


def test_every_command_is_there():
    assert " ".join(sorted(COMMANDS)) == (
        "activity answer audit batch cancel catalogue compare completion config db demo doctor evaluate export fork "
        "import init judge keys label list mcp models next outcome pause protocols rate record rehearse replay resume "
        "run say serve show skill start stats summary tell tokens validate worker"
    )


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_and_option_is_explained(name):
    command = COMMANDS[name].load(name)
    for part in getattr(command, "commands", {name: command}).values():
        assert part.help
        assert [parameter.name for parameter in part.params if not parameter.help] == []


@pytest.mark.parametrize("name", [name for name, entry in COMMANDS.items() if not entry.parts])
def test_the_list_says_of_a_command_what_it_says_of_itself(name):
    """In the same words, or in the first of them."""
    said = COMMANDS[name].load(name).callback.__wrapped__
    assert getdoc(said).startswith(COMMANDS[name].help.rstrip("."))


@pytest.mark.parametrize("example", [example for examples in EXAMPLES.values() for example in examples])
def test_every_example_of_the_help_can_be_typed(example):
    program, name, *rest = shlex.split(example)
    assert (program, "Examples:" in run(name, "--help").output) == ("hustings", True)
    COMMANDS[name].load(name).make_context(name, rest)


def test_the_main_commands_have_two_or_three_examples():
    assert " ".join(sorted(EXAMPLES)) == (
        "answer batch demo evaluate export import judge list next outcome rate resume run say serve show start stats"
    )
    assert {len(examples) for examples in EXAMPLES.values()} <= {2, 3}


@pytest.mark.parametrize("motion", ["Should we?", "Tabs", "¿Sí?", "é", "--model=improviser"])
def test_what_cannot_be_a_command_is_a_motion(motion):
    assert "--protocol" in run(motion, "--help").output


@pytest.mark.parametrize(("typed", "meant"), [("rn", "run"), ("exprot", "export"), ("modles", "models")])
def test_what_could_be_a_command_is_corrected(typed, meant):
    code, _, err = hustings(typed)
    assert (code, f"Did you mean `hustings {meant}`?" in " ".join(err.decode().split())) == (2, True)


@pytest.mark.parametrize("typed", ["Judge", "JUDGE", "/judge", "Judge_"])
def test_a_command_with_a_capital_or_a_sign_is_no_question(typed):
    told = run(typed, "last").output
    assert "Did you mean `hustings judge`?" in told
    assert "To debate it, quote" in told


def test_a_key_is_never_taken_for_a_question():
    told = run("sk-ant-api03-abcdefghijklmnopqrstuvwxyz").output
    assert ("looks like a key" in told, "abcdefgh" in told) == (True, False)


def test_a_word_that_could_be_a_command_is_told_how_it_is_debated():
    code, _, err = hustings("microservices")
    assert (code, "To debate it: hustings run microservices" in err.decode()) == (2, True)


def helps(name):
    """Of a command, or of each command of a group and of the group."""
    parts = getattr(COMMANDS[name].load(name), "commands", {})
    return [run(name, *part, "--help").output for part in ([], *([each] for each in parts))]


@pytest.mark.parametrize("name", list(COMMANDS))
def test_no_flag_looks_as_if_it_took_a_value(name):
    assert [told for told in helps(name) if "<bool>" in told] == []


@pytest.mark.parametrize("name", list(COMMANDS))
def test_help_shows_every_word_of_what_explains_a_command_and_its_options(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")
    command = COMMANDS[name].load(name)
    for part, one in getattr(command, "commands", {"": command}).items():
        shown = " ".join(run(name, *filter(None, [part]), "--help").output.split())
        said = [one.help.partition("\n\n")[0], *(param.help for param in one.params)]
        assert [text for text in said if " ".join(text.split()) not in shown] == []


@pytest.mark.parametrize("name", list(COMMANDS))
def test_arguments_are_capitals(name):
    usages = [re.search(r"\[OPTIONS\](.*)", told)[1].strip() for told in helps(name)]
    assert [usage for usage in usages if usage.removesuffix(".jsonl") != usage.removesuffix(".jsonl").upper()] == []


def test_an_argument_is_typed_as_the_usage_has_it():
    assert "say [OPTIONS] RUN [SEAT] [TEXT]" in run("say", "--help").output
    assert "validate [OPTIONS] FILE..." in run("validate", "--help").output


def test_help_is_shown_where_nothing_was_asked():
    assert "rehearse" in run().output


def test_help_loads_nothing_heavy():
    ran = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    assert "rehearse" in ran.stdout
    assert ran.stderr == ""


def test_wrong_usage_cannot_steer_the_terminal():
    code, out, err = hustings("validate", "--\x1b[2Jx")
    assert (code, out) == (2, b"")
    assert b"No such option" in err
    assert b"\x1b" not in err


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_is_told_how_a_line_could_go_on(shell):
    line = {"COMP_WORDS": "hustings de", "COMP_CWORD": "1", "_TYPER_COMPLETE_ARGS": "hustings de"}
    asked = [sys.executable, "-c", f"import sys; sys.argv = ['hustings']; {ENTRY}"]
    env = {**os.environ, "_HUSTINGS_COMPLETE": f"complete_{shell}", **line}
    assert "demo" in subprocess.run(asked, env=env, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_a_shell_gets_the_lines_that_make_it_ask(shell):
    assert "_HUSTINGS_COMPLETE" in typed("completion", shell)[1]


def test_the_module_is_the_program():
    command = [sys.executable, "-m", "hustings", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.startswith("hustings ")
