"""A difference is found unless it is listed, and what is listed is said."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .compare import Changes, compared

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folders(tmp_path):
    """Makes two captures."""

    def make(before, after):
        for folder, files in {"before": before, "after": after}.items():
            (tmp_path / folder).mkdir()
            for name, content in files.items():
                (tmp_path / folder / name).write_text(content, "utf-8", newline="")
        return tmp_path / "before", tmp_path / "after"

    return make


def states(folders, **changes):
    return {found.name: found.state for found in compared(*folders, Changes(**changes))}


def test_files_are_equal_different_missing_or_new(folders):
    made = folders({"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "1"})
    assert states(made) == {"a": "equal", "b": "different", "c": "missing", "d": "new"}


def test_a_difference_in_line_ends_alone_is_one(folders):
    assert states(folders({"a": "1\r\n"}, {"a": "1\n"})) == {"a": "different"}


def test_a_word_that_is_spelled_otherwise_on_purpose_is_no_difference(folders):
    made = folders({"a": "Voice and Voices"}, {"a": "ModelSpec and Voices"})
    assert states(made, words={"Voice": "ModelSpec"}) == {"a": "equal"}


def test_two_words_can_change_places():
    assert Changes(words={"old": "new", "new": "old"}).applied("old new") == "new old"


def test_a_listed_file_may_differ_and_its_reason_is_said(folders):
    (found,) = compared(*folders({"a.json": "1"}, {"a.json": "2"}), Changes(files={"*.json": "more is said"}))
    assert (found.state, found.detail.splitlines()[0]) == ("listed", "more is said")


@pytest.mark.parametrize(("after", "code"), [("1", 0), ("2", 1)], ids=["equal", "different"])
def test_the_command_counts_on_its_last_line_and_fails_on_a_difference(folders, after, code):
    made = folders({"a": "1"}, {"a": after})
    command = [sys.executable, "-m", "tests.golden.compare", *map(str, made)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    counts = json.loads(ran.stdout.splitlines()[-1])
    assert (ran.returncode, counts["files"], counts["different"]) == (code, 1, code)


def test_nothing_to_compare_is_no_success(folders):
    command = [sys.executable, "-m", "tests.golden.compare", *map(str, folders({}, {}))]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 1
