import subprocess
import sys

import pytest
import sqlalchemy as sa

from hustings.db import leases
from hustings.db.budget import account
from hustings.db.caps import Caps
from hustings.db.instants import instant, seconds_of
from hustings.db.tables import CALL
from hustings.engine.client import is_queued
from hustings.engine.service import open_service
from hustings.errors import NotFound, Unsuitable
from hustings.runs.queries import open_runs

pytestmark = pytest.mark.both_databases

CENT = 10_000


@pytest.fixture
def owner(rig, request):
    """Somebody with a dollar in all."""
    name = request.node.name
    rig.budgets.set_caps(name, total=100 * CENT, day=None)
    return name


def stands(rig, budget_id):
    with rig.database.reading() as db:
        return account(db, budget_id)


# -- commissioning ---------------------------------------------------------------------------


def test_a_run_that_is_entered_waits(rig):
    report = rig.runs.read(rig.spec(batch="b", owner="ann").run_id)
    assert (report.state, report.protocol, report.owner, report.batch) == ("waiting", "structured/1", "ann", "b")


def test_a_spec_is_kept_as_it_was(rig):
    made = rig.spec(rig.model_spec(), caps=Caps(money=5), seed=3)
    assert rig.runs.spec(made.run_id) == made


def test_a_debate_is_held_in_the_budget_of_its_owner_while_it_runs(rig, owner):
    rig.spec(owner=owner, above=rig.budgets.above(owner), caps=Caps(money=30 * CENT))
    assert stands(rig, f"owner:{owner}").held.money == 30 * CENT


def test_a_debate_that_is_over_leaves_what_it_spent_in_the_budget_of_its_owner(rig, owner):
    seen = rig.play(rig.model_spec(), owner=owner, above=rig.budgets.above(owner), caps=Caps(money=30 * CENT))
    above = stands(rig, f"owner:{owner}")
    assert (above.held.money, above.spent.money) == (0, seen.account.spent.money)


def test_a_debate_without_room_is_refused_and_holds_nothing(rig, owner):
    above = rig.budgets.above(owner)
    rig.spec(owner=owner, above=above, caps=Caps(money=80 * CENT))
    with pytest.raises(Unsuitable, match=r"leaves no room for a debate of 0\.30 USD"):
        rig.spec(owner=owner, above=above, caps=Caps(money=30 * CENT))
    assert stands(rig, f"owner:{owner}").held.money == 80 * CENT


def test_of_several_debates_all_are_entered_or_none(rig, owner):
    above = rig.budgets.above(owner)
    made = [rig.spec().model_copy(update={"run_id": f"{owner}{n}"[-100:].strip("[]")}) for n in range(2)]
    change = [{"owner": owner, "above": above, "caps": Caps(money=60 * CENT)}] * 2
    with pytest.raises(Unsuitable):
        rig.control.enter(*(each.model_copy(update=more) for each, more in zip(made, change, strict=True)))
    with pytest.raises(NotFound):
        rig.runs.read(made[0].run_id)
    assert stands(rig, f"owner:{owner}").held.money == 0


def test_whoever_has_a_budget_must_say_how_much_a_debate_may_take(rig, owner):
    with pytest.raises(Unsuitable, match="add --budget"):
        rig.spec(rig.model_spec(local=False), owner=owner, above=rig.budgets.above(owner))


def test_a_day_has_a_budget_of_its_own(rig, owner):
    rig.budgets.set_caps(owner, total=None, day=10 * CENT)
    with pytest.raises(Unsuitable, match="no room"):
        rig.spec(owner=owner, above=rig.budgets.above(owner), caps=Caps(money=11 * CENT))


def test_nobody_has_a_budget_unless_it_was_set(rig):
    assert rig.budgets.above("nobody in particular") == ()


# -- looking ---------------------------------------------------------------------------------


def test_a_run_that_is_not_there_is_said_so_with_what_to_do(rig):
    with pytest.raises(NotFound, match="hustings list"):
        rig.runs.read("nowhere")


def test_there_are_no_proceedings_before_the_end(rig):
    assert rig.runs.proceedings(rig.spec().run_id) is None


def test_a_report_tells_what_was_used(rig):
    report = rig.play(rig.model_spec(), caps=Caps(money=100 * CENT)).report
    assert (report.ending, report.calls, report.waves, report.cap) == ("played", 6, 3, 1.0)
    assert 0 < report.spent < 1
    assert report.tokens > 0


def test_reports_can_be_had_by_batch_and_state(rig):
    batch = instant()
    runs = [rig.play(batch=batch).run_id, rig.spec(batch=batch).run_id]
    found = {state: [r.run_id for r in rig.runs.latest(batch=batch, state=state)] for state in ("ended", "waiting")}
    assert (found, rig.runs.tally(batch)) == (
        {"ended": runs[:1], "waiting": runs[1:]},
        {"ended": 1, "waiting": 1},
    )


def test_a_log_can_be_followed_to_its_end(rig):
    run_id = rig.start(rig.model_spec())
    assert [event.seq for event in rig.runs.follow(run_id)] == list(range(len(rig.runs.events(run_id))))


