"""What CONTRIBUTING shows is done here, in a copy of the package: one file each, and nothing else."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from .blocks import ROOT, blocks


def block(language, containing):
    every = [block.text for block in blocks(ROOT / "CONTRIBUTING.md") if block.language == language]
    found = [text for text in every if containing in text]
    assert len(found) == 1
    return found[0]


@pytest.fixture
def copy(tmp_path):
    """A copy of the package, and a way to run Python on it."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))

    def run(code):
        environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=50, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return tmp_path / "src" / "hustings", run


def test_every_block_of_it_is_tried_here():
    assert [block.language for block in blocks(ROOT / "CONTRIBUTING.md") if block.language != "diff"] == [
        "python",
        "python",
        "toml",
    ]


@pytest.mark.nightly("every check of conformance; a rule and a personality are added on every change")
def test_a_protocol_is_one_file(copy):
    package, run = copy
    (package / "protocols" / "duel.py").write_text(block("python", "async def play"))
    checked = run(
        "from hustings.runs.registry import find_protocol\n"
        "from hustings.testing import PROTOCOL_CHECKS\n"
        "for check in PROTOCOL_CHECKS: check(find_protocol('duel'))\n"
        "print(len(PROTOCOL_CHECKS))"
    )
    assert int(checked) == 14
    listed = run("import sys; sys.argv[1:] = ['protocols', '--json']; from hustings.main import main; main()")
    assert "duel" in [protocol["name"] for protocol in json.loads(listed)]


def test_a_rule_is_one_function_in_one_file(copy):
    package, run = copy
    rounds = package / "transcript" / "rules" / "rounds.py"
    rounds.write_text(f"{rounds.read_text()}\n\n{block('python', '@rule')}")
    document = run(
        "import json\n"
        "from hustings.transcript.rules import check_document\n"
        "from hustings.llm.improviser import Improviser\n"
        "from hustings.runs.registry import find_protocol\n"
        "from hustings.runs.staging import rehearse\n"
        "from hustings.runs.staging import plan\n"
        "played = rehearse(plan(find_protocol('structured'), 'Is it so?'), Improviser())\n"
        "document = played.proceedings.transcript.document()\n"
        "del document['rounds'][1]['label']\n"
        "print(json.dumps([(f.code, f.pointer) for f in check_document(document)]))"
    )
    assert json.loads(document) == [["DT-R013", "/rounds/1"]]


def test_a_personality_is_four_lines_in_one_file(copy):
    package, run = copy
    personalities = package / "data" / "personalities.toml"
    personalities.write_text(f"{personalities.read_text()}\n{block('toml', 'style')}")
    how = run("from hustings.runs.registry import load_catalogue; print(load_catalogue().personality('dry').how)")
    assert how.startswith("Say it once")
