"""The service of an owner: what belongs to others does not exist there."""

import pytest
import sqlalchemy as sa

from hustings.db.labels import TurnLabel
from hustings.db.listing import DebateFilter
from hustings.db.ratings import Rating
from hustings.db.real_outcomes import RealOutcome
from hustings.db.run_rows import Conflict, RequestKey
from hustings.db.tables import BUDGET, CALL, EVENT, LABEL, PASSAGE, RATING, REAL_OUTCOME, REQUEST, RUN, TAG, VOTE
from hustings.engine import hosting
from hustings.engine.people import questions, speak
from hustings.engine.run_control import RunControl
from hustings.errors import NotFound, Unsuitable
from hustings.runs.debate_rows import debate_rows
from hustings.runs.dossiers import dossier
from hustings.runs.follow_ups import FollowUps
from hustings.runs.fork import fork
from hustings.runs.judging_spec import JudgingRequest, judging_spec
from hustings.runs.queries import RunQueries
from hustings.runs.run_list import RunList
from tests.engine.rig import HUMAN

pytestmark = pytest.mark.both_databases

JUDGES = JudgingRequest(judges=("improviser",), tier="quick")


@pytest.fixture
def ann(rig):
    return rig.service.acting_for("ann")


@pytest.fixture
def bob(rig):
    return rig.service.acting_for("bob")


@pytest.fixture(scope="module")
def bobs(opened):
    """A run of his that is over."""
    return opened.play(owner="bob").run_id


LOOKS = {
    "spec": lambda ann, run: ann.runs.spec(run),
    "documents": lambda ann, run: ann.runs.documents(run),
    "whole_spec": lambda ann, run: ann.runs.whole_spec(run),
    "follow_ups": lambda ann, run: FollowUps.stored(ann.runs, run),
    "read": lambda ann, run: ann.runs.read(run),
    "proceedings": lambda ann, run: ann.runs.proceedings(run),
    "finished": lambda ann, run: ann.runs.finished(run),
    "audits": lambda ann, run: ann.runs.audits(run),
    "finished_audits": lambda ann, run: ann.runs.finished_audits(run, "judging"),
    "events": lambda ann, run: ann.runs.events(run),
    "follow": lambda ann, run: list(ann.runs.follow(run)),
    "answers": lambda ann, run: ann.runs.answers(run),
    "is_answered": lambda ann, run: ann.runs.is_answered(run, "a key"),
    "instructions": lambda ann, run: ann.runs.instructions(run),
    "call_times": lambda ann, run: ann.runs.call_times(run),
    "calls_of_wave": lambda ann, run: ann.runs.calls_of_wave(run),
    "in_flight": lambda ann, run: ann.runs.in_flight(run),
    "votes": lambda ann, run: ann.runs.votes(run),
    "version": lambda ann, run: ann.runs.version(run),
    "questions": lambda ann, run: questions(ann.runs, run),
    "fork": lambda ann, run: fork(ann.runs, run),
    "dossier": lambda ann, run: dossier(ann.runs, run),
    "steer": lambda ann, run: ann.control.steer(run, "pause"),
    "reseat": lambda ann, run: ann.control.reseat(run, {}),
    "is_rested": lambda ann, run: ann.runs.is_rested(run, "me"),
    "take_rested": lambda ann, run: ann.control.take_rested(run, "me"),
    "abandoned": lambda ann, run: ann.control.abandoned(run),
    "resume": lambda ann, run: ann.control.resume(run),
    "allow_time": lambda ann, run: ann.control.allow_time(run, {}),
    "take_here": lambda ann, run: ann.control.take_here(run, "me"),
    "ask_for": lambda ann, run: ann.control.ask_for(run, FollowUps(None)),
    "see_to_following": lambda ann, run: ann.control.see_to_following(run, "me"),
    "answer": lambda ann, run: ann.control.answer(run, "key", {}, "me"),
    "tell": lambda ann, run: ann.control.tell(run, "Words."),
    "next_wave": hosting.next_wave,
    "answer_hosted": lambda ann, run: hosting.answer(ann, run, "000.0-0", "Words."),
    "speak": lambda ann, run: speak(ann.control, run, "pro", "Words."),
    "forget": lambda ann, run: ann.control.forget(run),
    "vote": lambda ann, run: ann.control.vote(run, "me", "{}"),
    "rate": lambda ann, run: ann.control.rate(run, Rating("me", 5, "")),
    "document_texts": lambda ann, run: ann.runs.document_texts(run),
    "ratings": lambda ann, run: ann.runs.ratings(run),
    "record_outcome": lambda ann, run: ann.control.record_outcome(run, RealOutcome("yes")),
    "real_outcome": lambda ann, run: ann.runs.real_outcome(run),
    "label": lambda ann, run: ann.control.label(run, TurnLabel("r1.t1", "me", "CONSISTENT", None)),
    "tag": lambda ann, run: ann.control.tag(run, ["mine"]),
    "labels": lambda ann, run: ann.runs.labels(run),
    "has_documents": lambda ann, run: ann.runs.has_documents(run),
}


