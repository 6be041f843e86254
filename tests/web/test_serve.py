"""`hustings serve` as a process: it says where it is, leaves in good order, and goes on after it was killed."""

import json
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack

import pytest

from hustings.cli.commands.serve import Reach, _reached
from hustings.config.running_server import announced, running_server
from hustings.errors import Unsuitable
from hustings.web.app import port_at
from tests.cli.console import ENTRY
from tests.cli.engine import run
from tests.rig.postgres import ready_sqlite_file, sqlite_file
from tests.rig.provider import serving as provider_serving
from tests.rig.waiting import until

from .command import OPENING, serving
from .rig import MOTION, messages

pytestmark = pytest.mark.timeout(150)


def refused(folder, *options):
    """What it says when it will not serve."""
    command = [sys.executable, "-c", ENTRY, "serve", "--database", sqlite_file(folder), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, cwd=folder, check=False)
    assert done.returncode == 2, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    "how",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGINT, marks=pytest.mark.nightly("half a minute; SIGTERM is sent on every change")),
    ],
)
def test_it_leaves_in_good_order_whoever_is_watching(tmp_path, how):
    with serving(tmp_path, ready_sqlite_file(tmp_path), "--log", "json") as (process, http):
        body = {"question": MOTION, "seats": {"con": "human"}, "judges": "none"}
        run_id = http.post("/api/debates", json=body).json()["run_id"]
        seen, ended = [], threading.Event()

        def watch():
            with http.stream("GET", f"/api/debates/{run_id}/events") as answer:
                seen.extend(event for _, event in messages(answer.iter_lines()))
            ended.set()

        threading.Thread(target=watch, daemon=True).start()
        until(lambda: any(event["kind"] == "human_awaited" for event in seen))
        process.send_signal(how)
        assert ended.wait(5)
        assert process.wait(20) == 0
        told = process.stderr.read()
    assert "end" not in seen
    lines = [json.loads(line) for line in told.splitlines()]
    assert any("resume with" in line["message"] for line in lines)
    about = [line for line in lines if line.get("run_id") == run_id]
    assert [bool(line["worker"]) for line in about if line["message"] == f"{run_id}: begun"] == [True]
    assert MOTION not in told


@pytest.mark.parametrize(
    "how",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGINT, marks=pytest.mark.nightly("a signal is as good as another")),
        pytest.param(signal.SIGHUP, marks=pytest.mark.nightly("a signal is as good as another")),
    ],
)
def test_an_answer_under_way_arrives_before_it_leaves_and_no_call_begins(tmp_path, how):
    with ExitStack() as stack:
        provider = stack.enter_context(provider_serving(delay=3.0))
        model, url = f"openai_compatible/m@{provider.base_url}", ready_sqlite_file(tmp_path)
        process, http = stack.enter_context(serving(tmp_path, url, "--allow", model))
        body = {"question": MOTION, "protocol": "roundtable", "judges": "none", "model": model}
        http.post("/api/debates", json=body).raise_for_status()
        until(provider.calls)
        process.send_signal(how)
        told = process.stderr.read()
        assert process.wait(20) == 0
        until(lambda: all(call.ended for call in provider.calls()))
        assert [call.delivered for call in provider.calls()] == [True]
    assert told.splitlines() == [
        "Letting 1 answer arrive, at most 8 s. Ctrl-C again stops at once.",
        "Stopped. Unfinished debates resume with: hustings serve",
    ]


def test_others_are_not_let_in_without_a_token(tmp_path):
    """The name is never looked up: it is refused before."""
    said = refused(tmp_path, "--host", "hustings.invalid")
    assert "hustings tokens add" in said
    assert "--unsafe-allow-unauthenticated" in said


@pytest.mark.nightly("a process of its own, for twenty seconds")
def test_a_model_that_may_be_seated_is_spelt_out_at_the_start(tmp_path):
    assert "'m' is not a model" in refused(tmp_path, "--allow", "m")


