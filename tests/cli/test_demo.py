"""`hustings demo`, `replay` and `record`: watching what was recorded, at a terminal and without one."""

import gzip
import json
import os
import pty
import select
import subprocess
import sys
import termios
import time
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from hustings.cli.commands.demo import SPEED, WAYS, motion_of, protocol_of
from hustings.cli.highlights_text import type_highlights
from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.report.highlights import highlights as highlights_of
from hustings.report.support_text import FAILED
from hustings.runs.recording import load, name_of, packaged, peek
from hustings.script.citing import citations_of

from . import engine
from .console import ENTRY, run

NAMES = [name_of(file) for file in packaged()]
HEADS = [peek(file.read_bytes(), file.name) for file in packaged()]
FIRST = HEADS[0]
LOOK = """
import sys
touched = []
sys.addaudithook(lambda what, _: touched.append(what) if what in {"socket.connect", "sqlite3.connect"} else None)
from hustings.main import app
try:
    app(["demo", "--display", "plain"])
finally:
    heavy = {"dbos", "sqlalchemy", "openai", "anthropic", "httpx", "httpx2", "pydantic_ai", "genai_prices", "fastapi"}
    sys.stderr.write("touched " + " ".join(sorted(heavy & set(sys.modules)) + touched))
"""


# -- without a terminal --------------------------------------------------------------------


@pytest.fixture(scope="module")
def plain():
    return run("demo", "--full", "--display", "plain")


@pytest.fixture(scope="module")
def highlights():
    return run("demo", "--display", "plain")


def test_the_first_recording_is_played_where_nobody_can_be_asked(plain, highlights):
    assert motion_of(FIRST) in plain.stdout
    assert "replayed without pauses" in plain.stdout
    assert motion_of(FIRST) in highlights.stdout


def test_unless_all_is_wanted_it_shows_the_best_minutes_and_how_to_see_the_rest(highlights):
    exchange, _, rest = highlights.stdout.partition("On another argument: ")
    assert [verb in exchange for verb in (" argues ", " objects to ", " answers on ")] == [True] * 3
    assert rest.index(" concedes ") < rest.index("How judges marked") < rest.index("Result")
    assert "hustings demo monolith --full" in highlights.stderr


@pytest.mark.parametrize("name", NAMES)
def test_at_reading_pace_the_best_minutes_are_three_at_most_and_begin_at_once(name, capsys):
    waits = []
    recording = load(next(file for file in packaged() if name_of(file) == name).read_bytes(), name)
    type_highlights(recording.dossier, lambda seconds: waits.append((seconds, capsys.readouterr().out)), speed=1.0)
    assert sum(seconds for seconds, _ in waits) <= 180
    assert waits[0][1].endswith(highlights_of(recording.dossier).exchange[0].words.split(" ")[0])


def test_the_first_thing_it_says_is_who_wrote_the_words(plain):
    assert " ".join(plain.stdout.split()).startswith(FIRST.note)


def test_the_best_minutes_too(highlights):
    assert " ".join(highlights.stdout.split()).startswith(FIRST.note)


@pytest.mark.parametrize("name", ["1", "small-model"])
def test_the_head_says_what_the_recording_says_of_itself(name):
    head = HEADS[0] if name == "1" else HEADS[-1]
    told = " ".join(run("demo", name, "--full", "--display", "plain").stdout.split("\n\n")[0].split())
    wanted = [head.label[1:], head.note, head.machine, head.engine, *([] if head.written else [head.recorded])]
    assert [text for text in wanted if text not in told] == []


def test_every_turn_is_told_and_the_briefing_closes_it(plain):
    recording = load(packaged()[0].read_bytes(), "it")
    turns = recording.proceedings.transcript.turns
    places = [plain.stdout.index(f"({turn.turn_id}") for turn in turns]
    assert places == sorted(places)
    assert max(places) < plain.stdout.index("**Bottom line:**")
    assert all(
        traced.id in plain.stdout.rpartition("**Bottom line:**")[2] for traced in recording.remains.judgement.trace
    )


def test_a_false_quote_is_told_where_it_is_spoken_and_in_the_briefing(plain):
    recording = load(packaged()[0].read_bytes(), "it")
    [(turn, false)] = [
        (turn, one)
        for turn, some in citations_of(recording.proceedings.notes).items()
        for one in some
        if not one.accepted
    ]
    told, briefing = plain.stdout.split("**Bottom line:**")
    spoken = told.partition(f"({turn}")[2].partition("== 2.")[0]
    assert f"false quote, {false.named}: “{false.quote}” {false.why}" in spoken
    assert f"Not accepted: 1 {FAILED[false.verdict]} (in " in briefing
    assert "a quote that is not in the documents" in briefing


