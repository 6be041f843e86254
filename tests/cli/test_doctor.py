"""`hustings doctor`: each line ok, warn or FAULT with the cure, and nothing that must not be in an issue."""

import json
import sqlite3
from contextlib import closing

import pytest

from hustings.config.batch_file import read_batch_file
from hustings.config.checkup import called
from hustings.config.variables import variables
from hustings.db.connection import connect
from hustings.db.migrate import HEAD, upgrade
from hustings.engine.service import open_service
from hustings.llm.model_spec import ModelSpec
from tests.config.machine import machine
from tests.config.ports import answering, whole
from tests.rig.fixtures import postgres_url  # noqa: F401
from tests.rig.provider import serving

from .console import run

__all__ = ["machine"]
KEY = "sk-canary-7f3a9b2c"


def findings(*arguments):
    told = run("doctor", "--json", *arguments)
    return told.exit_code, {(row["about"], row["state"]): row for row in json.loads(told.stdout)}


def test_on_a_fresh_machine_nothing_is_a_fault(machine):
    code, found = findings()
    assert code == 0
    assert {about for about, _ in found} >= {
        "hustings",
        "data",
        "settings",
        "disk",
        "database",
        ".env",
        "key",
        "optional",
    }
    assert not [about for about, state in found if state == "FAIL"]


def test_it_reads_like_a_list_and_ends_with_the_next_command(machine):
    told = run("doctor")
    assert told.stdout.startswith("ok    hustings      0.")
    assert "hustings doctor --online" in told.stderr


def test_keys_are_told_by_place_and_never_shown(machine):
    machine.project(f"PRO_LLM_API_KEY={KEY}\n", ".env")
    machine.has(OPENAI_API_KEY=KEY)
    machine.user(json.dumps({"MISTRAL_API_KEY": KEY}), "keys.json")
    told = run("doctor").stdout
    for line in ("PRO_LLM_API_KEY from .env", "OPENAI_API_KEY from env", "MISTRAL_API_KEY from key file"):
        assert line in told
    assert KEY not in told


def test_a_broken_file_is_a_fault_and_the_rest_is_still_told(machine):
    machine.project("bugdet = 1\n")
    code, found = findings()
    assert code == 1
    assert "line 1, bugdet" in found["settings", "FAIL"]["said"]
    assert found["settings", "FAIL"]["cure"] == "did you mean 'budget'?"
    assert ("disk", "ok") in found


def test_a_table_that_no_protocol_seats_is_warned_of(machine):
    machine.project("[zeppelin]\nprovider = 'ollama'\nmodel = 'm'\n[ada]\nprovider = 'ollama'\nmodel = 'm'\n")
    _, found = findings()
    assert "no protocol has a seat 'zeppelin'" in found["hustings.toml", "warn"]["said"]


def test_the_database_of_the_settings_is_the_one_that_is_looked_at(machine):
    machine.user("database = 'postgresql://me:secret@127.0.0.1:1/d'\n")
    code, found = findings()
    assert code == 1
    assert "me:…@127.0.0.1:1/d: the database does not answer" in found["database", "FAIL"]["said"]


def test_a_key_file_that_others_can_read_is_a_fault_with_the_cure(machine):
    machine.user("{}", "keys.json", 0o644)
    code, found = findings()
    assert code == 1
    assert "chmod 600" in str(found["key", "FAIL"])


def database_of(machine, version):
    with sqlite3.connect(machine.work / "some.db") as db:
        db.execute("create table hustings_version (version_num text)")
        db.execute("insert into hustings_version values (?)", (version,))
    db.close()
    return f"sqlite:///{machine.work / 'some.db'}"


def test_a_database_of_another_version_is_a_fault_with_the_cure(machine):
    code, found = findings("--database", database_of(machine, "0000"))
    assert code == 1
    assert "make a new database" in found["database", "FAIL"]["cure"]


def test_a_database_that_is_still_empty_is_no_fault_since_the_next_debate_sets_it_up(machine, postgres_url):  # noqa: F811
    _, found = findings("--database", postgres_url)
    assert found["database", "ok"]["said"].endswith(" is empty (set up on first use)")


def test_a_database_that_is_up_to_date_is_told_with_its_version(machine):
    url = f"sqlite:///{machine.work / 'some.db'}"
    with closing(connect(url)) as database:
        upgrade(database)
    code, found = findings("--database", url)
    assert code == 0
    assert f"version {HEAD}" in found["database", "ok"]["said"]


