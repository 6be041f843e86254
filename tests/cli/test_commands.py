"""The commands as a whole: light to start, and every option explained."""

import subprocess
import sys

import pytest
import typer

from hustings.main import app
from tests.cli.console import hustings, run

COMMANDS = typer.main.get_command(app).commands
HEAVY = ["fastapi", "mcp", "dbos", "openai", "anthropic", "httpx", "httpx2", "sqlalchemy", "pydantic_ai", "starlette"]
LOOK = f"""
import sys
from hustings.main import app
try:
    app(["--help"])
finally:
    sys.stderr.write(" ".join(sorted(set({HEAVY!r}) & set(sys.modules))))
"""


def test_every_command_is_there():
    names = "audit batch cancel db fork judge list pause protocols rehearse resume run say show validate worker"
    assert " ".join(sorted(COMMANDS)) == names


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_and_option_is_explained(name):
    command = COMMANDS[name]
    assert command.help
    assert [parameter.name for parameter in command.params if not parameter.help] == []


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
