"""Everything that can go wrong with files, databases and runs, as a person sees it; see test_errors."""

import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest
from inline_snapshot import snapshot

from hustings.cli.terminal import tell_error
from hustings.errors import Unsuitable
from tests.rig.provider import serving

from .console import ENTRY, run

MOTION = "Is it so?"


@pytest.fixture(scope="module")
def provider():
    with serving() as running:
        yield running


# -- settings ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (
            "protocol = structured\n",
            snapshot(
                (
                    2,
                    """\
Error: HERE/hustings.toml is not valid TOML
Why:   Invalid value (at line 1, column 12)
Fix:   correct that line\
""",
                )
            ),
        ),
        (
            "protocl = 'structured'\n",
            snapshot(
                (
                    2,
                    """\
Error: HERE/hustings.toml, line 1, protocl: unknown setting
Fix:   did you mean 'protocol'?\
""",
                )
            ),
        ),
        (
            "[llm]\napi_key = 'sk-secret'\n",
            snapshot(
                (
                    2,
                    """\
Error: HERE/hustings.toml, line 2, llm.api_key: keys don't belong in this file
Fix:   hustings keys set PROVIDER, or put LLM_API_KEY=… in .env\
""",
                )
            ),
        ),
        (
            "budget = -1\n",
            snapshot(
                (
                    2,
                    """\
Error: HERE/hustings.toml, line 1, budget: invalid value
Fix:   must be at least 0\
""",
                )
            ),
        ),
    ],
    ids=["no TOML", "a misspelt setting", "a key in the file", "less than nothing"],
)
def test_a_project_file_that_is_wrong(seen, tmp_path, content, shown):
    (tmp_path / "hustings.toml").write_text(content)
    assert seen(MOTION, "-m", "improviser") == shown


def test_a_profile_that_is_not_there(seen):
    assert seen(MOTION, "-m", "improviser", "--profile", "quick") == snapshot(
        (
            2,
            """\
Error: no profile 'quick'
Fix:   add it to hustings.toml as [profiles.quick]\
""",
        )
    )


def test_a_key_that_nobody_types(seen):
    assert seen("keys", "set", "anthropic") == snapshot(
        (
            2,
            """\
Error: no key on standard input
Fix:   type it in a terminal, or run: hustings keys set ANTHROPIC_API_KEY < FILE\
""",
        )
    )


# -- the database --------------------------------------------------------------------------


