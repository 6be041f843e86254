"""A host that is killed within its commands loses nothing and doubles nothing; the proof `hosting` is longer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(600)
def test_a_debate_survives_kills_within_every_command():
    """Kills fall on statements, not on times: a busy machine makes it slower and nothing else."""
    given = ["--protocols", "--databases", "sqlite", "--every", "13", "--paid-every", "0"]
    command = [sys.executable, "-m", "benchmarks.hosting", *given]
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    ran = subprocess.run(command, capture_output=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, check=False)
    found = json.loads(ran.stdout.splitlines()[-1])["killed"]["sqlite"]
    assert found["kills"] > found["commands"]
    assert {name: found[name] for name in ("lost", "doubled", "failed", "broken_rules", "starts_stuck")} == {
        "lost": 0, "doubled": 0, "failed": 0, "broken_rules": 0, "starts_stuck": 0
    }  # fmt: skip
    assert (found["same_log"], found["same_verdict"]) == (True, True)
