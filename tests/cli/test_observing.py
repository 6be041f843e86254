"""A worker seen from outside: its port, lines of JSON without a word of a debate or a key, and a lost lease."""

import json
import logging
import subprocess
import sys
import time
from contextlib import contextmanager

import httpx2 as httpx

from hustings.cli.observing import LEFT_OUT, Observing
from hustings.cli.terminal import talk
from hustings.db import leases
from hustings.engine.service import open_service
from tests.rig.postgres import ready_sqlite_file
from tests.rig.provider import serving
from tests.rig.waiting import until

from .console import ENTRY
from .engine import TOPIC, run

KEY = "sk-hidden-0123456789abcdef"
FIELDS = {"at", "level", "logger", "message", "run_id", "address", "worker", "error", "trace"}


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def test_a_worker_tells_by_its_port_and_its_log_and_repeats_neither_words_nor_key(tmp_path, monkeypatch):
    url, log = ready_sqlite_file(tmp_path), tmp_path / "log"
    with serving(patience=1) as provider, open_service(url) as service:  # a call fails once at most: no seat is lost
        monkeypatch.setenv("LLM_API_KEY", KEY)
        monkeypatch.setenv("LLM_BASE_URL", provider.base_url)
        provider.plan(rate=0.5, faults=["echo", "empty"])
        asked = ("-m", f"openai_compatible/m@{provider.base_url}", "--budget", "1", "--detach", "--database", url)
        run_id = run("run", TOPIC, *asked).stdout.strip()
        command = [sys.executable, "-c", ENTRY, "worker", "--database", url, "--metrics-port", "0", "--log", "json"]
        with (
            log.open("wb") as err,
            subprocess.Popen([*command, "--ttl", "600"], stdout=subprocess.PIPE, stderr=err) as process,
        ):
            try:
                worker = process.stdout.readline().decode().split()[1]
                port = lines_of(log.read_text())[0]["message"].removeprefix("Metrics: ").removesuffix("/metrics")
                assert httpx.get(f"{port}/readyz").text == "ready\n"
                until(lambda: service.runs.read(run_id).state == "ended", 60)
                time.sleep(1.1)  # a look at the database serves for a second
                assert 'hustings_runs{state="ended"} 1.0\n' in httpx.get(f"{port}/metrics").text
                leases.release(service.runs.database, worker)
                time.sleep(1.1)
                told = httpx.get(f"{port}/readyz")
                assert (told.status_code, told.text) == (
                    503,
                    "not ready: the worker has lost its lease: restart it\n",
                )
            finally:
                process.kill()
        said = [turn.said for turn in service.runs.finished(run_id).transcript.turns if turn.said]
    text = log.read_text()
    entries = lines_of(text)
    about = [line for line in entries if line.get("run_id") == run_id]
    told = {f"{run_id}: {what}" for what in ("begun", "answered: ok", "over: played")}
    assert told <= {line["message"] for line in about}
    assert {line["worker"] for line in about} == {worker}
    assert any("address" in line for line in about)
    assert {field for line in entries for field in line} <= FIELDS
    assert said
    assert [secret for secret in (KEY, TOPIC, *said) if secret in text] == []


@contextmanager
def logged(capsys):
    """Lines of the log, once it is over."""
    found = []
    with Observing(log="json").logging() as lines:
        lines.worker = "one"
        yield found
    found += lines_of(capsys.readouterr().err)


def test_the_text_of_an_error_is_left_out_and_its_place_is_named(capsys):
    with logged(capsys) as found:
        try:
            int(KEY)
        except ValueError:
            about = {"run_id": "r", "address": "000.0"}
            logging.getLogger("hustings.x").exception("it could not be done", extra=about)
    (line,) = found
    assert (line["error"], line["run_id"], line["address"], line["worker"]) == ("ValueError", "r", "000.0", "one")
    assert (line["trace"][-1].startswith("test_observing.py:"), KEY in json.dumps(line)) == (True, False)


def test_the_words_of_a_library_are_left_out(capsys):
    with logged(capsys) as found:
        logging.getLogger("dbos").error("failed with %s", KEY)
        logging.getLogger("uvicorn.error").warning(KEY)
    assert [(line["logger"], line["message"]) for line in found] == [("dbos", LEFT_OUT), ("uvicorn.error", LEFT_OUT)]


def test_what_a_command_says_is_a_line_of_the_log(capsys):
    with logged(capsys) as found:
        talk("Ending.")
    assert [line["message"] for line in found] == ["Ending."]


def test_afterwards_everything_is_as_before(capsys):
    before = logging.getLogger().handlers, logging.getLogger("hustings").level
    with Observing(log="json").logging():
        pass
    talk("Plain.")
    assert (logging.getLogger().handlers, logging.getLogger("hustings").level) == before
    assert capsys.readouterr().err == "Plain.\n"
