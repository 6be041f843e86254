"""A batch that is killed while it is entered: after a second start every line is queued, and none twice."""

import json
import subprocess
import sys

import pytest


@pytest.mark.timeout(180)
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_a_batch_that_is_killed_and_started_again_is_queued_once(database):
    command = [sys.executable, "-m", "tests.chaos.entering", "--database", database, "--lines", "300", "--kills", "4"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=170, check=False)
    assert ran.returncode == 0, ran.stderr
    figures = json.loads(ran.stdout)
    wrong = {name: figures[name] for name in ("orphans", "missing", "twice")}
    assert (ran.returncode, wrong) == (0, {"orphans": 0, "missing": 0, "twice": 0})
