"""Runs the real console entry in a process of its own, or the commands in this one where a process adds nothing."""

import os
import subprocess
import sys

from typer.testing import CliRunner

from hustings.main import app

ENTRY = "from hustings.main import main; main()"


def hustings(*arguments, **environment):
    """Exit code, stdout and stderr of `hustings ...`, as bytes."""
    env = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", **environment}
    ran = subprocess.run([sys.executable, "-c", ENTRY, *arguments], capture_output=True, env=env, check=False)
    return ran.returncode, ran.stdout, ran.stderr


def run(*arguments):
    """The same without a process; an error with an addressee comes out as the exception it is."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