def test_a_database_that_another_program_holds(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("hustings.db.connection.BUSY_SECONDS", 0.2)
    where = ["--database", f"sqlite:///{tmp_path}/held.db"]
    run("db", "upgrade", *where)
    with sqlite3.connect(tmp_path / "held.db", isolation_level=None) as db:
        db.execute("begin immediate")
        with pytest.raises(Unsuitable) as caught:
            run("db", "cap", "--day", "1", *where)
        db.execute("rollback")
    assert (tell_error(caught.value, as_json=False), capsys.readouterr().err) == snapshot(
        (
            2,
            """\
Error: the database is locked by another program
Why:   SQLITE_BUSY
Fix:   close that program, then try again
""",
        )
    )


@pytest.mark.nightly("half a minute, and a file system of its own")
def test_a_disk_that_is_full(seen, tmp_path):
    """A file system of half a megabyte, which ends with the command."""
    folder = tmp_path / "small"
    folder.mkdir()
    script = (
        f"mount -t tmpfs -o size=512k none {folder} && exec {sys.executable} -c '{ENTRY}' run Really? -m improviser"
    )
    where = {"HUSTINGS_DATABASE": f"sqlite:///{folder}/x.db", "NO_COLOR": "1", "HUSTINGS_JUDGES": "none"}
    command = ["unshare", *([] if os.geteuid() == 0 else ["-Ur"]), "-m", "sh", "-c", script]
    ran = subprocess.run(command, capture_output=True, env={**os.environ, **where}, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stderr.splitlines()[-3:]) == snapshot(
        (
            2,
            [
                "Error: the disk is full",
                "Why:   SQLITE_FULL",
                "Fix:   free some space, then try again, or: hustings resume RUN",
            ],
        )
    )


def test_a_file_that_is_no_database(seen, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam, " * 100)
    assert seen("list", "--database", f"sqlite:///{tmp_path}/letter.txt") == snapshot(
        (
            2,
            """\
Error: the file is not a hustings database
Why:   SQLITE_NOTADB
Fix:   choose another with --database\
""",
        )
    )


def test_a_folder_where_nothing_can_be_written(seen):
    assert seen("list", "--database", "sqlite:////proc/hustings/x.db") == snapshot(
        (
            2,
            """\
Error: can't store debates in /proc/hustings
Why:   No such file or directory
Fix:   name another place with --database or HUSTINGS_DATABASE\
""",
        )
    )


def test_a_path_is_a_database(seen, tmp_path):
    assert seen("list", "--database", "sub/debates.db")[0] == 0
    assert (tmp_path / "sub" / "debates.db").is_file()


def test_a_database_of_a_program_alone(seen):
    assert seen("list", "--database", "temporary") == snapshot(
        (
            2,
            """\
Error: a temporary database is deleted with the program that asks for it
Fix:   name a file\
""",
        )
    )


def test_a_working_folder_that_was_deleted(seen, tmp_path):
    (tmp_path / "gone").mkdir()
    os.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert seen("list")[0] == 0
    assert seen("list", "--database", "debates.db") == snapshot(
        (
            2,
            """\
Error: can't tell where 'debates.db' is
Why:   the working folder was deleted
Fix:   name another place with --database or HUSTINGS_DATABASE\
""",
        )
    )


def test_a_limit_beyond_all_counting(seen):
    assert seen("run", MOTION, "-m", "improviser", "--max-calls", 10**30) == snapshot(
        (2, "Error: these debate settings don't work: --max-calls: too large a number")
    )


def test_a_database_that_does_not_answer(seen):
    assert seen("list", "--database", "postgresql://nobody@127.0.0.1:1/none") == snapshot(
        (
            2,
            """\
Error: the database does not answer
Why:   OperationalError
Fix:   check that it is running and its address is right, then: hustings db upgrade\
""",
        )
    )


def test_a_database_of_another_kind(seen):
    assert seen("list", "--database", "mysql://nobody@127.0.0.1/none") == snapshot(
        (
            2,
            """\
Error: unknown kind of database: 'mysql'
Fix:   name a file, or postgresql://USER@HOST/NAME\
""",
        )
    )


# -- runs ----------------------------------------------------------------------------------


def test_a_run_that_is_not_there(seen):
    assert seen("show", "nowhere") == snapshot(
        (
            2,
            """\
Error: no debate 'nowhere' in this database
Fix:   see your debates: hustings list\
""",
        )
    )


def test_a_run_that_is_not_over(seen):
    run_id = run("run", MOTION, "-m", "improviser", "--detach").stdout.strip()
    code, said = seen("judge", run_id)
    assert (code, said.replace(run_id, "RUN")) == snapshot(
        (
            2,
            """\
Error: 'RUN' has not ended
Fix:   hustings show RUN, or continue it: hustings resume RUN\
""",
        )
    )


def test_a_form_that_nothing_is_written_in(seen):
    assert seen("export", "nowhere", "--to", "docx") == snapshot(
        (
            2,
            """\
Error: no export 'docx'
Fix:   choose from argdown, csv, html, json, jsonl, md, share, transcript\
""",
        )
    )


def test_a_file_that_is_no_transcript(seen, tmp_path):
    (tmp_path / "letter.json").write_text("Dear Sir")
    assert seen("validate", "letter.json")[0] == 1


def test_a_command_that_is_not_there(seen):
    code, said = seen("exprot", lines=8)
    assert (code, "Did you mean `hustings export`?" in said) == (2, True)


def test_an_option_that_is_not_there(seen):
    code, said = seen("list", "--colour", lines=8)
    assert (code, "No such option: --colour" in said) == (2, True)


@pytest.mark.nightly("most of a minute; tests/cli/test_live_terminal.py interrupts one on every change")
def test_a_debate_that_is_interrupted(tmp_path, provider):
    """The turn is finished, and the way to go on is the last thing said."""
    environment = {**os.environ, "HUSTINGS_DATABASE": f"sqlite:///{tmp_path}/x.db", "HUSTINGS_JUDGES": "none"}
    command = [sys.executable, "-c", ENTRY, "run", MOTION, "-m", f"openai_compatible/m@{provider.always('slow_drip')}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True) as ran:
        ran.stdout.readline()
        time.sleep(1)
        ran.send_signal(signal.SIGINT)
        _, err = ran.communicate(timeout=60)
    assert ran.returncode == 130
    assert "hustings resume is-it-so-" in err.splitlines()[-1]
