"""Two builds are compared byte by byte: what depends on its place is seen, and hustings does not."""

import json
import subprocess

import pytest

from tools import reproducible

PROJECT = """
[project]
name = "small"
version = "1"
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[tool.hatch.build.hooks.custom]
[tool.hatch.build.targets.wheel]
packages = ["small"]
"""
HOOK = """
from pathlib import Path
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        Path(self.root, "small/made.py").write_text({text})
"""


@pytest.mark.parametrize(("text", "equal"), [("'same'", True), ("f'built in {self.root}'", False)])
def test_a_build_that_depends_on_its_place_is_seen(text, equal, tmp_path):
    source = tmp_path / "source"
    (source / "small").mkdir(parents=True)
    for name, words in {"pyproject.toml": PROJECT, "hatch_build.py": HOOK.format(text=text), "small/a.py": ""}.items():
        (source / name).write_text(words, "utf-8")
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *command], cwd=source, check=True)
    digests = reproducible.twice(source, tmp_path / "built")
    assert {name.rpartition(".")[2]: len(set(found)) == 1 for name, found in digests.items()} == {
        "gz": equal,
        "whl": equal,
    }


@pytest.mark.nightly("builds all pages twice, for minutes; a small package is built twice on every change")
@pytest.mark.timeout(1200)
def test_hustings_is_built_twice_alike(capsys):
    assert reproducible.main() == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["equal"] is True