def test_debates_that_wait_and_are_not_in_the_queue_are_counted(machine):
    url = f"sqlite:///{machine.work / 'some.db'}"
    request = {"protocol": "structured", "question": "Why?", "model": "improviser"}
    file = machine.work / "old.jsonl"
    file.write_text(f"{json.dumps(request)}\n" * 2, "utf-8")
    with open_service(url) as service:
        service.upgrade()
        for debate in read_batch_file(file, "old", variables()).debates:
            service.control.enter_here(debate.spec.model_copy(update={"created_at": "2026-01-01T00:00:00.000Z"}))
    code, found = findings("--database", url)
    assert (code, found["queue", "warn"]["said"]) == (0, "2 debates are missing from the queue")


def test_what_is_no_database_is_a_fault(machine):
    (machine.work / "text.db").write_text("no database" * 100)
    code, found = findings("--database", f"sqlite:///{machine.work / 'text.db'}")
    assert code == 1
    assert "the file is not a hustings database" in found["database", "FAIL"]["said"]


def test_a_seat_that_cannot_speak_is_a_fault(machine):
    machine.has(LLM_PROVIDER="openai", LLM_MODEL="gpt-5")
    code, found = findings()
    assert code == 1
    assert "OPENAI_API_KEY" in str(found["model", "FAIL"])


def test_a_model_whose_server_does_not_run_is_a_fault_and_is_not_called(machine):
    machine.has(LLM_PROVIDER="ollama", LLM_MODEL="m", LLM_BASE_URL="http://127.0.0.1:1/v1")
    code, found = findings("--online")
    assert code == 1
    assert "llm: no answer from 127.0.0.1:1, the server of ollama/m" in found["model", "FAIL"]["said"]
    assert "start the server" in found["model", "FAIL"]["cure"]
    assert not [about for about, _ in found if about == "online"]


def test_a_model_that_its_server_does_not_have_is_a_fault(machine):
    with answering(whole({"models": [{"name": "other"}]})) as number:
        machine.has(LLM_PROVIDER="ollama", LLM_MODEL="m", LLM_BASE_URL=f"http://127.0.0.1:{number}/v1")
        code, found = findings()
    assert (code, found["model", "FAIL"]["cure"]) == (1, "ollama pull m")


@pytest.mark.parametrize("named", [(), ("-m", "openai_compatible/m@{url}"), ("--endpoint", "{url}", "-m", "m")])
def test_each_model_is_told_with_the_time_that_its_calls_have(machine, named):
    with serving() as server:
        machine.has(LLM_TIMEOUT="50", LLM_PROVIDER="openai_compatible", LLM_MODEL="m", LLM_BASE_URL=server.base_url)
        _, found = findings(*(part.format(url=server.base_url) for part in named))
    said = found["model", "ok"]["said"]
    first = "first word within 50 s (timeout, no longer than the whole answer)"
    assert said.endswith(f"openai_compatible/m; {first}, whole answer within 50 s (env LLM_TIMEOUT)")


def test_without_a_model_the_improviser_is_named(machine, monkeypatch):
    monkeypatch.setattr("hustings.llm.local_servers.PORTS", ())  # whoever has a server here has a model
    assert "-m improviser" in findings()[1]["model", "warn"]["cure"]


def test_a_broken_plug_in_is_a_fault(machine, installed):
    installed("duel", None, module="gone_duel")
    code, found = findings()
    assert code == 1
    assert "gone_duel" in found["plug-in", "FAIL"]["said"]


def test_a_dotenv_that_everybody_can_read_is_warned_of(machine):
    machine.project("", ".env")
    (machine.work / ".env").chmod(0o644)
    code, found = findings()
    assert code == 0
    assert "chmod 600" in found[".env", "warn"]["cure"]


# -- online --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server():
    with serving(hang=2.0) as running:
        yield running


def model_spec_at(address):
    return ModelSpec(provider="openai_compatible", model="m", base_url=address, key="LLM_API_KEY", local=True)


def test_each_model_is_called_once_and_its_time_told(machine, server):
    machine.has(LLM_PROVIDER="openai_compatible", LLM_MODEL="m", LLM_BASE_URL=server.base_url)
    server.reset()
    code, found = findings("--online")
    assert code == 0
    assert "openai_compatible/m answered in" in found["online", "ok"]["said"]
    assert len(server.calls()) == 1


def test_what_a_model_does_wrong_is_told_with_a_cure_and_without_the_key(server):
    addresses = [server.always("status401"), server.always("status400"), "http://127.0.0.1:1/v1"]
    model_specs = [*map(model_spec_at, addresses), ModelSpec(provider="improviser")]
    found = called(model_specs, {"LLM_API_KEY": KEY}, 5.0)
    assert [finding.state for finding in found] == ["FAIL"] * 3
    assert "refused the key (401)" in found[0].said
    assert all(finding.cure and KEY not in str(finding) for finding in found)
