"""Looking at runs, steering them, and speaking in them, as a person does."""

import json
import re
import subprocess
import sys

import pytest
from rich.cells import cell_len

from hustings.cli.run_table import lines
from hustings.db import run_rows
from hustings.engine.people import questions
from hustings.engine.service import open_service
from hustings.engine.worker import Duty, Worker
from hustings.errors import NotFound, Unsuitable
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.http_model import model_of
from hustings.llm.improviser import Improviser
from hustings.runs.outcome_text import outcome_text
from hustings.runs.run_summary import RunSummary
from hustings.transcript.notes import Cancelled, Deadlocked, Decided, NoQuorum, TooClose
from hustings.transcript.rules import check_document
from tests.rig.postgres import ready_sqlite_file

from .console import ENTRY
from .engine import TOPIC, debate, events_of, run


@pytest.fixture(autouse=True)
def url(tmp_path, monkeypatch):
    address = ready_sqlite_file(tmp_path)
    monkeypatch.setenv("HUSTINGS_DATABASE", address)
    monkeypatch.chdir(tmp_path)
    return address


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    """A debate that is over: how to ask for it, and its events."""
    where = ("--database", ready_sqlite_file(tmp_path_factory.mktemp("held")))
    run_id, told = debate("-m", "improviser", *where)
    return (run_id, *where), told


def detached(*options):
    return run("run", TOPIC, "-m", "improviser", "--detach", *options).stdout.strip()


def state_of(run_id):
    return json.loads(run("show", run_id, "--json").stdout)


# -- looking -------------------------------------------------------------------------------


def test_without_runs_the_list_says_how_to_have_one():
    assert 'hustings "QUESTION"' in run("list").stderr


@pytest.mark.parametrize("filter_", [("--words", "dragons"), ("--batch", "none"), ("--state", "ended")])
def test_a_list_in_which_nothing_matches_does_not_say_that_there_are_no_debates(filter_):
    detached()
    assert run("list", *filter_).stderr.strip() == "No debate matches. See all: hustings list"


def test_the_list_has_the_newest_first():
    older, newer = detached(), detached()
    assert [line.split()[5] for line in run("list").stdout.splitlines()] == [newer, older]


LOADED = f"""
import sys
try:
    {ENTRY}
finally:
    sys.stderr.write("\\n".join(sys.modules))
"""
LATER = ["judging", "report", "script.debate", "transcript.events", "transcript.rules", "runs.queries", "runs.spec"]


@pytest.mark.parametrize("command", ["list", "show"])
def test_lists_and_states_load_neither_specs_nor_logs_nor_judging_nor_reports(held, command):
    run_id, *where = held[0]
    asked = [command, *([run_id] if command == "show" else []), *where]
    told = subprocess.run([sys.executable, "-c", LOADED, *asked], capture_output=True, text=True, check=True)
    assert run_id in told.stdout
    assert {"prometheus_client", *(f"hustings.{name}" for name in LATER)} & {*told.stderr.split()} == set()


def test_the_list_says_what_came_of_each_debate(tmp_path):
    where = ("--database", ready_sqlite_file(tmp_path, "outcomes.db"))
    unjudged, _ = debate("-m", "improviser", "--judges", "none", *where)
    judged, _ = debate("-m", "improviser", "--judges", "improviser", *where)
    waiting = detached(*where)
    told = {line.rpartition("  ")[0].split()[-1]: line for line in run("list", *where).stdout.splitlines()}
    assert re.match(r"finished +(decided|too close|no verdict)", told[judged])
    assert told[unjudged].startswith("finished  not judged")
    assert re.match(r"waiting {10,}structured", told[waiting])


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (None, "not judged"),
        (Decided(what="pro", extent="full"), "decided for pro"),
        (Decided(what="yes", extent="partial"), "decided in part for yes"),
        (Decided(what="D-2 converged", extent="partial"), "agreed in part"),
        (TooClose(margin=0.2), "too close"),
        (Deadlocked(issues=("D-1",)), "deadlocked"),
        (NoQuorum(needed=2, had=1), "no verdict"),
        (Cancelled(by="user"), "no verdict"),
    ],
)
def test_an_outcome_is_told_in_a_few_words(outcome, text):
    assert outcome_text(outcome) == text


