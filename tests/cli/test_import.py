"""`hustings import`, as a person uses it: the file is told, counted and kept, or refused with the fix."""

import io
import json

import pytest

from hustings.errors import BrokenFile, Unsuitable
from tests.rig.postgres import ready_sqlite_file

from .console import typed
from .engine import run

TOPIC = "Should towns close their centres to cars?"
TEXT = f"{TOPIC}\nAda: Yes, they are loud.\nBen: No, shops need them.\nAda: Shops gain.\nBen: They do not.\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HUSTINGS_DATABASE", ready_sqlite_file(tmp_path))
    (tmp_path / "debate.txt").write_text(TEXT, "utf-8")
    return tmp_path


def brought(*options):
    return json.loads(run("import", *options, "--json").stdout)


def test_it_tells_what_it_found_and_what_is_not_known():
    told = run("import", "debate.txt").stdout.splitlines()
    assert told[0].endswith(f": {TOPIC}")
    assert told[1:] == [
        "    text: 4 turns in 2 rounds by Ada, Ben",
        "    It names no rounds: a new one begins when a speaker would speak twice in it",
        "    Times are those of the import",
        "    Debaters unknown: the file does not say which models spoke",
    ]


def test_the_same_file_is_said_to_be_there():
    (first,), (second,) = brought("debate.txt"), brought("debate.txt")
    assert (first["before"], second["before"], first["run_id"]) == (False, True, second["run_id"])
    assert "(imported before)" in run("import", "debate.txt").stdout


def test_it_is_listed_and_shown():
    run("import", "debate.txt")
    assert run("list").stdout.split()[:2] == ["imported", "not"]
    shown = run("show", "last").stdout
    assert "what it cost is not known" in shown
    assert "from debate.txt (text), sha256:" in shown
    assert "debaters unknown: the file names no model for Ada, Ben" in shown
    assert "BEN (r1.t1" in run("show", "last", "--events").stdout
    assert run("show", "last", "--transcript").stdout.startswith(f"# {TOPIC}\n")
    assert json.loads(run("show", "last", "--json").stdout)["protocol"] == "imported/1"


def test_it_comes_from_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    code, _, _ = typed("import", "-")
    assert (code, "from standard input (text)" in run("show", "last").stdout) == (0, True)


def test_a_terminal_is_no_file(monkeypatch):
    terminal = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin", terminal)
    code, _, told = typed("import", "-")
    assert (code, "nothing comes from standard input" in told) == (2, True)


def test_speakers_and_question_are_named(folder):
    (folder / "short.txt").write_text("Ada: Yes.\nBen: No.", "utf-8")
    with pytest.raises(Unsuitable, match="--speakers"):
        run("import", "short.txt")
    (found,) = brought("short.txt", "--speakers", "Ada, Ben,Ada", "--topic", TOPIC)
    assert (found["speakers"], found["turns"], found["rounds"]) == (["Ada", "Ben"], 2, 1)


def test_one_debate_of_several_is_chosen_or_all(folder):
    said = [{"role": "assistant", "content": "Words."}]
    (folder / "many.json").write_text(json.dumps({f"Q{n}?": [[said, said], n] for n in (1, 2, 3)}))
    with pytest.raises(Unsuitable, match="holds 3 debates"):
        run("import", "many.json")
    assert [one["question"] for one in brought("many.json", "--item", "2")] == ["Q2?"]
    assert [one["before"] for one in brought("many.json", "--item", "all", "--as", "contexts")] == [False, True, False]


@pytest.mark.parametrize("item", ["0", "-1", "x", "1.5", "1" * 9])
def test_what_is_no_item_is_refused(item):
    with pytest.raises(Unsuitable, match="no debate of a file"):
        run("import", "debate.txt", "--item", item)


def test_a_broken_file_is_refused_and_nothing_is_kept(folder):
    (folder / "bad.json").write_text('{"schema_version": "2.0.0"}')
    with pytest.raises(BrokenFile, match="DT-S001"):
        run("import", "bad.json")
    with pytest.raises(BrokenFile, match="can't read"):
        run("import", "missing.json")
    assert run("list").stdout == ""


def test_an_export_is_imported_as_it_is(folder):
    (found,) = brought("debate.txt")
    for name, options in {"own.json": (), "bare.json": ("--bare",)}.items():
        run("export", found["run_id"], "--to", "transcript", *options, "-o", name)
        assert "valid" in run("validate", name).stdout
        elsewhere = f"sqlite:///{folder}/{name}.db"
        (again,) = brought(name, "--database", elsewhere)
        assert (again["run_id"], again["turns"], again["shape"]) == (found["run_id"], 4, "transcript")
        run("export", again["run_id"], "--to", "transcript", *options, "-o", f"{name}.2", "--database", elsewhere)
        assert (folder / f"{name}.2").read_bytes() == (folder / name).read_bytes()


def test_it_is_judged_in_a_database_of_its_own():
    (found,) = brought("debate.txt")
    run("judge", found["run_id"], "--judges", "improviser", "--tier", "quick", "--display", "quiet")
    assert "Debaters unknown" in run("show", found["run_id"], "--briefing").stdout


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("resume",), "there is nothing to resume"),
        (("fork",), "can't be forked"),
        (("pause",), "has ended"),
        (("cancel",), "has ended"),
        (("judge", "--control", "--judges", "improviser"), "a control asks"),
    ],
)
def test_it_is_never_continued(command, why):
    (found,) = brought("debate.txt")
    with pytest.raises(Unsuitable, match=why):
        run(command[0], found["run_id"], *command[1:])


def test_hostile_words_reach_the_terminal_escaped(folder):
    (folder / "evil.txt").write_text("Q\x1b[2J?\nAda: \x1b]0;x\x07 a\nBen: \u202eb\nAda: c\nBen: d\n", "utf-8")
    told = run("import", "evil.txt").stdout + run("show", "last", "--events").stdout + run("list").stdout
    assert not {"\x1b", "\x07", "\u202e"} & {*told}
