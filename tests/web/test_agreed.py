"""The pages and the record agree on a competition; frontend/src/live/agreed.test.ts is the other half."""

import json

from hustings.transcript.events import EVENT

from . import agreed, going_on


def test_what_the_pages_are_held_to_is_what_the_record_says():
    known = json.loads(agreed.FILE.read_text("utf-8"))
    assert known == json.loads(json.dumps(agreed.rows(agreed.log())))


def test_it_is_a_competition_with_marks_and_penalties():
    teams, seats, left = agreed.rows(agreed.log())[-1][1]
    assert all(total > 0 for total, _ in teams.values())
    assert any(penalties < 0 for _, penalties in teams.values())
    assert all(times > 0 for _, times, _ in seats.values())
    assert len(left) > 10


def test_what_goes_on_in_the_pages_is_what_goes_on_by_the_log():
    known = json.loads(going_on.FILE.read_text("utf-8"))
    events = (EVENT.validate_python(event) for event, _ in known)
    assert [row for _, row in known] == json.loads(json.dumps([*going_on.rows(events)]))


def test_the_log_tells_of_people_prices_faults_and_a_pause():
    known = json.loads(going_on.FILE.read_text("utf-8"))
    kinds = {event["kind"] for event, _ in known}
    assert kinds >= {"human_awaited", "call_paid", "attempt_rejected", "seat_missed", "paused", "debate_ended"}
    assert {row["pausedBy"] for _, row in known} == {"ann", None}