def test_it_ends_with_the_ways_to_a_model_of_ones_own(plain):
    assert plain.exit_code == 0
    assert plain.stderr.endswith(WAYS + "\n")


@pytest.mark.parametrize("number", range(1, len(HEADS) + 1))
def test_a_recording_is_chosen_by_its_number_or_its_name(number):
    by_number = run("demo", number, "--json").stdout
    assert json.loads(by_number.partition("\n")[0])["topic"] == HEADS[number - 1].topic
    assert run("demo", NAMES[number - 1], "--json").stdout == by_number


def test_a_protocol_names_the_first_recording_of_it():
    for protocol in {protocol_of(head) for head in HEADS}:
        told = json.loads(run("demo", protocol, "--json").stdout.partition("\n")[0])
        assert told["topic"] == next(head.topic for head in HEADS if protocol_of(head) == protocol)


def test_lines_of_json_begin_with_the_head_and_end_with_the_judgement():
    head, *events, judgement = engine.events_of(run("demo", "--display", "json").stdout)
    recording = load(packaged()[0].read_bytes(), "it")
    assert head == {"kind": "recording", **recording.head.model_dump(mode="json")}
    assert [event["seq"] for event in events] == list(range(len(recording.events)))
    assert (judgement["kind"], judgement["digest"]) == ("judgement", recording.remains.judgement.digest)


def test_quietly_nothing_but_the_briefing_is_shown():
    assert run("demo", "--display", "quiet").stdout.startswith(f"# {FIRST.topic[:20]}")


def test_the_recordings_there_are_can_be_listed():
    told = run("demo", "--list").stdout.splitlines()
    assert [line.split(maxsplit=3)[2:] for line in told] == [
        ["min", f"{motion_of(head)} ({name}, {protocol_of(head)})"] for name, head in zip(NAMES, HEADS, strict=True)
    ]


def test_the_list_says_how_long_each_recording_takes_to_watch():
    minutes = [int(line.split()[1]) for line in run("demo", "--list").stdout.splitlines()]
    assert minutes == [max(1, round(head.seconds / SPEED / 60)) for head in HEADS]


def test_the_list_is_to_be_had_as_json():
    told = json.loads(run("demo", "--list", "--json").stdout)
    assert [(entry["number"], entry["models"]) for entry in told] == [(n, h.models) for n, h in enumerate(HEADS, 1)]


@pytest.mark.parametrize("which", ["0", "99", "chess"])
def test_a_recording_that_is_not_there_is_named_with_the_list(which):
    names = ", ".join(dict.fromkeys([*NAMES, *map(protocol_of, HEADS)]))
    with pytest.raises(NotFound, match=f"no recording '{which}': choose from {names}"):
        run("demo", which)


def test_a_recording_that_is_misspelt_is_told_the_nearest():
    with pytest.raises(NotFound, match="did you mean 'structured'"):
        run("demo", "structurd")


def test_it_needs_no_engine_no_database_no_network_and_no_ten_seconds():
    before = getrusage(RUSAGE_CHILDREN)
    ran = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 10
    assert ran.stderr.endswith("touched ")


# -- at a terminal -------------------------------------------------------------------------


OWNING = f"import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); {ENTRY}"
"""Ctrl-C reaches whoever has the terminal."""


class Terminal:
    """The real command in a pseudo-terminal of its own."""

    def __init__(self, *arguments):
        self.ours, self.theirs = pty.openpty()
        wanted = {"TERM": "xterm", "COLUMNS": "100", "LINES": "40", "CI": "", "NO_COLOR": ""}
        self.before = termios.tcgetattr(self.theirs)
        self.process = subprocess.Popen(
            [sys.executable, "-c", OWNING, *arguments],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env={**os.environ, **wanted},
            start_new_session=True,
        )
        self.seen = ""

    def until(self, text, seconds=30):
        end = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < end, self.seen
            if select.select([self.ours], [], [], 0.1)[0]:
                self.seen += os.read(self.ours, 65_536).decode(errors="replace")
        return self.seen

    def type(self, keys):
        os.write(self.ours, keys)

    def end(self):
        code = self.process.wait(10)
        restored = termios.tcgetattr(self.theirs) == self.before
        os.close(self.ours)
        os.close(self.theirs)
        return code, restored


