"""Runs the real console entry in a process of its own, or the commands in this one where a process adds nothing."""

import io
import logging
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest
from typer.testing import CliRunner

from hustings.main import app, main

ENTRY = "from hustings.main import main; main()"


def hustings(*arguments, **environment):
    """Exit code, stdout and stderr of `hustings ...`, as bytes."""
    env = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", **environment}
    ran = subprocess.run([sys.executable, "-c", ENTRY, *arguments], capture_output=True, env=env, check=False)
    return ran.returncode, ran.stdout, ran.stderr


def typed(*arguments):
    """Exit code, stdout and stderr of `hustings ...` as typed by a person, in this process."""
    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["hustings", *map(str, arguments)]
    try:
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main()
    finally:
        sys.argv = before
        # The engine's logger holds on to the standard error of the command, which is closed now.
        logging.getLogger("dbos").handlers.clear()
    return ended.value.code or 0, out.getvalue(), err.getvalue()


def run(*arguments):
    """The same without a process; an error with an addressee comes out as the exception it is."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