def test_following_ends_where_a_debate_is_paused(rig):
    made = rig.spec()
    rig.control.steer(made.run_id, "pause", "me")
    rig.worker.start(made.run_id)
    assert [event.kind for event in rig.runs.follow(made.run_id)][-1] == "paused"
    rig.control.steer(made.run_id, "cancel")
    rig.ended(made.run_id)


def test_a_log_can_be_read_on_from_where_one_was(rig):
    seen = rig.play()
    assert [event.seq for event in rig.runs.events(seen.run_id, after=4)] == list(range(5, len(seen.events)))


# -- steering --------------------------------------------------------------------------------


def test_a_run_that_is_over_cannot_be_steered(rig):
    assert not rig.control.steer(rig.play().run_id, "pause")


def test_a_run_that_nobody_can_carry_out_is_abandoned(rig):
    rig.provider.plan(delay=3.0)
    run_id = rig.start(rig.model_spec())
    rig.until(lambda: rig.seen(run_id).asked)
    before = rig.control.abandoned(run_id)
    rig.close()
    after = rig.control.abandoned(run_id)
    rig.open()
    assert (before, after) == (False, True)


def test_a_run_that_was_entered_and_never_enqueued_is_abandoned_though_workers_live(rig):
    assert rig.control.abandoned(rig.spec().run_id)


def test_a_run_whose_worker_is_gone_can_be_taken_up_here(rig):
    rig.provider.plan(delay=3.0)
    run_id = rig.start(rig.model_spec())
    rig.until(lambda: rig.seen(run_id).asked)
    rig.close()
    gone = rig.control.abandoned(run_id)
    rig.open()
    rig.worker.start(run_id, rig.control.take_here(run_id, rig.worker.executor_id))
    rig.wait_for(run_id, "recovered")
    assert gone


def test_a_run_that_a_live_worker_has_cannot_be_taken_up(rig):
    made = rig.drawn()
    leases.take(rig.database, "elsewhere", 60.0)
    rig.control.enter_here(made, "elsewhere")
    taken = rig.control.take_here(made.run_id, rig.worker.executor_id)
    leases.release(rig.database, "elsewhere")
    assert taken is None


def test_calls_in_flight_are_known(rig):
    rig.provider.plan(delay=0.5)
    run_id = rig.start(rig.model_spec())
    rig.until(lambda: rig.runs.in_flight(run_id))
    rig.control.steer(run_id, "cancel")
    rig.ended(run_id)
    assert not rig.runs.in_flight(run_id)


def test_workers_whose_lease_ran_out_are_not_alive(rig):
    leases.take(rig.database, "late", -1.0)
    assert "late" not in rig.runs.workers()
    leases.release(rig.database, "late")


# -- forgetting ------------------------------------------------------------------------------


def test_pruning_keeps_transcripts_and_forgets_what_the_engine_kept(rig):
    seen, later = rig.play(), instant(seconds_of(instant()) + 60)
    said = seen.said
    rig.control.prune(later)
    known = rig.service.engine.dbos.list_workflows(workflow_ids=[seen.run_id])
    assert (known, seen.said, len(seen.rows) > 0) == ([], said, True)


def test_paid_answers_are_forgotten_when_that_is_asked_for(rig):
    seen, later = rig.play(rig.model_spec()), instant(seconds_of(instant()) + 60)
    rig.control.prune(later, answers_before=later)
    with rig.database.reading() as db:
        left = db.scalar(sa.select(sa.func.count()).select_from(CALL).where(CALL.c.lineage == seen.run_id))
    assert (left, len(seen.said)) == (0, 6)


# -- reading alone ---------------------------------------------------------------------------

READ = """
import sys
from hustings.runs.queries import open_runs
from hustings.runs.recording import record
from hustings.runs.registry import find_export
from hustings.runs.dossiers import dossier
url, run_id = sys.argv[1:]
with open_runs(url) as runs:
    assert runs.read(run_id) in runs.latest() and runs.events(run_id) == list(runs.follow(run_id))
    record(runs, run_id)
    find_export("html").render(dossier(runs, run_id))
heavy = {"dbos", "pydantic_ai", "openai", "anthropic", "httpx", "fastapi", "uvicorn", "alembic", "rich", "typer"}
print(sorted(heavy & set(sys.modules)))
"""


@pytest.mark.nightly("a process of its own on each database; tests/api looks at what is loaded")
def test_a_run_is_read_without_the_engine_and_without_a_client_of_a_provider(rig):
    command = [sys.executable, "-c", READ, rig.url, rig.play().run_id]
    read = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (read.stdout, read.stderr) == ("[]\n", "")


def test_a_file_that_a_reader_made_is_made_whole_by_whoever_writes(rig, tmp_path):
    url = f"sqlite:///{tmp_path}/new.db"
    with open_runs(url) as runs:
        assert runs.latest() == []
    with open_service(url) as service:
        service.upgrade()
        made = rig.spec()
        service.control.enter(made)
        with service.runs.database.reading() as db:
            queued = is_queued(db, made.run_id)
        assert (queued, service.runs.read(made.run_id).state) == (True, "waiting")