def test_at_a_terminal_it_asks_which_and_q_ends_it():
    terminal = Terminal("demo")
    asked = terminal.until("Which?")
    assert all(motion_of(head)[:40] in asked for head in HEADS)
    terminal.type(b"\n")
    terminal.until("q to quit")
    terminal.type(b"q")
    assert "Result" not in terminal.until("your own debate")
    assert terminal.end() == (0, True)


@pytest.mark.nightly("half a minute; the key q ends it on every change")
def test_ctrl_c_ends_it_without_a_trace():
    terminal = Terminal("demo", "1", "--speed", "0.1")
    terminal.until("q to quit")
    terminal.type(b"\x03")
    assert "Traceback" not in terminal.until("your own debate")
    assert terminal.end() == (130, True)


def test_the_briefing_is_typeset_where_somebody_looks_at_it():
    terminal = Terminal("demo", "1", "--display", "quiet")
    told = terminal.until("your own debate")
    assert ("Bottom line:" in told, "**Bottom line:**" in told, "| --- |" in told) == (True, False, False)
    assert terminal.end() == (0, True)


def test_at_a_thousand_times_its_speed_it_comes_to_its_end():
    for more, last in ((), "How sure"), (("--full",), "Bottom line"):
        terminal = Terminal("demo", "1", "--speed", "1000", *more)
        assert last in terminal.until("your own debate")
        assert terminal.end() == (0, True)


# -- of one's own --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    return f"sqlite:///{tmp_path_factory.mktemp('recorded') / 'runs.db'}"


@pytest.fixture(scope="module")
def debate(database):
    return engine.debate("--model", "improviser", "--database", database)


@pytest.fixture(scope="module")
def kept(database, debate, tmp_path_factory):
    path = tmp_path_factory.mktemp("kept") / "it.jsonl.gz"
    return path, engine.run("record", debate[0], "-o", path, "--note", "Mine", "--database", database)


def test_a_run_becomes_a_file_and_the_next_command_plays_it(kept):
    path, told = kept
    assert engine.TOPIC in told.stdout
    assert told.stderr.endswith(f"hustings replay {path}\n")
    assert load(path.read_bytes(), "it").head.note == "Mine"


def test_a_file_is_not_written_over_unless_told_to(kept, debate, database):
    path, _ = kept
    before = path.read_bytes()
    with pytest.raises(Unsuitable, match="--force"):
        engine.run("record", debate[0], "-o", path, "--database", database)
    told = engine.run("record", debate[0], "-o", path, "--note", "Mine", "--force", "--json", "--database", database)
    assert (path.read_bytes(), json.loads(told.stdout)["bytes"]) == (before, len(before))


def test_where_nothing_can_be_written_that_is_said(debate, database, tmp_path):
    with pytest.raises(Unsuitable, match="can't write"):
        engine.run("record", debate[0], "-o", tmp_path / "no" / "folder.gz", "--database", database)


def test_a_file_and_its_run_are_told_alike(kept, debate, database):
    told = debate[1]
    from_file = engine.events_of(engine.run("replay", kept[0], "--json").stdout)
    from_run = engine.events_of(engine.run("replay", debate[0], "--json", "--database", database).stdout)
    assert from_file[1:] == from_run[1:] == [event for event in told if "seq" in event]


def test_after_a_debate_that_was_not_judged_judging_is_next(debate, database):
    told = engine.run("replay", debate[0], "--database", database)
    assert "; not judged." in told.stdout
    assert told.stderr.endswith(f"hustings judge {debate[0]}\n")


def test_a_file_that_is_no_recording_is_refused(tmp_path):
    path = tmp_path / "it.gz"
    path.write_bytes(gzip.compress(b"{}\n" * 3))
    with pytest.raises(BrokenFile, match="line 1"):
        run("replay", path)


@pytest.mark.parametrize("name", [".", "not-there.jsonl.gz"])
def test_a_folder_or_nothing_is_no_recording(tmp_path, name):
    with pytest.raises(BrokenFile, match="no file"):
        run("replay", tmp_path / name)


def test_hostile_words_in_a_recording_do_not_reach_the_terminal(kept, tmp_path):
    lines = gzip.decompress(kept[0].read_bytes()).decode().replace("Mine", "\\u001b[2J\\u202e")
    path = tmp_path / "hostile.gz"
    path.write_bytes(gzip.compress(lines.encode()))
    told = run("replay", path).stdout
    assert "\\u{1b}[2J\\u{202e}" in told
    assert "\x1b" not in told