def test_every_question_about_one_run_is_asked():
    """A new method that takes a run needs a look of its own; `exists` says no, and `enter_next` is the steward's."""
    parts = (RunList, RunQueries, RunControl)
    takes = {n for part in parts for n, f in vars(part).items() if "run_id" in getattr(f, "__annotations__", {})}
    assert takes - LOOKS.keys() == {
        "row",
        "light_row",
        "exists",
        "enter_next",
        "enter_nothing_next",
        "_queue_rested",
        "_must_be_mine",
        "_finished_debate",
    }


@pytest.mark.parametrize("look", LOOKS)
def test_a_run_of_another_owner_is_as_unknown_as_one_that_never_was(ann, bobs, look):
    said = []
    for run_id in (bobs, "never-was"):
        with pytest.raises(NotFound) as raised:
            LOOKS[look](ann, run_id)
        said.append(str(raised.value).replace(run_id, "RUN"))
    assert said[0] == said[1]


def test_lists_hold_what_is_ones_own(ann, bob, bobs):
    assert bobs not in {report.run_id for report in ann.runs.latest(most=1000)} | {
        r.run_id for r in debate_rows(ann.runs)[0]
    }
    assert bobs in {report.run_id for report in bob.runs.latest(most=1000)}
    assert (ann.runs.find(bobs[:-2]), bob.runs.find(bobs[:-2])) == (bobs[:-2], bobs)


def test_a_batch_is_counted_by_its_owner_alone(rig, ann, bob):
    rig.spec(owner="bob", batch="theirs")
    assert (ann.runs.tally("theirs"), bob.runs.tally("theirs")) == ({}, {"waiting": 1})


def test_an_owner_sees_its_runs_through(rig, ann):
    made = rig.spec(owner="ann")
    ann.control.enqueue(made.run_id)
    rig.ended(made.run_id)
    assert ann.runs.read(made.run_id).ending == "played"
    assert ann.runs.events(made.run_id) == rig.runs.events(made.run_id)


def test_an_owner_enters_under_its_own_budgets(rig, ann):
    rig.budgets.set_caps("ann", total=1_000_000, day=500_000)
    try:
        made = ann.budgets.apply(rig.spec(owner="ann"))
        change = {"run_id": f"{made.run_id}-2", "caps": made.caps.model_copy(update={"money": 10})}
        ann.control.enter(made.model_copy(update=change))
        assert ann.runs.read(f"{made.run_id}-2").cap == 0.00001
    finally:
        rig.budgets.set_caps("ann", total=None, day=None)


def test_a_person_is_asked_in_the_runs_of_the_owner(rig, ann):
    run_id = rig.start(seats={"pro": HUMAN}, owner="ann")
    rig.wait_for(run_id, "human_awaited")
    asked = questions(ann.runs, run_id)
    ann.control.steer(run_id, "cancel")
    assert [call.seat.id for call in asked] == ["pro"]
    assert rig.ended(run_id).ending.kind == "cancelled"


