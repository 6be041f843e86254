"""`hustings export`, as a person uses it: into a file, into a pipe, and never over what is there."""

import json
import os
import pty
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from hustings.cli.commands.export import Written, export_run
from hustings.errors import NotFound, Unsuitable
from hustings.runs.registry import exports
from hustings.transcript.rules import check
from tests.rig.postgres import ready_sqlite_file

from .engine import TOPIC, debate, run


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    return ready_sqlite_file(tmp_path_factory.mktemp("exported"))


@pytest.fixture(scope="module")
def judged(database):
    run_id, _ = debate("-m", "improviser", "--judges", "improviser", "--database", database)
    return run_id


@pytest.fixture(scope="module")
def unjudged(database):
    run_id, _ = debate("-m", "improviser", "--database", database, protocol="roundtable")
    return run_id


@pytest.fixture
def export(database):
    return lambda run_id, *options: run("export", run_id, *options, "--database", database)


def at_terminal(run_id, database, to="csv"):
    """What a person sees who has a terminal and names no file."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as screen, redirect_stdout(screen):
        export_run(run_id, written=Written(to=to), database=database)
        screen.flush()
        seen = os.read(ours, 10_000).decode()
    os.close(ours)
    return seen.strip()


# -- where it goes -------------------------------------------------------------------------


def test_into_a_pipe_it_is_the_text_itself(judged, export):
    assert export(judged, "--to", "md").stdout.startswith(f"# {TOPIC}\n")


def test_at_a_terminal_it_is_a_file_named_after_the_run(judged, database, folder):
    assert at_terminal(judged, database) == f"{judged}.csv"
    assert (folder / f"{judged}.csv").read_text("utf-8").startswith("run,argument,")


def test_a_dash_is_standard_output(judged, export):
    assert export(judged, "--to", "jsonl", "-o", "-").stdout.startswith('{"kind": "debate"')


def test_a_named_file_is_written_and_its_path_is_all_that_is_told(judged, export, folder):
    told = export(judged, "--to", "html", "-o", "report.html")
    assert told.stdout == "report.html\n"
    assert (folder / "report.html").read_text("utf-8").startswith("<!doctype html>")


def test_a_folder_gets_a_file_named_after_the_run(judged, export, folder):
    (folder / "out").mkdir()
    assert export(judged, "--to", "argdown", "-o", "out").stdout.strip() == str(Path("out", f"{judged}.argdown"))


def test_a_file_that_is_there_is_not_overwritten(judged, export, folder):
    (folder / "mine.md").write_text("mine")
    with pytest.raises(Unsuitable, match=r"'mine.md' already exists: choose another file with -o, or add --force"):
        export(judged, "-o", "mine.md")
    assert (folder / "mine.md").read_text() == "mine"


def test_unless_it_is_forced(judged, export, folder):
    (folder / "mine.md").write_text("mine")
    export(judged, "-o", "mine.md", "--force")
    assert (folder / "mine.md").read_text("utf-8").startswith(f"# {TOPIC}\n")


def test_a_place_that_cannot_be_written_is_told_with_a_cure(judged, export):
    with pytest.raises(Unsuitable, match=r"can't write .* \(No such file or directory\): choose another file"):
        export(judged, "-o", "nowhere/x.md")


def test_for_programs_it_tells_where_it_wrote_what(judged, export, folder):
    told = json.loads(export(judged, "-o", "x.csv", "--json").stdout)
    size = (folder / "x.csv").stat().st_size
    assert told == {"run_id": judged, "format": "csv", "file": "x.csv", "bytes": size}


def test_a_program_cannot_have_the_text_and_its_place_in_one_stream(judged, export):
    with pytest.raises(Unsuitable, match="drop one of them"):
        export(judged, "-o", "-", "--json")


# -- what it is ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "begins"),
    [("a.html", "<!doctype"), ("a.transcript.json", '{\n  "schema_version"'), ("a.json", '{\n  "dossier_version"')],
)
def test_the_ending_of_a_file_names_its_format(file, begins, judged, export, folder):
    export(judged, "-o", file)
    assert (folder / file).read_text("utf-8").startswith(begins)


@pytest.mark.parametrize("file", ["foo.docx", "foo"])
def test_an_ending_of_no_format_is_refused_with_those_there_are(file, judged, export, folder):
    told = rf"no export format for '{file}': use a name that ends with one of \.argdown, .*--to"
    with pytest.raises(Unsuitable, match=told):
        export(judged, "-o", file)
    assert not (folder / file).exists()


def test_a_format_that_is_named_needs_no_ending(judged, export, folder):
    export(judged, "--to", "csv", "-o", "foo.txt")
    assert (folder / "foo.txt").read_text("utf-8").startswith("run,argument,")


def test_an_unknown_format_lists_those_there_are(judged, export):
    known = "argdown, csv, html, json, jsonl, md, share, transcript"
    with pytest.raises(NotFound, match=f"no export 'pdf': choose from {known}"):
        export(judged, "--to", "pdf")


def test_the_help_names_every_format():
    told = " ".join(run("export", "--help").stdout.split())
    assert [name for name in exports() if name not in told] == []


def test_a_transcript_is_valid(judged, export):
    assert check(export(judged, "--to", "transcript").stdout.encode()) == []


def test_a_judging_is_exported_with_its_debate(judged, export, database):
    reports = json.loads(run("list", "--json", "--database", database).stdout)
    judging = next(report["run_id"] for report in reports if report["judged"] == judged)
    assert export(judging, "--to", "md").stdout == export(judged, "--to", "md").stdout


def test_a_run_that_is_not_over_is_told_how_to_go_on(database, export):
    waiting = run("run", TOPIC, "-m", "improviser", "--detach", "--database", database).stdout.strip()
    with pytest.raises(Unsuitable, match=f"hustings resume {waiting}"):
        export(waiting)


# -- what comes next -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "following"),
    [
        (["--to", "md"], "export {} --to html"),
        (["--to", "html"], "export {} --to csv"),
        (["-o", "x.transcript.json"], "validate x.transcript.json"),
    ],
)
def test_it_ends_with_the_next_command(options, following, judged, export):
    assert export(judged, *options).stderr == f"Next: hustings {following.format(judged)}\n"


def test_an_unjudged_debate_is_exported_and_the_next_thing_is_to_judge_it(unjudged, export):
    told = export(unjudged, "--to", "md")
    assert "**Not judged yet.**" in told.stdout
    assert told.stderr == f"Not judged yet. Next: hustings judge {unjudged}\n"
