"""Commands that a person, a signal, a closed terminal or the machine stops: what they still do, and what they say."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from hustings.cli import stopping
from hustings.cli.commands.batch import same_command
from hustings.cli.options import Place
from hustings.db import leases, outage
from hustings.engine.service import open_service
from hustings.runs.queries import open_runs
from tests.rig.postgres import ready_database, ready_sqlite_file
from tests.rig.provider import serving
from tests.rig.proxy import proxied
from tests.rig.waiting import until

from .console import ENTRY, typed
from .display.pseudo import session, staging
from .engine import TOPIC, worker


@pytest.fixture(scope="module")
def stage():
    with staging() as process:
        yield process


@pytest.fixture(scope="module")
def slow():
    """A provider whose answers take a while."""
    with serving() as running:
        yield running


@pytest.fixture
def provider(slow):
    slow.reset()
    slow.plan(delay=1.2)
    return slow


@pytest.fixture
def url(tmp_path):
    return ready_sqlite_file(tmp_path)


def debate(provider, url):
    model = f"openai_compatible/m@{provider.base_url}"
    return "run", TOPIC, "-p", "roundtable", "-m", model, "--judges", "none", "--database", url


def batch(provider, url, *options, many=2):
    model = f"openai_compatible/m@{provider.base_url}"
    row = {"question": TOPIC, "protocol": "roundtable", "model": model, "judges": "none"}
    file = Path(url.removeprefix("sqlite:///")).with_name("b.jsonl")
    file.write_text(f"{json.dumps(row)}\n" * many, "utf-8")
    return "batch", str(file), "--database", url, *options


def asked(provider, many=1):
    return until(lambda: len(calls := provider.calls()) >= many and calls)


def words(terminal):
    return " ".join(" ".join(terminal.lines).split())


def state(url):
    with open_runs(url) as runs:
        return {report.state for report in runs.latest()}


def cut(provider):
    """Answers that were asked for and did not arrive."""
    until(lambda: all(call.ended for call in provider.calls()))
    return [call.key for call in provider.calls() if not call.delivered]


def lost_its_lease(url):
    """What becomes of a process that sleeps while another takes its debates over."""
    with open_service(url) as service:
        for name in leases.alive(service.runs.database):
            leases.release(service.runs.database, name)


# -- a batch ---------------------------------------------------------------------------------


def test_ctrl_c_in_a_batch_lets_answers_arrive_and_names_the_command_that_goes_on(stage, provider, url):
    given = batch(provider, url, "--name", "two", "--set", "seats=2", "--set", "rounds=1")
    with session(stage, *given, columns=300) as terminal:
        asked(provider, 2)
        terminal.press_ctrl_c()
        terminal.read_until()
    told = words(terminal)
    assert "Letting 2 answers arrive, at most 30 s. Ctrl-C again leaves at once and pays for them twice." in told
    assert told.endswith(f"Go on: hustings batch {given[1]} --name two --set seats=2 --set rounds=1 --database {url}")
    assert (terminal.code, cut(provider), len(provider.calls())) == (130, [], 2)


def test_the_second_ctrl_c_in_a_batch_leaves_at_once_and_the_same_command_goes_on_at_once(stage, provider, url):
    with session(stage, *batch(provider, url), columns=300) as terminal:
        asked(provider, 2)
        terminal.press_ctrl_c()
        assert terminal.read_until(lambda t: "Ctrl-C again leaves at once" in words(t))
        terminal.press_ctrl_c()
        terminal.read_until()
    assert (terminal.code, "Left at once. Unfinished answers may be paid again. Go on:" in words(terminal)) == (
        130,
        True,
    )
    with open_service(url) as service:
        assert service.runs.workers() == set()
    provider.plan(delay=0.0)
    begun = time.monotonic()
    with session(stage, *batch(provider, url), columns=300) as terminal:
        asked(provider, 3)
        assert time.monotonic() - begun < 10  # a lease that was kept would hold it up for 15 s
        terminal.read_until()
    assert terminal.code == 0


def test_ctrl_c_before_the_first_call_says_that_nothing_was_started(stage, provider, tmp_path):
    url = f"sqlite:///{tmp_path}/new.db"
    with session(stage, *debate(provider, url), columns=300) as terminal:
        until((tmp_path / "new.db").exists)
        terminal.press_ctrl_c()
        terminal.read_until()
    assert (terminal.code, words(terminal).endswith("Nothing was started."), provider.calls()) == (130, True, [])


# -- a run -----------------------------------------------------------------------------------


def test_the_second_ctrl_c_gives_the_lease_back_so_that_resume_goes_on_at_once(stage, provider, url):
    with session(stage, *debate(provider, url), columns=300) as terminal:
        asked(provider)
        terminal.press_ctrl_c()
        assert terminal.read_until(lambda t: "Press Ctrl-C again" in words(t))
        terminal.press_ctrl_c()
        terminal.read_until()
    with open_service(url) as service:
        run_id = service.runs.latest()[0].run_id
        assert (terminal.code, service.control.abandoned(run_id)) == (130, True)


def test_a_terminal_that_is_closed_pauses_a_debate_however_often_it_says_so(stage, provider, url):
    provider.plan(delay=3.0)
    with session(stage, *debate(provider, url)) as terminal:
        asked(provider)
        os.kill(terminal.pid, signal.SIGHUP)
        time.sleep(0.2)
        os.kill(terminal.pid, signal.SIGHUP)
        terminal.read_until()
    assert (terminal.code, state(url), cut(provider)) == (130, {"paused"}, [])


def test_nohup_keeps_the_signal_of_a_closed_terminal_away():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stopping.leaving_on_signals(lambda: None):
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) != signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_window_that_slept_says_that_another_went_on(stage, provider, url):
    with session(stage, *debate(provider, url), columns=300) as terminal:
        asked(provider)
        lost_its_lease(url)
        terminal.read_until()
    with open_runs(url) as runs:
        told = f"It went on in another window while this one slept: hustings show {runs.latest()[0].run_id}"
    assert (terminal.code, words(terminal).endswith(told), terminal.below) == (75, True, [])


@pytest.mark.nightly("waits for a beat of the heart; the same of a debate on every change")
def test_a_batch_that_slept_says_that_another_went_on(stage, provider, url):
    with session(stage, *batch(provider, url), columns=300) as terminal:
        asked(provider)
        lost_its_lease(url)
        terminal.read_until()
    told = "It went on in another window while this one slept: hustings show --batch b"
    assert (terminal.code, words(terminal).endswith(told)) == (75, True)


def test_a_debate_whose_database_file_is_gone_does_not_end_as_finished(stage, provider, url, tmp_path):
    provider.plan(delay=0.3)
    with session(stage, *debate(provider, url), columns=300) as terminal:
        asked(provider)
        for file in tmp_path.glob("hustings.db*"):
            file.unlink()
        terminal.read_until()
    told = words(terminal)
    assert (terminal.code, "Finished" in told, terminal.below) == (1, False, [])
    assert "Error: the database file is gone. Not saved from here on" in told
    assert "deleted, moved or replaced" in told


@pytest.mark.nightly("waits for a beat of the heart; tests/engine has it on every change")
@pytest.mark.parametrize("command", ["worker", "batch"])
def test_work_on_a_database_whose_file_is_gone_ends_with_the_reason(stage, provider, url, tmp_path, command):
    provider.plan(delay=10.0)
    given = batch(provider, url)
    if command == "worker":
        typed(*given[:2], "--detach", "--database", url)
        given = ("worker", "--database", url)
    with session(stage, *given, columns=300) as terminal:
        asked(provider)
        for file in tmp_path.glob("hustings.db*"):
            file.unlink()
        terminal.read_until()
    assert (terminal.code, "the database file is gone. Not saved from here on" in words(terminal)) == (1, True)


# -- a database that goes away ---------------------------------------------------------------


@pytest.fixture
def far():
    """The address of a PostgreSQL database, and the door before it."""
    with ready_database() as near, proxied("127.0.0.1", urlsplit(near).port or 5432) as door:
        address = urlsplit(near)
        yield address._replace(netloc=f"{address.username}@127.0.0.1:{door.port}").geturl(), near, door


@contextmanager
def shut(provider, door, seconds=None):
    """Shut the door when a call is under way, for some seconds or until the end."""

    def act():
        asked(provider)
        door.down()
        if seconds is not None:
            time.sleep(seconds)
            door.up()

    acting = threading.Thread(target=act)
    acting.start()
    yield
    acting.join()


def test_a_debate_waits_for_a_database_that_is_away_and_says_so_once(provider, far):
    url, _, door = far
    provider.plan(delay=0.5)
    with shut(provider, door, 2):
        code, out, err = typed(*debate(provider, url))
    assert (code, "Finished: 9 calls" in out, provider.ledger()["served_again"]) == (0, True, 0)
    told = [line for line in err.splitlines() if "database" in line]
    assert told == [
        "The database does not answer; waiting for it. What was said is saved.",
        "The database answers again.",
    ]


def test_a_debate_whose_database_stays_away_is_saved_and_says_how_to_go_on(provider, far, monkeypatch):
    url, near, door = far
    provider.plan(delay=0.5)
    monkeypatch.setattr(outage, "PATIENCE", 1.0)
    with shut(provider, door):
        code, _, err = typed(*debate(provider, url))
    run_id = err.partition(":")[0]
    told = f"The database does not answer. Saved up to here; go on: hustings resume {run_id}"
    assert (code, err.splitlines()[-1]) == (130, told)
    with open_runs(near) as runs:
        assert runs.read(run_id).state == "running"


# -- output that nobody reads ----------------------------------------------------------------


def test_a_debate_whose_output_is_closed_pauses_and_says_how_to_go_on(provider, url):
    command, pipe = [sys.executable, "-c", ENTRY, *debate(provider, url)], subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as ran:
        ran.stdout.readline()
        ran.stdout.close()
        told = ran.stderr.read()
    assert (ran.returncode, state(url), cut(provider)) == (130, {"paused"}, [])
    assert re.fullmatch(r"Output closed\. Go on: hustings resume should-towns[\w-]+", told.splitlines()[-1])


@pytest.mark.parametrize(
    ("into", "code", "said"),
    [
        ("| true", 0, ""),
        ("> /dev/full", 1, "The output could not be written (No space left on device).\n"),
        (">&-", 0, ""),
    ],
)
def test_a_list_that_nobody_reads_ends_without_a_traceback(into, code, said):
    line = f"{sys.executable} -c '{ENTRY}' protocols {into}; exit ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    told = re.sub(r"Try one without a model: .*\n", "", ran.stderr)
    assert (ran.returncode, told) == (code, said)


# -- servers and workers ---------------------------------------------------------------------


@pytest.mark.nightly("two processes; tests/engine has a worker that leaves on every change")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP])
def test_a_worker_that_is_stopped_says_for_how_many_answers_it_waits(provider, url, how):
    typed(*debate(provider, url), "--detach")
    with worker(url) as (process, _):
        asked(provider)
        process.send_signal(how)
        _, told = process.communicate(timeout=30)
    assert told.decode().splitlines() == [
        "Letting 1 answer arrive, at most 30 s. Ctrl-C again stops at once.",
        "Unfinished debates resume with the next worker: hustings worker",
    ]
    assert (process.returncode, cut(provider), len(provider.calls())) == (0, [], 1)


def test_the_command_that_goes_on_names_its_database_without_its_password():
    place = Place(database="postgresql://me:secret@127.0.0.1/debates")
    assert same_command("batch", "my runs.jsonl", place=place) == (
        "hustings batch 'my runs.jsonl' --database 'postgresql://me:…@127.0.0.1/debates'"
    )


def test_what_did_not_arrive_in_time_is_counted():
    assert stopping.letting(0, 30, "") == "Stopping: no answer is under way."
    assert stopping.cut_short(1) == "1 answer did not arrive in time, to be asked for again and perhaps paid twice."
