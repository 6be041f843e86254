"""`hustings resume` finishes what a command was asked for: control, judging, summary, evaluation."""

import json
import sqlite3
import subprocess
import sys

import pytest
import sqlalchemy as sa

from hustings.db.tables import RUN
from hustings.engine.follow_up_worker import FollowUpWorker
from hustings.engine.service import open_service
from hustings.errors import Unsuitable
from hustings.runs.follow_ups import FollowUps
from tests.rig.postgres import ready_sqlite_file
from tests.rig.provider import serving

from .console import ENTRY
from .engine import TOPIC, debate, events_of, run

FREE = ("-m", "improviser")


@pytest.fixture(autouse=True)
def url(tmp_path, monkeypatch):
    address = ready_sqlite_file(tmp_path)
    monkeypatch.setenv("HUSTINGS_DATABASE", address)
    monkeypatch.chdir(tmp_path)
    return address


@pytest.fixture(scope="module")
def running():
    with serving() as running:
        yield running


@pytest.fixture
def provider(running):
    running.reset()
    running.plan(rate=0.0, delay=0.0, patience=100, faults=["status401"])
    return running


def model_of(provider):
    return f"openai_compatible/m@{provider.base_url}"


def audits_of(url, run_id):
    """Script and ending of each audit, oldest first."""
    with open_service(url) as service:
        return [(report.protocol.partition("/")[0], report.ending) for report in service.runs.audits(run_id)]


def put(url, run_id, **row):
    with open_service(url) as service, service.runs.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == run_id).values(row))


def refused(provider, *options):
    """A debate whose judge was refused its key, so that its judging is paused; the key works now."""
    provider.plan(rate=1.0)
    ran = run("run", TOPIC, *FREE, "--judges", model_of(provider), *options)
    provider.plan(rate=0.0)
    assert ran.exit_code == 4
    return ran.stderr.partition(":")[0]


def test_a_debate_whose_judging_was_paused_goes_on_with_it_and_with_what_follows(url, provider):
    run_id = refused(provider, "--control", "--summary")
    assert audits_of(url, run_id) == [("control", "played"), ("judging", "")]
    resumed = run("resume", run_id)
    assert audits_of(url, run_id) == [("control", "played"), ("judging", "played"), ("summary", "played")]
    assert f"{run_id} has ended. Going on with its judging.\n" in resumed.stderr
    assert (resumed.exit_code, f"# {TOPIC}\n" in resumed.stdout) == (0, True)


def test_a_judging_that_is_resumed_by_its_own_name_is_followed_too(url, provider):
    run_id = refused(provider, "--summary")
    with open_service(url) as service:
        [judging] = service.runs.audits(run_id)
    assert run("resume", judging.run_id).exit_code == 0
    assert audits_of(url, run_id) == [("judging", "played"), ("summary", "played")]


def test_a_debate_that_was_killed_is_judged_when_it_is_resumed(tmp_path, url, provider):
    provider.plan(delay=1.0)
    command = ["run", TOPIC, "-m", model_of(provider), "--judges", "improviser", "--control", "--json"]
    with subprocess.Popen([sys.executable, "-c", ENTRY, *command], stdout=subprocess.PIPE) as ran:
        run_id = json.loads(ran.stdout.readline())["run_id"]
        while json.loads(ran.stdout.readline())["kind"] != "turn_begun":
            pass
        ran.kill()
    provider.plan(delay=0.0)
    with sqlite3.connect(tmp_path / "hustings.db") as db:
        db.execute("update hustings_lease set expires = 0")  # instead of waiting until it runs out
    db.close()
    told = events_of(run("resume", run_id, "--json").stdout)
    assert (told[-1]["kind"], told[-1]["judged"]) == ("judgement", run_id)
    assert audits_of(url, run_id) == [("control", "played"), ("judging", "played")]


def test_a_judging_that_was_never_entered_is_held_when_the_debate_is_resumed(url):
    run_id, _ = debate(*FREE)
    put(url, run_id, follows="due", follow_ups=FollowUps.of("improviser").dump())
    resumed = run("resume", run_id)
    assert f"{run_id} has ended. Going on with its judging.\n" in resumed.stderr
    assert (resumed.exit_code, audits_of(url, run_id)) == (0, [("judging", "played")])


def test_a_judging_that_was_never_entered_is_told_and_can_be_cancelled(url):
    run_id, _ = debate(*FREE)
    put(url, run_id, follows="due", follow_ups=FollowUps.of("improviser").dump())
    told = f"Its judging is not finished. Continue: hustings resume {run_id}"
    assert run("show", run_id).stderr.splitlines()[-1] == told
    assert run("cancel", run_id).stdout == f"Nothing follows {run_id}.\n"
    assert run("show", run_id).stderr.splitlines()[-1] == f"Next: hustings judge {run_id}"
    with pytest.raises(Unsuitable, match="has ended"):
        run("resume", run_id)


def test_what_has_been_judged_has_ended(url):
    ran = run("run", TOPIC, *FREE, "--judges", "improviser", "--summary")
    run_id = ran.stderr.partition(":")[0]
    with pytest.raises(Unsuitable, match=f"'{run_id}' has ended: hustings show"):
        run("resume", run_id)
    with open_service(url) as service:
        kin = [run_id, *(report.run_id for report in service.runs.audits(run_id))]
        assert [FollowUps.stored(service.runs, each).summary for each in kin] == [True] * 3
        assert not any(service.runs.light_row(each)["follows"] == "due" for each in kin)


def test_a_judging_that_a_cap_stopped_is_named_and_not_begun_again(url):
    ran = run("run", TOPIC, *FREE, "--judges", "improviser", "--max-calls", 8)
    run_id = ran.stderr.partition(":")[0]
    with pytest.raises(
        Unsuitable, match=rf"'{run_id}\.judging-.*' has reached its limit.*hustings fork {run_id}\.judging-"
    ):
        run("resume", run_id)
    assert audits_of(url, run_id) == [("judging", "budget_stopped")]


def test_a_summary_that_was_interrupted_is_not_shown_as_if_it_were_done(url, provider):
    ran = run("run", TOPIC, *FREE, "--judges", "improviser")
    run_id = ran.stderr.partition(":")[0]
    provider.plan(rate=1.0)
    told = run("summary", run_id, "--model", model_of(provider))
    assert (told.exit_code, f"# {TOPIC}" in told.stdout) == (4, False)
    assert run("show", run_id).stderr.endswith(f"Its summary is not finished. Continue: hustings resume {run_id}\n")
    provider.plan(rate=0.0)
    assert f"# {TOPIC}" in run("resume", run_id).stdout
    assert audits_of(url, run_id) == [("judging", "played"), ("summary", "played")]


def test_beside_a_worker_that_starts_follow_ups_each_is_held_once_and_by_the_command(url):
    with open_service(url) as service, FollowUpWorker(service, {}, lambda made: made):
        ran = run("run", TOPIC, *FREE, "--judges", "improviser", "--control", "--summary")
        run_id = ran.stderr.partition(":")[0]
        kin = [run_id, *(report.run_id for report in service.runs.audits(run_id))]
        holders = {service.runs.light_row(each)["executor_id"] for each in kin}
    assert audits_of(url, run_id) == [("control", "played"), ("judging", "played"), ("summary", "played")]
    assert len(holders) == 1
