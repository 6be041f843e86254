"""`hustings worker`: says when it is ready, takes what is in the queue, and leaves in good order."""

import json
import signal
import time

import pytest

from hustings.engine.service import open_service
from tests.rig.postgres import ready_sqlite_file

from .engine import TOPIC, events_of, run, worker


def test_a_worker_takes_what_is_queued_and_leaves_when_told(tmp_path):
    url = ready_sqlite_file(tmp_path)
    run_id = run("run", TOPIC, "-m", "improviser", "--detach", "--database", url).stdout.strip()
    with worker(url) as (process, said), open_service(url) as service:
        assert said.startswith(b"ready ")
        *_, last = service.runs.follow(run_id)
        assert last.kind == "budget_changed"
        process.send_signal(signal.SIGTERM)
        _, talked = process.communicate(timeout=30)
        assert (process.returncode, service.runs.workers()) == (0, set())
        assert talked.startswith(b"Stopping: no answer is under way.\n")


@pytest.mark.nightly("three runs of another process; tests/engine begins what follows")
def test_a_debate_that_is_left_to_the_workers_is_judged_by_them(tmp_path):
    url = ready_sqlite_file(tmp_path)
    left = ("run", TOPIC, "-m", "improviser", "--judges", "improviser", "--control", "--detach", "--database", url)
    run_id = run(*left).stdout.strip()
    with worker(url) as (process, _), open_service(url) as service:
        list(service.runs.follow(run_id))
        until = time.monotonic() + 60
        while [report.ending for report in service.runs.audits(run_id)] != ["played", "played"]:
            assert time.monotonic() < until, service.runs.audits(run_id)
            time.sleep(0.1)
        assert process.poll() is None
        assert [report.protocol.partition("/")[0] for report in service.runs.audits(run_id)] == ["control", "judging"]


def test_what_is_had_here_is_judged_here_and_no_worker_does_it_again(tmp_path):
    url = ready_sqlite_file(tmp_path)
    told = run("run", TOPIC, "-m", "improviser", "--judges", "improviser", "--json", "--database", url)
    with open_service(url) as service:
        run_id = events_of(told.stdout)[0]["run_id"]
        assert (service.runs.due(10), len(service.runs.audits(run_id))) == ([], 1)


@pytest.mark.nightly("half a minute; the first signal is sent on every change")
def test_the_second_signal_is_obeyed_at_once(tmp_path):
    url = ready_sqlite_file(tmp_path)
    waiting = ("run", TOPIC, "-m", "improviser", "--seat", "con=human", "--detach", "--database", url)
    run_id = run(*waiting).stdout.strip()
    with (
        worker(url, "--json", "--concurrency", "2", "--calls-at-once", "3") as (process, said),
        open_service(url) as service,
    ):
        assert json.loads(said)["event"] == "ready"
        next(event for event in service.runs.follow(run_id) if event.kind == "human_awaited")
        process.send_signal(signal.SIGINT)
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=5) == 130
        assert service.runs.read(run_id).state == "running"
