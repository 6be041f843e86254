"""Where a program stores its debates: every way to write a place, and places where nothing can be stored."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hustings import Debate, Result, debate
from hustings.api.database_place import database_url
from hustings.errors import Unsuitable

PLAIN = {"model": "improviser", "judges": None, "protocol": "roundtable", "settings": {"rounds": 1}}


def told(program, *, cwd, **environment):
    """What a program of its own prints."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("HUSTINGS_", "XDG_"))}
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, env={**own, **environment}, cwd=cwd, capture_output=True, text=True, check=False, timeout=60
    )
    assert not done.stderr
    return done.stdout.splitlines()


# -- how a place is written ----------------------------------------------------------------


def test_one_file_is_one_database_however_it_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "sub").mkdir()
    written = ["c.db", Path("c.db"), "sub/../c.db", "~/c.db", "sqlite:///c.db", f"sqlite:///{tmp_path}/c.db"]
    assert {database_url(one) for one in written} == {f"sqlite:///{tmp_path}/c.db"}
    monkeypatch.setenv("HUSTINGS_DATABASE", "c.db")
    assert database_url(None) == f"sqlite:///{tmp_path}/c.db"


def test_a_debate_is_stored_in_a_file_that_is_named_as_a_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = debate("Is it so?", database="sub/debates.db", **PLAIN)
    assert (tmp_path / "sub" / "debates.db").is_file()
    assert Result.of(made.run_id, database=Path("sub/debates.db")) == made


@pytest.mark.parametrize("place", [":memory:", "sqlite:///:memory:"])
def test_a_database_in_memory_is_refused_with_what_to_write_instead(place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Unsuitable, match=r'":memory:" keeps nothing .*write database="temporary"'):
        Debate("Is it so?", database=place, **PLAIN)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("a?b.db", "can't have '?' in its path"),
        ("a%20b.db", "can't have '%' in its path"),
        ("sqlite://", "names no file"),
        ("mysql:debates", "unknown kind of database: 'mysql'"),
        ("~nobody-of-that-name/c.db", "can't tell where '~nobody-of-that-name/c.db' is"),
        ("a\0b.db", "can't tell where"),
    ],
)
def test_what_names_no_place_is_refused_before_another_is_used_instead(place, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Unsuitable) as refused:
        debate("Is it so?", database=place, **PLAIN)
    assert said in str(refused.value)
    assert not any(tmp_path.iterdir())


def test_a_temporary_database_may_be_asked_for_by_the_environment(monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", "temporary")
    assert database_url(None) == database_url("temporary")


# -- places where nothing can be stored ----------------------------------------------------

NO_HOME = """
from hustings import Debate, HustingsError, debate
PLAIN = {"model": "improviser", "judges": None}
print(Debate("Is it so?", **PLAIN).estimate().expected.calls)
for place in (None, "/proc/debates.db", "/proc/sub/debates.db", "/proc/version/debates.db"):
    try:
        debate("Is it so?", database=place, **PLAIN)
    except HustingsError as error:
        print(error)
"""
ELSEWHERE = 'with --database or HUSTINGS_DATABASE (in Python: database=…, or database="temporary")'


def test_a_home_that_cannot_be_written_is_said_and_an_estimate_needs_none(tmp_path):
    said = told(NO_HOME, cwd=tmp_path, HOME="/proc/nohome")
    assert said[0] == "6"
    assert said[1] == (
        "can't store debates in /proc/nohome/.local/share/hustings (No such file or directory): "
        f"name another place {ELSEWHERE}"
    )
    assert said[2].startswith("can't store debates in /proc (")
    assert said[3].startswith("can't store debates in /proc/sub (No such file or directory)")
    assert said[4].startswith("can't store debates in /proc/version (")


DELETED = """
import os, tempfile
from hustings import HustingsError, debate
folder = tempfile.mkdtemp()
os.chdir(folder)
os.rmdir(folder)
PLAIN = {"model": "improviser", "judges": None}
try:
    debate("Is it so?", database="debates.db", **PLAIN)
except HustingsError as error:
    print(error)
print(debate("Is it so?", database=os.environ["PLACE"], **PLAIN).outcome.kind)
"""


def test_a_working_folder_that_was_deleted_is_said_and_another_place_works(tmp_path):
    assert told(DELETED, cwd=tmp_path, HOME=str(tmp_path), PLACE=str(tmp_path / "c.db")) == [
        f"can't tell where 'debates.db' is (the working folder was deleted): name another place {ELSEWHERE}",
        "played",
    ]


def test_no_folder_for_a_temporary_database_is_said(tmp_path):
    program = """
import tempfile
from hustings import Debate, HustingsError
tempfile.tempdir = "/proc/nowhere"
try:
    Debate("Is it so?", model="improviser", judges=None, database="temporary")
except HustingsError as error:
    print(error)
"""
    assert told(program, cwd=tmp_path) == [
        "can't make a temporary database (No such file or directory): set TMPDIR to a folder that can be written"
    ]


FORKED = """
import os
from hustings.api.database_place import database_url
place = database_url("temporary").removeprefix("sqlite:///")
if not (child := os.fork()):
    raise SystemExit
os.waitpid(child, 0)
print(os.path.isdir(os.path.dirname(place)))
"""


def test_a_fork_that_ends_leaves_the_temporary_database_of_its_parent(tmp_path):
    assert told(FORKED, cwd=tmp_path) == ["True"]