# -- lists -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def many(opened):
    """Seven debates of one owner, two of them of the same instant, and an audit."""
    names = [
        opened.spec(owner="many", created_at=f"2026-01-0{day}T00:00:00.000Z").run_id for day in (1, 2, 3, 3, 4, 5, 6)
    ]
    opened.spec(owner="many", judged=names[0])
    return opened.service.acting_for("many"), names


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
def test_pages_show_every_debate_once_and_the_newest_first(many, limit):
    service, names = many
    seen, cursor = [], None
    while True:
        reports, cursor = debate_rows(service.runs, cursor, limit)
        seen += reports
        if cursor is None:
            break
    assert sorted(report.run_id for report in seen) == sorted(names)
    assert [report.created_at for report in seen] == sorted((report.created_at for report in seen), reverse=True)


def test_what_is_new_does_not_shift_the_next_page(rig, many):
    service, _ = many
    first, cursor = debate_rows(service.runs, None, 3)
    newer = rig.spec(owner="many", created_at="2026-02-01T00:00:00.000Z").run_id
    second, _ = debate_rows(service.runs, cursor, 100)
    assert len({report.run_id for report in (*first, *second)}) == 7
    service.control.steer(newer, "cancel")
    with rig.database.writing() as db:
        db.execute(sa.delete(RUN).where(RUN.c.run_id == newer))


@pytest.mark.parametrize(("query", "count"), [("CLOSE their", 7), ("%", 0), ("_own", 0), ("bicycles", 0)])
def test_a_page_is_searched_by_words_and_nothing_else(many, query, count):
    assert len(debate_rows(many[0].runs, wanted=DebateFilter(query=query))[0]) == count


def test_a_page_is_searched_by_the_beginning_of_an_id(many):
    service, names = many
    assert [report.run_id for report in debate_rows(service.runs, wanted=DebateFilter(query=names[4]))[0]] == [names[4]]


def test_a_page_of_one_state_holds_that_alone(many):
    found = [debate_rows(many[0].runs, wanted=DebateFilter(state=state))[0] for state in ("waiting", "ended")]
    assert [len(rows) for rows in found] == [7, 0]


def test_a_cursor_that_leads_nowhere_is_refused(many):
    with pytest.raises(Unsuitable, match="unknown page: start from the first page"):
        debate_rows(many[0].runs, "x")


def test_what_follows_a_run_is_listed_from_the_oldest_on(rig):
    first = rig.spec(owner="ann")
    audits = [
        rig.spec(owner="ann", judged=first.run_id, created_at=f"2026-01-0{n}T00:00:00.000Z").run_id for n in (2, 1, 3)
    ]
    found = [report.run_id for report in rig.runs.audits(first.run_id)]
    assert found == [audits[1], audits[0], audits[2]]


# -- requests and votes ----------------------------------------------------------------------


def test_the_same_request_twice_enters_one_run(rig, ann):
    first, second = (rig.spec(owner="ann") for _ in range(2))
    new = [made.model_copy(update={"run_id": f"{made.run_id}-r"}) for made in (first, second)]
    claim = RequestKey(first.run_id, "digest")
    assert [ann.control.enter(made, follow_ups=FollowUps(JUDGES), claim=claim) for made in new] == [None, new[0].run_id]
    with pytest.raises(NotFound):
        ann.runs.read(new[1].run_id)
    with pytest.raises(Conflict):
        ann.control.enter(new[1], claim=RequestKey(first.run_id, "another"))
    assert FollowUps.stored(ann.runs, new[0].run_id) == FollowUps(JUDGES)


def test_a_claim_that_came_to_nothing_can_be_made_again(rig, ann):
    made = rig.spec(owner="ann")
    with pytest.raises(sa.exc.IntegrityError):
        ann.control.enter(made, claim=RequestKey(made.run_id, "d"))
    assert (
        ann.control.enter(made.model_copy(update={"run_id": f"{made.run_id}-x"}), claim=RequestKey(made.run_id, "d"))
        is None
    )