def test_in_a_pipe_the_list_has_all_of_a_motion():
    run("run", "Long? " * 60, "-m", "improviser", "--detach")
    assert run("list").stdout.endswith("Long? Long?\n")


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """A debate with its judging, and a trial of a judge after it: where they are."""
    where = ("--database", ready_sqlite_file(tmp_path_factory.mktemp("audited")))
    run_id, _ = debate("-m", "improviser", "--judges", "improviser", *where)
    run("audit", "improviser", *where)
    return run_id, where


def test_audits_are_no_debates(audited):
    run_id, where = audited
    (line,) = run("list", *where, "--limit", 1).stdout.splitlines()
    assert f"  {run_id}  " in line


def test_all_shows_audits_below_theirs(audited):
    run_id, where = audited
    trial, held, judging = run("list", "--all", *where).stdout.splitlines()
    assert ("  probing  " in trial, f"  {run_id}  " in held, f"  {run_id}.judging-" in judging) == (True, True, True)
    assert [line.startswith("  ") for line in (trial, held, judging)] == [False, False, True]
    assert len({line.index("$") for line in (trial, held, judging)}) == 1


def test_after_a_trial_of_a_judge_the_last_debate_is_still_the_last(audited):
    run_id, where = audited
    assert run("show", "last", *where).stdout.startswith(f"{run_id}:")


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_the_list_fits_the_screen_and_every_id_is_whole(width):
    ids = ["a-0a13a716a77c", "should-we-0a13a716a77c"]
    topics = ["\u77ed\u3044\u8b70\u984c" * 20, "Should we? " * 20]
    reports = [
        RunSummary(
            run_id=run_id, state="running", protocol="structured/1", topic=topic, created_at="2026-01-02T03:04:05Z"
        )
        for run_id, topic in zip(ids, topics, strict=True)
    ]
    told = lines([(report, False) for report in reports], width)
    assert all(cell_len(line) <= width and run_id in line for line, run_id in zip(told, ids, strict=True))
    assert [line.endswith("…") for line in told] == [width >= 60] * 2


def test_at_a_hundred_columns_the_question_of_a_judged_debate_is_still_there():
    run_id = "should-our-five-person-shop-in-the-old-t-0a13a716a77c"
    judged = {"state": "ended", "ending": "played", "created_at": "2026-01-02T03:04:05Z"}
    reports = [
        RunSummary(
            run_id=run_id, protocol="structured/1", topic="Should our shop close early?", outcome=found, **judged
        )
        for found in (Decided(what="the strongest of all the motions", extent="full"), TooClose(margin=0.2))
    ]
    told = lines([(report, False) for report in reports], 100)
    assert ["Should our" in line for line in told] == [True, True]
    assert all(cell_len(line) <= 100 and run_id in line for line in told)


def test_the_list_can_be_narrowed_to_a_state():
    run_id = detached()
    listed = [json.loads(run("list", "--state", state, "--json").stdout) for state in ("waiting", "ended")]
    assert [[each["run_id"] for each in found] for found in listed] == [[run_id], []]


def test_a_topic_cannot_steer_the_terminal():
    run("run", "Red\x1b[31m\nherring", "-m", "improviser", "--detach")
    shown = run("list").stdout
    assert ("\x1b" in shown, len(shown.splitlines())) == (False, 1)


def test_the_transcript_is_shown_as_markdown(held):
    assert run("show", *held[0], "--transcript").stdout.startswith(f"# {TOPIC}")


def test_the_transcript_as_json_keeps_every_rule(held):
    assert [*check_document(json.loads(run("show", *held[0], "--transcript", "--json").stdout))] == []


def test_notes_are_bound_to_their_run(held):
    assert json.loads(run("show", *held[0], "--notes").stdout)["run_id"] == held[0][0]


