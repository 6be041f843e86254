import subprocess
import sys

import pytest
import sqlalchemy as sa

from hustings.core.errors import NotFound, Unsuitable
from hustings.run.access import open_runs
from hustings.run.clock import instant, seconds_of
from hustings.run.service import open_service
from hustings.store import leases
from hustings.store.budget import account
from hustings.store.caps import Caps
from hustings.store.tables import CALL
from tests.run.house import HUMAN

pytestmark = pytest.mark.both_databases

CENT = 10_000


@pytest.fixture
def owner(house, request):
    """Somebody with a dollar in all."""
    name = request.node.name
    house.budgets.set_caps(name, total=100 * CENT, day=None)
    return name


def stands(house, budget_id):
    with house.database.reading() as db:
        return account(db, budget_id)


# -- commissioning ---------------------------------------------------------------------------


def test_a_run_that_is_entered_waits(house):
    report = house.runs.read(house.commission(batch="b", owner="ann").run_id)
    assert (report.state, report.protocol, report.owner, report.batch) == ("waiting", "structured/1", "ann", "b")


def test_a_commission_is_kept_as_it_was(house):
    made = house.commission(house.voice(), caps=Caps(money=5), seed=3)
    assert house.runs.commission(made.run_id) == made


def test_a_debate_is_held_in_the_budget_of_its_owner_while_it_runs(house, owner):
    house.commission(owner=owner, above=house.budgets.above(owner), caps=Caps(money=30 * CENT))
    assert stands(house, f"owner:{owner}").held.money == 30 * CENT


def test_a_debate_that_is_over_leaves_what_it_spent_in_the_budget_of_its_owner(house, owner):
    seen = house.play(house.voice(), owner=owner, above=house.budgets.above(owner), caps=Caps(money=30 * CENT))
    above = stands(house, f"owner:{owner}")
    assert (above.held.money, above.spent.money) == (0, seen.account.spent.money)


def test_a_debate_without_room_is_refused_and_holds_nothing(house, owner):
    above = house.budgets.above(owner)
    house.commission(owner=owner, above=above, caps=Caps(money=80 * CENT))
    with pytest.raises(Unsuitable, match=r"has no room for a debate of 0\.30 USD"):
        house.commission(owner=owner, above=above, caps=Caps(money=30 * CENT))
    assert stands(house, f"owner:{owner}").held.money == 80 * CENT


def test_of_several_debates_all_are_entered_or_none(house, owner):
    above = house.budgets.above(owner)
    made = [house.commission().model_copy(update={"run_id": f"{owner}{n}"[-100:].strip("[]")}) for n in range(2)]
    change = [{"owner": owner, "above": above, "caps": Caps(money=60 * CENT)}] * 2
    with pytest.raises(Unsuitable):
        house.control.enter(*(each.model_copy(update=more) for each, more in zip(made, change, strict=True)))
    with pytest.raises(NotFound):
        house.runs.read(made[0].run_id)
    assert stands(house, f"owner:{owner}").held.money == 0


def test_whoever_has_a_budget_must_say_how_much_a_debate_may_take(house, owner):
    with pytest.raises(Unsuitable, match="give it a cap in money"):
        house.commission(house.voice(local=False), owner=owner, above=house.budgets.above(owner))


def test_a_day_has_a_budget_of_its_own(house, owner):
    house.budgets.set_caps(owner, total=None, day=10 * CENT)
    with pytest.raises(Unsuitable, match="no room"):
        house.commission(owner=owner, above=house.budgets.above(owner), caps=Caps(money=11 * CENT))


def test_nobody_has_a_budget_unless_it_was_set(house):
    assert house.budgets.above("nobody in particular") == ()


# -- looking ---------------------------------------------------------------------------------


def test_a_run_that_is_not_there_is_said_so_with_what_to_do(house):
    with pytest.raises(NotFound, match="hustings list"):
        house.runs.read("nowhere")


def test_there_are_no_proceedings_before_the_end(house):
    assert house.runs.proceedings(house.commission().run_id) is None


def test_a_report_tells_what_was_used(house):
    report = house.play(house.voice(), caps=Caps(money=100 * CENT)).report
    assert (report.ending, report.calls, report.waves, report.cap) == ("played", 6, 3, 1.0)
    assert 0 < report.spent < 1
    assert report.tokens > 0


def test_reports_can_be_had_by_batch_and_state(house):
    batch = instant()
    runs = [house.play(batch=batch).run_id, house.commission(batch=batch).run_id]
    found = {state: [r.run_id for r in house.runs.latest(batch=batch, state=state)] for state in ("ended", "waiting")}
    assert (found, house.runs.tally(batch)) == (
        {"ended": runs[:1], "waiting": runs[1:]},
        {"ended": 1, "waiting": 1},
    )


