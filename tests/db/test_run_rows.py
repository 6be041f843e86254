from uuid import uuid4

import pytest
import sqlalchemy as sa

from hustings.db import ledger, run_rows
from hustings.db.budget import Sum, open_budget
from hustings.db.caps import Caps
from hustings.db.ledger import LedgerEntry
from hustings.db.tables import CALL, RUN

TOLD = [("debate_started", "{}"), ("turn_begun", "{}")]


def entered(db, created_at="2026-01-01T00:00:00.000Z", **more):
    run_id = uuid4().hex
    row = {"run_id": run_id, "owner": "me", "protocol": "p/1", "topic": "t", "created_at": created_at, **more}
    run_rows.enter(db, [{"spec": "{}", **row}])
    return run_id


def log(db, run_id):
    return [seq for seq, _ in run_rows.events(db, run_id)]


def test_a_run_that_is_entered_waits(db):
    stood = run_rows.progress(db, entered(db))
    assert (stood.state, stood.control, stood.waves, stood.stopped, stood.age) == ("waiting", "go", 0, None, 0.0)


def test_no_two_runs_have_one_name(db):
    run_id = entered(db)
    with pytest.raises(sa.exc.IntegrityError), db.begin_nested():
        entered(db, run_id=run_id)


def test_a_wave_begins_with_the_events_that_lead_to_it(db):
    run_id = entered(db)
    stood = run_rows.begin_wave(db, run_id, 0, TOLD, "w")
    assert (stood.waves, stood.state, stood.executor_id, log(db, run_id)) == (1, "running", "w", [0, 1])


def test_a_wave_begins_once(db):
    run_id = entered(db)
    run_rows.begin_wave(db, run_id, 0, TOLD, "w")
    assert (run_rows.begin_wave(db, run_id, 0, TOLD, "w"), log(db, run_id)) == (None, [0, 1])


def test_no_wave_is_skipped(db):
    assert run_rows.begin_wave(db, entered(db), 1, TOLD, "w") is None


def test_events_of_the_run_and_of_its_record_share_one_count(db):
    run_id = entered(db)
    run_rows.begin_wave(db, run_id, 0, TOLD, "w")
    run_rows.note_event(db, run_id, ("paused", "{}"))
    run_rows.begin_wave(db, run_id, 1, TOLD, "w")
    assert log(db, run_id) == [0, 1, 2, 3, 4]


def test_the_log_can_be_read_from_a_place_on(db):
    run_id = entered(db)
    run_rows.begin_wave(db, run_id, 0, TOLD * 3, "w")
    assert [seq for seq, _ in run_rows.events(db, run_id, after=2, most=2)] == [3, 4]


def test_of_several_logs_what_is_new_is_read_and_an_unknown_run_is_left_out(db):
    behind, abreast = entered(db), entered(db)
    for run_id in (behind, abreast):
        run_rows.begin_wave(db, run_id, 0, TOLD, "w")
    states, fresh = run_rows.news(db, {behind: 0, abreast: 1, "unknown": -1})
    assert states == {behind: "running", abreast: "running"}
    assert fresh == [(behind, 1, "{}")]


def test_watching_more_runs_makes_no_new_statements(db):
    """A connection keeps every statement that it has prepared."""
    watched, seen = {}, set()
    sa.event.listen(db, "before_cursor_execute", lambda _db, _cursor, text, *_: seen.add(text))
    for _ in range(4):
        run_id = entered(db)
        run_rows.begin_wave(db, run_id, 0, TOLD, "w")
        watched[run_id] = -1
        seen.clear()
        run_rows.news(db, watched)
    several = {*seen}
    seen.clear()
    run_rows.news(db, {run_id: -1})
    assert several == seen


def test_a_run_stops_where_it_was_first_decided(db):
    run_id = entered(db)
    run_rows.stop(db, run_id, "here")
    run_rows.stop(db, run_id, "there")
    assert run_rows.progress(db, run_id).stopped == "here"


def test_a_run_is_steered_until_it_is_cancelled(db):
    run_id = entered(db)
    told = [run_rows.steer(db, run_id, control, "me") for control in ("pause", "go", "cancel", "go")]
    assert (told, run_rows.progress(db, run_id).control) == ([True, True, True, False], "cancel")


def test_a_run_that_is_over_cannot_be_steered(db):
    run_id = entered(db)
    run_rows.end(db, run_id, {}, [])
    assert not run_rows.steer(db, run_id, "pause", "me")


def test_a_run_ends_once(db):
    run_id = entered(db)
    ended = [run_rows.end(db, run_id, {"ending": text}, TOLD) for text in ("first", "second")]
    assert (ended, log(db, run_id), run_rows.read(db, run_id)["ending"]) == ([True, False], [0, 1], "first")


