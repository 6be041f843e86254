"""Databases that were made before names and places changed open after an upgrade, and their runs go on."""

import json
from contextlib import ExitStack, closing

import pytest

from hustings.db import budget, tokens
from hustings.db.connection import connect
from hustings.db.migrate import HEAD, version_of
from hustings.db.tokens import Credential
from hustings.engine.follow_up_worker import FollowUpWorker
from hustings.engine.people import questions, speak
from hustings.engine.service import open_service
from hustings.llm.improviser import Improviser
from hustings.runs.dossiers import judgement
from hustings.runs.follow_ups import FollowUps
from hustings.runs.fork import fork
from hustings.runs.judging_spec import judging_spec
from hustings.runs.queries import open_runs
from hustings.runs.spec import Inheritance
from hustings.transcript.notes import Played
from tests.cli.engine import run
from tests.engine.rig import IMPROVISER
from tests.rig.provider import serving

from .databases import CAPS, CENTURY, DUTY, KINDS, PATIENCE, PRICED, REQUEST, Keeper, manifest, remains, restored

pytestmark = pytest.mark.timeout(300)


LATER = pytest.mark.nightly("a minute; on every change the old database is that of SQLite")


@pytest.fixture(
    scope="module", params=[kind if kind == "sqlite" else pytest.param(kind, marks=LATER) for kind in KINDS]
)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def recorded(kind):
    """What was in the database when it was made: run to its figures and digests."""
    return manifest()[kind]["runs"]


@pytest.fixture(scope="module")
def upgraded(kind, tmp_path_factory):
    """The address of a copy after `hustings db upgrade`."""
    with restored(kind, tmp_path_factory.mktemp("upgraded")) as url:
        assert run("db", "upgrade", "--database", url).exit_code == 0
        yield url


def test_a_dry_run_tries_every_step_and_changes_nothing(kind, tmp_path):
    with restored(kind, tmp_path) as url:
        steps = json.loads(run("db", "upgrade", "--dry-run", "--database", url, "--json").stdout)["steps"]
        with closing(connect(url)) as database:
            version = version_of(database)
    assert version < HEAD
    assert [step[:4] for step in steps][-1] == HEAD


# -- looking -----------------------------------------------------------------------------


@pytest.fixture
def runs(upgraded):
    with open_runs(upgraded) as runs:
        yield runs


def test_there_are_runs_of_every_kind(recorded):
    assert {found["state"] for found in recorded.values()} == {"waiting", "running", "paused", "ended"}
    endings = {found["ending"] for found in recorded.values()}
    assert endings == {"", "played", "cancelled", "budget_stopped"}


def test_every_old_run_is_listed(upgraded, recorded):
    listed = json.loads(run("list", "--json", "--database", upgraded).stdout)
    assert {report["run_id"]: report["state"] for report in listed} == {
        run_id: found["state"] for run_id, found in recorded.items()
    }


def test_every_old_run_can_be_shown(upgraded, recorded):
    shown = {run_id: json.loads(run("show", run_id, "--json", "--database", upgraded).stdout) for run_id in recorded}
    awaited = {run_id: [asked["seat"] for asked in report["awaited"]] for run_id, report in shown.items()}
    assert {run_id for run_id, seats in awaited.items() if seats} == {"held"}
    assert {run_id: report["ending"] for run_id, report in shown.items()} == {
        run_id: found["ending"] for run_id, found in recorded.items()
    }


def test_the_briefing_of_an_old_judging_can_be_shown(upgraded):
    told = run("show", "judged", "--briefing", "--json", "--database", upgraded).stdout
    assert json.loads(told)["judged"] == "judged"


def test_every_old_run_holds_what_it_held(runs, recorded):
    assert {run_id: remains(runs, run_id) for run_id in recorded} == recorded


def test_old_runs_keep_the_terms_they_were_entered_under(runs):
    """A field that is read under another name would be left at its default without a word."""
    paid, table, forked, held = map(runs.spec, ("paid", "table", "forked", "held"))
    assert (paid.caps, paid.model_specs) == (CAPS, {"pro": PRICED, "con": PRICED})
    assert (table.seed, table.batch, table.debate.settings["rounds"]) == (5, "pair", 1)
    assert (forked.forked_from, forked.inherits) == ("finished", (Inheritance(lineage="finished", before_wave=1),))
    assert (held.days_for_people, held.debate.cast["pro"].model, held.model_specs) == (
        CENTURY,
        "human",
        {"con": IMPROVISER},
    )
    assert runs.spec("judged.judging").judged == "judged"
    assert FollowUps.stored(runs, "due") == FollowUps(REQUEST, control=True)