def test_the_first_vote_of_each_stands(rig, ann):
    run_id = rig.spec(owner="ann").run_id
    assert [ann.control.vote(run_id, *vote) for vote in (("a", "1"), ("b", "2"), ("a", "3"))] == [True, True, False]
    assert ann.runs.votes(run_id) == {"a": "1", "b": "2"}


# -- forgetting ------------------------------------------------------------------------------


def left(rig, run_id):
    """Where something is left of a run."""
    with rig.database.reading() as db:
        found = {table.name for table, column in KEPT.items() if run_id in set(db.scalars(sa.select(column)))}
        budgets = set(db.scalars(sa.select(BUDGET.c.id)))
    found |= {"budget"} if f"run:{run_id}" in budgets else set()
    return {*found, "engine"} if rig.is_queued(run_id) else found


KEPT = {RUN: RUN.c.run_id, EVENT: EVENT.c.run_id, CALL: CALL.c.lineage, VOTE: VOTE.c.run_id}
KEPT |= {table: table.c.run_id for table in (RATING, REAL_OUTCOME, LABEL, REQUEST, TAG, PASSAGE)}


def judged(rig, run_id):
    old, request = rig.runs.spec(run_id), JUDGES
    made = judging_spec(old, rig.runs.finished(run_id), request, {})
    rig.control.enter_here(made)
    rig.worker.start(made.run_id)
    return rig.ended(made.run_id).run_id


def test_of_a_run_that_is_forgotten_nothing_is_left(rig, ann):
    made = rig.spec(owner="ann")
    run_id = f"{made.run_id}-gone"
    made = made.model_copy(update={"run_id": run_id, "lineage": run_id})
    ann.control.enter(made, claim=RequestKey(run_id, "d"))
    rig.ended(run_id)
    audit = judged(rig, run_id)
    ann.control.vote(run_id, "v", "{}")
    ann.control.rate(run_id, Rating("v", 4, "Good."))
    ann.control.record_outcome(run_id, RealOutcome("yes"))
    ann.control.tag(run_id, ["old"])
    turn = ann.runs.finished(run_id).transcript.turns[0].turn_id
    ann.control.label(run_id, TurnLabel(turn, "v", "CONSISTENT", "L1"))
    before = left(rig, run_id), left(rig, audit)
    ann.control.forget(run_id)
    assert len(before[0]) == 12
    assert (left(rig, run_id), left(rig, audit)) == (set(), set())


def test_others_are_left_alone_when_a_run_is_forgotten(rig, ann):
    gone, kept = rig.play(owner="ann").run_id, rig.play(owner="ann").run_id
    before = left(rig, kept), rig.runs.events(kept)
    ann.control.forget(gone)
    assert (left(rig, kept), rig.runs.events(kept)) == before


def test_a_run_that_is_not_over_is_not_forgotten(rig, ann):
    run_id = rig.start(seats={"pro": HUMAN}, owner="ann")
    rig.wait_for(run_id, "human_awaited")
    with pytest.raises(Unsuitable, match="has not ended"):
        ann.control.forget(run_id)
    rig.control.steer(run_id, "cancel")
    rig.ended(run_id)


def test_answers_that_a_fork_goes_by_are_kept_when_its_origin_is_forgotten(rig, ann):
    origin = rig.play(owner="ann").run_id
    turn = rig.seen(origin).proceedings.transcript.turns[2].turn_id
    branch = fork(ann.runs, origin, turn=turn)
    ann.control.enter_here(branch)
    ann.control.forget(origin)
    ann.control.resume(branch.run_id)
    rig.ended(branch.run_id)
    assert left(rig, origin) == {CALL.name}
    ann.control.forget(branch.run_id)
    assert left(rig, branch.run_id) == set()