def test_the_body_of_an_answer_does_not_wait_until_its_head_has_arrived():
    with port_at("127.0.0.1", 0) as line, socket.create_connection(line.getsockname()):
        connection, _ = line.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_that_is_taken_is_told_with_the_cure(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "--port 0" in refused(tmp_path, "--port", str(taken.getsockname()[1]))


def link(url, run_id, *options):
    return run("tokens", "link", run_id, "con", "--database", url, *options)


def test_the_first_link_makes_a_token_for_oneself_and_leads_to_the_server_that_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "STATE"))
    url = ready_sqlite_file(tmp_path)
    with serving(tmp_path, url, "--no-worker") as (process, http):
        body = {"question": MOTION, "model": "improviser", "seats": {"con": "human"}}
        run_id = http.post("/api/debates", json=body).json()["run_id"]
        first, second = link(url, run_id), link(url, run_id[:20])
        made, own = first.stdout.split()
        assert made.startswith(f"{str(http.base_url).rstrip('/')}/debates/{run_id}/seat/con#link=")
        assert http.get("/api/about").status_code == 401
        assert http.get("/api/about", headers={"Authorization": f"Bearer {own}"}).json()["owner"] == "local"
        assert [len(one.stdout.split()) for one in (first, second)] == [2, 1]
        assert "hustings serve --host NAME" in first.stderr
        assert link(url, run_id, "--url", "https://ours.test/").stdout.startswith("https://ours.test/debates/")
        process.send_signal(signal.SIGTERM)
        process.wait()
    with pytest.raises(Unsuitable, match="no server runs here with this database"):
        link(url, run_id)


def test_a_server_that_was_killed_is_not_taken_for_one_that_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as line:
        at = f"http://127.0.0.1:{line.getsockname()[1]}"
        with announced("sqlite:///a", at, "https://ours.test"):
            assert (running_server("sqlite:///a"), running_server("sqlite:///b")) == ("https://ours.test", None)
            line.close()
            assert running_server("sqlite:///a") is None


@pytest.mark.parametrize(
    ("reach", "reached"),
    [
        (Reach(), "http://127.0.0.1:80"),
        (Reach(host="0.0.0.0"), "http://127.0.0.1:80"),
        (Reach(allow_host=["ours.test"]), "http://ours.test:80"),
        (Reach(allow_host=["ours.test"], behind_proxy=["127.0.0.1"]), "https://ours.test"),
    ],
)
def test_a_link_leads_to_the_name_under_which_others_reach_the_server(reach, reached):
    assert _reached(reach, "http://127.0.0.1:80") == reached


@pytest.mark.nightly("a minute; a server is killed before a judging on every change")
def test_killed_while_a_person_is_awaited_it_goes_on_after_the_restart(tmp_path):
    url = ready_sqlite_file(tmp_path)
    with serving(tmp_path, url) as (process, http):
        body = {"question": MOTION, "seats": {"con": "human"}, "judges": ["improviser"]}
        run_id = http.post("/api/debates", json=body).json()["run_id"]
        asked = until(lambda: http.get(f"/api/debates/{run_id}").json()["questions"])[0]
        process.kill()
        process.wait()
    with serving(tmp_path, url) as (_, http):
        state = http.get(f"/api/debates/{run_id}").json()
        assert [q["key"] for q in state["questions"]] == [asked["key"]]
        speech = {"seat": "con", "text": OPENING, "key": asked["key"]}
        assert http.post(f"/api/debates/{run_id}/speeches", json=speech).status_code == 202

        def further():
            questions = http.get(f"/api/debates/{run_id}").json()["questions"]
            return any(q["key"] != asked["key"] for q in questions)

        until(further, 60)
        http.post(f"/api/debates/{run_id}/cancel")
        until(lambda: http.get(f"/api/debates/{run_id}").json()["report"]["state"] == "ended", 30)
        with http.stream("GET", f"/api/debates/{run_id}/events") as answer:
            told = [event for number, event in messages(answer.iter_lines()) if number is not None]
        assert [event["seq"] for event in told] == [*range(len(told))]
        assert "recovered" in {event["kind"] for event in told}


def test_killed_after_the_debate_its_judging_follows_all_the_same(tmp_path):
    """What follows is on record with the debate: whoever serves next sees to it."""
    url = ready_sqlite_file(tmp_path)
    with serving(tmp_path, url, "--no-worker") as (process, http):
        body = {"question": MOTION, "judges": ["improviser"]}
        run_id = http.post("/api/debates", json=body).json()["run_id"]
        process.kill()
        process.wait()
    with serving(tmp_path, url) as (_, http):

        def judged():
            follows = http.get(f"/api/debates/{run_id}").json()["follows"]
            return [report for report in follows if report["state"] == "ended"]

        assert until(judged, 60)[0]["ending"] == "played"