def test_old_logs_keep_what_was_paid_and_who_is_awaited(runs):
    paid = [event for event in runs.events("paid") if event.kind == "call_paid"]
    assert (len(paid), all(event.price and event.tokens_in and event.tokens_out for event in paid)) == (6, True)
    awaited = [event for event in runs.events("held") if event.kind == "human_awaited"]
    assert (len(awaited), all(event.key and event.task and event.form for event in awaited)) == (2, True)


def test_an_old_token_still_names_its_owner(runs, kind):
    assert tokens.access_of(runs.database, Credential(manifest()[kind]["token"])).owner == "ann"


def test_old_votes_and_caps_still_count(runs):
    with runs.database.reading() as db:
        assert budget.account(db, "owner:ann").caps.money == 5_000_000
    assert runs.votes("finished") == {"ann": '{"winner": "pro"}'}


# -- going on ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rig(kind, tmp_path_factory):
    """A copy with a worker at work, who has taken over the runs of the one that made it."""
    with ExitStack() as stack:
        url = stack.enter_context(restored(kind, tmp_path_factory.mktemp("rig")))
        service = stack.enter_context(open_service(url))
        service.upgrade()
        rig = Keeper(url, service, stack.enter_context(serving()))
        rig.tidy()
        rig.open(DUTY)
        stack.callback(rig.close)
        rig.worker._heartbeat.sweep()
        yield rig


def test_an_old_paused_run_is_resumed_and_plays_to_its_end(rig):
    before = [turn.said for turn in rig.seen("paused").told.transcript.turns[:4]]
    rig.control.steer("paused", "go")
    seen = rig.ended("paused", PATIENCE)
    assert (seen.ending, seen.findings, seen.said[:4]) == (Played(), [], before)


def test_what_an_old_run_had_paid_is_not_paid_again(rig, recorded):
    rig.control.steer("paused", "go")
    seen = rig.ended("paused", PATIENCE)
    assert (recorded["paused"]["calls"], seen.account.calls) == (4, 6)


def test_an_old_waiting_run_is_carried_out(rig):
    seen = rig.ended("waiting", PATIENCE)
    assert (seen.ending, seen.findings) == (Played(), [])


def test_an_old_waiting_fork_takes_over_what_was_said(rig):
    seen = rig.ended("waiting-fork", PATIENCE)
    assert (seen.ending, seen.said[:4]) == (Played(), rig.seen("finished").said[:4])


@pytest.mark.parametrize(("run_id", "seat", "first"), [("held", "pro", 2), ("waiting-person", "con", 1)])
def test_an_old_run_takes_the_words_of_the_person_it_waits_for(rig, run_id, seat, first):
    for nth in range(first, 4):
        rig.until_asked(run_id, nth)
        (call,) = questions(rig.runs, run_id)
        speak(rig.control, run_id, seat, Improviser().words(call))
    seen = rig.ended(run_id, PATIENCE)
    assert (seen.ending, seen.findings) == (Played(), [])


@pytest.mark.parametrize("run_id", ["finished", "paid", "forked", "cancelled"])
def test_an_old_debate_that_is_over_can_be_judged(rig, run_id):
    old = rig.runs.spec(run_id)
    made = judging_spec(old, rig.runs.finished(run_id), REQUEST, {})
    rig.control.enter_here(made)
    rig.worker.start(made)
    rig.ended(made.run_id, PATIENCE)
    found = judgement(rig.runs, run_id)
    assert found is not None
    assert found.judged == run_id


def test_an_old_debate_can_be_forked_for_nothing(rig):
    made = fork(rig.runs, "paid")
    rig.control.enter_here(made)
    rig.worker.start(made)
    seen = rig.ended(made.run_id, PATIENCE)
    assert (seen.said, seen.account.calls) == (rig.seen("paid").said, 0)


def test_what_was_due_after_an_old_debate_is_begun(rig):
    with FollowUpWorker(rig.service, {}, lambda made: made):
        rig.until(lambda: judgement(rig.runs, "due") is not None, PATIENCE)
    follows = [report.protocol.partition("/")[0] for report in rig.runs.audits("due")]
    assert follows == ["control", "judging"]