def test_no_wave_begins_in_a_run_that_is_over(db):
    run_id = entered(db)
    run_rows.end(db, run_id, {}, [])
    assert run_rows.begin_wave(db, run_id, 0, TOLD, "w") is None


def test_a_run_that_is_over_stays_over(db):
    run_id = entered(db)
    run_rows.end(db, run_id, {}, [])
    assert (run_rows.mark(db, run_id, "broken"), run_rows.progress(db, run_id).state) == (False, "ended")


def test_a_paused_run_stays_paused_when_its_wave_begins(db):
    run_id = entered(db)
    run_rows.mark(db, run_id, "paused", reason="why")
    assert run_rows.begin_wave(db, run_id, 0, TOLD, "w").state == "paused"


def test_the_age_of_a_run_counts_from_its_first_wave(db):
    run_id = entered(db)
    run_rows.begin_wave(db, run_id, 0, [], "w")
    db.execute(sa.update(RUN).where(RUN.c.run_id == run_id).values(started=RUN.c.started - 60))
    assert run_rows.begin_wave(db, run_id, 1, [], "w").age == pytest.approx(60, abs=5)


@pytest.mark.both_databases
@pytest.mark.parametrize("read", [run_rows.outcomes, run_rows.judgements])
def test_results_of_more_runs_than_a_statement_has_parameters_are_read(db, read):
    assert read(db, [f"run-{number}" for number in range(65_536)]) == {}


def test_runs_are_listed_newest_first_by_owner_batch_and_state(db):
    batch = uuid4().hex
    ids = [entered(db, f"2026-01-0{day}T00:00:00.000Z", batch=batch) for day in (1, 3, 2)]
    entered(db, batch="another")
    found = run_rows.latest(db, batch=batch, owner="me", state="waiting", most=2)
    assert [row["run_id"] for row in found] == [ids[1], ids[2]]


def test_a_list_of_runs_leaves_out_what_they_hold(db):
    entered(db)
    assert not {"spec", "proceedings", "judgement"} & set(run_rows.latest(db)[0])


def audit_of(db, run_id, day, protocol="judging/1"):
    audit = entered(db, f"2026-01-0{day}T00:00:00.000Z", judged=run_id, protocol=protocol)
    run_rows.end(db, audit, {"judgement": "{}"}, [])
    return audit


def test_audits_of_a_run_are_found_newest_first(db):
    run_id = entered(db)
    middle, last, first = (audit_of(db, run_id, day) for day in (2, 3, 1))
    assert run_rows.about(db, run_id, "judging") == [last, middle, first]


def test_audits_by_other_scripts_and_of_other_runs_are_not_found(db):
    run_id, other = entered(db), entered(db)
    audit_of(db, run_id, 1, "control/1")
    audit_of(db, run_id, 2, "judging_again/1")
    audit_of(db, other, 3)
    assert run_rows.about(db, run_id, "judging") == []


def test_audits_that_are_not_over_are_not_found(db):
    run_id = entered(db)
    entered(db, judged=run_id, protocol="judging/1")
    assert run_rows.about(db, run_id, "judging") == []


def test_a_run_is_about_no_other_and_comes_to_no_judgement_unless_it_is_said(db):
    row = run_rows.read(db, entered(db))
    assert (row["judged"], row["judgement"]) == ("", None)


def test_a_batch_is_counted_by_state(db):
    batch = uuid4().hex
    ids = [entered(db, batch=batch) for _ in range(3)]
    run_rows.end(db, ids[0], {}, [])
    assert run_rows.tally(db, batch) == {"waiting": 2, "ended": 1}


def test_paid_answers_are_forgotten_long_after_the_end_and_not_before(db):
    old, young, open_ = entered(db), entered(db), entered(db)
    run_rows.end(db, old, {"ended_at": "2026-01-01T00:00:00.000Z"}, [])
    run_rows.end(db, young, {"ended_at": "2026-03-01T00:00:00.000Z"}, [])
    for run_id in (old, young, open_):
        open_budget(db, f"run:{run_id}", Caps())
        ledger.send(db, LedgerEntry(run_id, "k", f"run:{run_id}", "w", Sum()), 0.0)
    run_rows.forget_answers(db, "2026-02-01T00:00:00.000Z")
    left = set(db.scalars(sa.select(CALL.c.lineage).where(CALL.c.lineage.in_([old, young, open_]))))
    assert left == {young, open_}


def test_runs_that_ended_before_an_instant_are_found(db):
    old, young = entered(db), entered(db)
    run_rows.end(db, old, {"ended_at": "2026-01-01T00:00:00.000Z"}, [])
    run_rows.end(db, young, {"ended_at": "2026-03-01T00:00:00.000Z"}, [])
    found = run_rows.ended_before(db, "2026-02-01T00:00:00.000Z")
    assert (old in found, young in found) == (True, False)
