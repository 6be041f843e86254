"""The local model's own command: it explains itself, whether its wheels are here or not."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(("argument", "code"), [("--help", 0), ("nonsense", 2)])
def test_it_says_how_it_is_called(argument, code):
    command = [sys.executable, "-m", "tests.rig.local_model", argument]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    told = ran.stdout + ran.stderr
    assert (ran.returncode, told.partition(" [")[0]) == (code, "usage: python -m tests.rig.local_model")
    assert "Traceback" not in told
