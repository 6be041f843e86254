"""Proofs and make targets: each is there where a page names it, and each proof runs what it says it does."""

import re
import shlex
import subprocess
import sys
from importlib.util import find_spec

import pytest

from benchmarks.__main__ import PROOFS, Proof, main, run
from tests.docs.blocks import ROOT, pages

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = {name for names in re.findall(r"^([a-z][a-z -]*):", MAKEFILE, re.MULTILINE) for name in names.split()}
SPAN = re.compile(r"`(make\s[^`]+)`")


def commands():
    spans = (span for page in pages() for span in SPAN.findall(page.read_text("utf-8")))
    return [shlex.split(command) for span in spans for command in span.split("&&")]


def test_every_target_that_a_page_names_is_there():
    named = {word for command in commands() for word in command[1:] if re.fullmatch("[a-z-]+", word)}
    assert named - TARGETS == set()


def test_every_proof_that_a_page_names_is_there():
    named = {word.removeprefix("NAME=") for command in commands() for word in command if word.startswith("NAME=")}
    assert named - PROOFS.keys() <= {"…"}
    assert len(named) > 10


@pytest.mark.parametrize("name", PROOFS)
def test_the_commands_of_a_proof_are_modules(name):
    modules = [command.split()[0] for command in PROOFS[name].commands]
    assert modules
    assert all(map(find_spec, modules))


def test_without_a_name_all_are_listed(capsys):
    assert main([]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [*PROOFS]


def test_an_unknown_name_is_refused_with_those_there_are(capsys):
    assert main(["nothing"]) == 2
    told = capsys.readouterr().err
    assert all(name in told for name in PROOFS)


def test_arguments_reach_every_command_and_one_failure_is_one_of_all(capfd):
    proof = Proof("two", "", ("json.tool --indent 1", "json.tool --indent 2"))
    assert run(proof, [str(ROOT / "frontend/package.json")]) == 0
    assert [line for line in capfd.readouterr().out.splitlines() if '"name"' in line] == [
        ' "name": "hustings-frontend",',
        '  "name": "hustings-frontend",',
    ]
    assert run(proof, ["nowhere.json"]) == 1


def test_make_runs_a_proof_by_its_name_with_its_arguments():
    command = ["make", "--no-print-directory", f"PY={sys.executable}", "proof", "NAME=advisories", "ARGS=--help"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=50, check=True).stdout
    assert "--online" in told
