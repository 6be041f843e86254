"""`hustings batch`: many debates from one file, each of them once."""

import json
import os

import pytest

from hustings.cli.commands.batch import specs
from hustings.engine.service import open_service
from hustings.errors import BrokenFile, NotFound, Unsuitable
from tests.rig.fixtures import postgres_url  # noqa: F401
from tests.rig.provider import serving

from .engine import TOPIC, events_of, run, worker


@pytest.fixture(autouse=True)
def _at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", f"sqlite:///{tmp_path}/hustings.db")
    monkeypatch.chdir(tmp_path)


def request(**more):
    return {"protocol": "structured", "topic": TOPIC, "model": "improviser", **more}


def file_of(tmp_path, *requests, name="some.jsonl"):
    (tmp_path / name).write_text("".join(f"{json.dumps(request)}\n" for request in requests), "utf-8")
    return tmp_path / name


def listed(*options):
    return json.loads(run("list", "--json", "--limit", 1000, *options).stdout)


def test_a_batch_can_be_worked_off_here(tmp_path):
    ran = run("batch", file_of(tmp_path, *[request()] * 5), "--work", "--json")
    assert events_of(ran.stdout) == [{"kind": "done", "batch": "some", "tally": {"played": 5}, "spent": 0.0}]
    assert ran.exit_code == 0
    assert sorted(each["run_id"] for each in listed("--batch", "some")) == [f"some-{n}" for n in range(1, 6)]


def test_runs_that_were_stopped_show_in_the_exit_code(tmp_path):
    stopped = request(caps={"calls": 1})
    ran = run("batch", file_of(tmp_path, request(), stopped), "--work")
    assert (ran.exit_code, ran.stdout) == (3, "some: 1 budget_stopped, 1 played; 0.0000 USD\n")


def test_a_broken_line_is_named_and_nothing_is_entered(tmp_path):
    file = file_of(tmp_path, request(), {**request(), "topik": "x"}, request(protocol="none"))
    with pytest.raises(BrokenFile, match=r"(?s)line 2: .*topik.*line 3: no protocol 'none'"):
        run("batch", file, "--detach")
    assert listed() == []


def test_a_batch_without_a_line_is_refused(tmp_path):
    with pytest.raises(BrokenFile, match="the file has no lines"):
        run("batch", file_of(tmp_path))


def test_a_batch_that_is_entered_again_changes_nothing(tmp_path):
    file = file_of(tmp_path, request(), request())
    run("batch", file, "--detach", "--name", "twice")
    before = listed()
    run("batch", file, "--detach", "--name", "twice")
    assert listed() == before


def test_a_line_that_was_changed_needs_a_batch_of_its_own(tmp_path):
    run("batch", file_of(tmp_path, request()), "--detach")
    with pytest.raises(Unsuitable, match="give this batch another --name"):
        run("batch", file_of(tmp_path, request(seed=2)), "--detach")


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    "many",
    [
        8,
        pytest.param(50, marks=pytest.mark.nightly("fifty debates take half a minute")),
        pytest.param(500, marks=pytest.mark.nightly("five hundred debates take a minute")),
    ],
)
def test_two_workers_share_a_batch_and_no_call_is_served_twice(tmp_path, postgres_url, many):  # noqa: F811
    with serving() as provider:
        model = f"openai_compatible/m@{provider.base_url}"
        file = file_of(tmp_path, *[request(model=model)] * many)
        run("batch", file, "--detach", "--database", postgres_url)
        with worker(postgres_url) as (first, _), worker(postgres_url) as (second, _):
            ran = run("batch", file, "--database", postgres_url, "--json")
            for process in (first, second):
                process.terminate()
            assert [process.wait(30) for process in (first, second)] == [0, 0]
        ledger = provider.ledger()
    assert events_of(ran.stdout)[-1]["tally"] == {"played": many}
    assert (ledger["calls"], ledger["served"], ledger["served_again"]) == (6 * many, 6 * many, 0)
    assert {each["ending"] for each in listed("--batch", "some", "--database", postgres_url)} == {"played"}


@pytest.mark.nightly("three workers in turn; a batch is cancelled on every change")
def test_a_whole_batch_is_told_at_once(tmp_path):
    run("batch", file_of(tmp_path, request(), request()), "--detach")
    told = json.loads(run("pause", "--batch", "some", "--json").stdout)
    assert (told["told"], sorted(told["runs"])) == ("pause", ["some-1", "some-2"])
    waits = run("batch", tmp_path / "some.jsonl", "--work")
    assert (waits.exit_code, waits.stdout) == (130, "some: 2 paused; 0.0000 USD\n")
    assert run("resume", "--batch", "some").stdout == "2 of 2 debates of 'some' were told to resume.\n"
    assert run("batch", tmp_path / "some.jsonl", "--work").stdout == "some: 2 played; 0.0000 USD\n"


def test_a_batch_that_is_cancelled_comes_to_its_end(tmp_path):
    run("batch", file_of(tmp_path, request(), request()), "--detach")
    told = run("cancel", "--batch", "some")
    assert told.stdout == "2 of 2 debates of 'some' were told to cancel.\n"
    assert "start one: hustings worker" in told.stderr
    assert run("batch", tmp_path / "some.jsonl", "--work").stdout == "some: 2 cancelled; 0.0000 USD\n"


def left_over(tmp_path, *requests):
    """Debates that are on record as a batch and not in the queue."""
    file = file_of(tmp_path, *requests)
    with open_service(os.environ["HUSTINGS_DATABASE"]) as service:
        service.upgrade()
        for spec in specs(file.read_text("utf-8"), "some"):
            service.control.enter_here(spec)
    return file


def test_a_batch_that_was_never_queued_is_queued_when_it_is_resumed(tmp_path):
    file = left_over(tmp_path, request(), request())
    told = run("resume", "--batch", "some").stdout
    assert told == "2 of 2 debates of 'some' were told to resume.\n2 of them were not in the queue; they are now.\n"
    assert run("resume", "--batch", "some").stdout == "2 of 2 debates of 'some' were told to resume.\n"
    assert run("batch", file, "--work").stdout == "some: 2 played; 0.0000 USD\n"


def test_a_batch_that_was_never_queued_is_queued_when_it_is_entered_again(tmp_path):
    left_over(tmp_path, request())
    ran = run("batch", file_of(tmp_path, request(), request()), "--work")
    assert ran.stdout == "some: 2 played; 0.0000 USD\n"


def test_a_debate_that_was_never_queued_is_carried_out_when_it_is_resumed(tmp_path):
    left_over(tmp_path, request())
    ran = run("resume", "some-1")
    assert (ran.exit_code, listed()[0]["ending"]) == (0, "played")


@pytest.mark.parametrize("named", [(), ("some-1", "--batch", "some")])
def test_a_run_or_a_batch_must_be_named_and_not_both(named):
    with pytest.raises(Unsuitable, match="name a RUN or a --batch"):
        run("pause", *named)


def test_a_batch_that_is_not_there_cannot_be_told():
    run("db", "upgrade")
    with pytest.raises(NotFound, match="no batch 'none'"):
        run("resume", "--batch", "none")