def test_events_are_shown_again_as_they_were_told(held):
    assert events_of(run("show", *held[0], "--events", "--json").stdout) == held[1][1:-1]


def test_a_transcript_that_is_not_there_yet_is_explained():
    run_id = detached()
    with pytest.raises(Unsuitable, match="has not ended"):
        run("show", run_id, "--transcript")


def test_a_run_that_is_not_there_is_named():
    run("db", "upgrade")
    with pytest.raises(NotFound, match="no debate 'nothing' in this database"):
        run("show", "nothing")


# -- steering ------------------------------------------------------------------------------


def test_a_run_that_nobody_carries_out_goes_on_here():
    run_id = detached()
    run("pause", run_id)
    resumed = run("resume", run_id)
    assert (resumed.exit_code, state_of(run_id)["ending"]) == (0, "played")


def test_a_run_that_was_entered_and_never_begun_goes_on_here(url):
    run_id = detached()
    with open_service(url) as service:
        service.engine.dbos.delete_workflows([run_id])
    assert run("resume", run_id).exit_code == 0


def test_a_cancelled_run_is_over_even_if_nobody_works():
    run_id = detached()
    run("cancel", run_id)
    assert state_of(run_id)["ending"] == "cancelled"


@pytest.mark.parametrize("command", ["resume", "pause", "cancel"])
def test_what_is_over_cannot_be_steered(held, command):
    with pytest.raises(Unsuitable, match="has ended"):
        run(command, *held[0])


def test_whoever_resumes_a_broken_run_is_told_how_to_fork_it(url):
    run_id = detached()
    with open_service(url) as service, service.runs.database.writing() as db:
        run_rows.mark(db, run_id, "broken", reason="a wheel came off")
    with pytest.raises(Unsuitable, match=f"a wheel came off.*hustings fork {run_id}"):
        run("resume", run_id)


# -- people --------------------------------------------------------------------------------


@pytest.fixture
def at_work(url):
    with Worker(url, lambda model_spec: model_of(model_spec, {}, PUBLIC_OR_LOOPBACK), Duty(polling=0.05, drain=1)):
        yield


@pytest.mark.usefixtures("at_work")
def test_a_person_is_awaited_and_heard(url, tmp_path):
    run_id = detached("--seat", "con=human")
    with open_service(url) as service:
        for event in service.runs.follow(run_id):
            if event.kind == "human_awaited":
                assert f"hustings say {run_id} con TEXT" in run("show", run_id).stdout
                [call] = questions(service.runs, run_id)
                (tmp_path / "words").write_text(Improviser().words(call), "utf-8")
                run("say", run_id, "con", "@words")
    assert state_of(run_id)["ending"] == "played"


@pytest.mark.usefixtures("at_work")
def test_words_that_do_not_fit_or_were_not_asked_for_go_back_to_the_person(url):
    run_id = detached("--seat", "con=human")
    with open_service(url) as service:
        next(event for event in service.runs.follow(run_id) if event.kind == "human_awaited")
    with pytest.raises(Unsuitable, match="not accepted as opening"):
        run("say", run_id, "con", "no form")
    with pytest.raises(NotFound, match="no open question for 'pro'"):
        run("say", run_id, "pro", "anything")


# -- naming --------------------------------------------------------------------------------


def test_a_run_is_found_by_the_beginning_of_its_id():
    run_id = detached()
    assert run("show", run_id[:-3]).stdout.startswith(f"{run_id}:")


def test_the_last_debate_needs_no_id():
    detached()
    newest = detached("--set", "closing_words=60")
    assert run("show", "last").stdout.startswith(f"{newest}:")


def test_where_nothing_was_debated_there_is_no_last():
    run("db", "upgrade")
    with pytest.raises(NotFound, match='there are no debates yet: start one: hustings "QUESTION"'):
        run("show", "last")


def test_a_beginning_that_several_share_is_no_name():
    one, _ = detached(), detached()
    with pytest.raises(Unsuitable, match="matches several debates"):
        run("show", one[:6])