def test_a_log_can_be_followed_to_its_end(house):
    run_id = house.start(house.voice())
    assert [event.seq for event in house.runs.follow(run_id)] == list(range(len(house.runs.events(run_id))))


def test_following_ends_where_a_debate_is_paused(house):
    made = house.commission()
    house.control.steer(made.run_id, "pause", "me")
    house.worker.start(made)
    assert [event.kind for event in house.runs.follow(made.run_id)][-1] == "paused"
    house.control.steer(made.run_id, "cancel")
    house.ended(made.run_id)


def test_a_log_can_be_read_on_from_where_one_was(house):
    seen = house.play()
    assert [event.seq for event in house.runs.events(seen.run_id, after=4)] == list(range(5, len(seen.events)))


# -- steering --------------------------------------------------------------------------------


def test_a_run_that_is_over_cannot_be_steered(house):
    assert not house.control.steer(house.play().run_id, "pause")


def test_a_run_that_nobody_can_carry_out_is_abandoned(house):
    run_id = house.start(seats={"pro": HUMAN})
    house.wait_for(run_id, "human_awaited")
    before = house.control.abandoned(run_id)
    house.close()
    after = house.control.abandoned(run_id)
    house.open()
    assert (before, after) == (False, True)
    house.abandon(run_id)


def test_a_run_that_was_entered_and_never_enqueued_is_abandoned_though_workers_live(house):
    assert house.control.abandoned(house.commission().run_id)


def test_a_run_whose_worker_is_gone_can_be_revived(house):
    run_id = house.start(seats={"pro": HUMAN})
    house.wait_for(run_id, "human_awaited")
    house.close()
    gone = house.control.abandoned(run_id)
    house.open()
    house.control.revive(run_id)
    house.wait_for(run_id, "recovered")
    assert gone
    house.abandon(run_id)


def test_a_run_that_was_never_begun_cannot_be_revived(house):
    assert not house.control.revive(house.commission().run_id)


def test_calls_in_flight_are_known(house):
    house.provider.plan(delay=0.5)
    run_id = house.start(house.voice())
    house.until(lambda: house.runs.in_flight(run_id))
    house.control.steer(run_id, "cancel")
    house.ended(run_id)
    assert not house.runs.in_flight(run_id)


def test_workers_whose_lease_ran_out_are_not_alive(house):
    leases.take(house.database, "late", -1.0)
    assert "late" not in house.runs.workers()
    leases.release(house.database, "late")


# -- forgetting ------------------------------------------------------------------------------


def test_pruning_keeps_transcripts_and_forgets_what_the_engine_kept(house):
    seen, later = house.play(), instant(seconds_of(instant()) + 60)
    said = seen.said
    house.control.prune(later)
    known = house.service.engine.dbos.list_workflows(workflow_ids=[seen.run_id])
    assert (known, seen.said, len(seen.rows) > 0) == ([], said, True)


def test_paid_answers_are_forgotten_when_that_is_asked_for(house):
    seen, later = house.play(house.voice()), instant(seconds_of(instant()) + 60)
    house.control.prune(later, answers_before=later)
    with house.database.reading() as db:
        left = db.scalar(sa.select(sa.func.count()).select_from(CALL).where(CALL.c.lineage == seen.run_id))
    assert (left, len(seen.said)) == (0, 6)


# -- reading alone ---------------------------------------------------------------------------

READ = """
import sys
from hustings.run.access import open_runs
from hustings.run.recording import record
from hustings.run.registry import find_export
from hustings.run.verdicts import dossier
url, run_id = sys.argv[1:]
with open_runs(url) as runs:
    assert runs.read(run_id) in runs.latest() and runs.events(run_id) == list(runs.follow(run_id))
    record(runs, run_id)
    find_export("html").render(dossier(runs, run_id))
heavy = {"dbos", "pydantic_ai", "openai", "anthropic", "httpx", "fastapi", "uvicorn", "alembic", "rich", "typer"}
print(sorted(heavy & set(sys.modules)))
"""


def test_a_run_is_read_without_the_engine_and_without_a_client_of_a_provider(house):
    command = [sys.executable, "-c", READ, house.url, house.play().run_id]
    read = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (read.stdout, read.stderr) == ("[]\n", "")


def test_a_file_that_a_reader_made_is_made_whole_by_whoever_writes(house, tmp_path):
    url = f"sqlite:///{tmp_path}/new.db"
    with open_runs(url) as runs:
        assert runs.latest() == []
    with open_service(url) as service:
        service.upgrade()
        made = house.commission()
        service.control.enter(made)
        service.control.enqueue(made)
        assert (service.engine.unknown([made.run_id]), service.runs.read(made.run_id).state) == ([], "waiting")
