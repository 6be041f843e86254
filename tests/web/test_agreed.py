"""The pages and the record agree on a competition; frontend/src/live/agreed.test.ts is the other half."""

import json

from . import agreed


def test_what_the_pages_are_held_to_is_what_the_record_says():
    known = json.loads(agreed.FILE.read_text("utf-8"))
    assert known == json.loads(json.dumps(agreed.rows(agreed.log())))


def test_it_is_a_competition_with_marks_and_penalties():
    teams, seats, left = agreed.rows(agreed.log())[-1][1]
    assert all(total > 0 for total, _ in teams.values())
    assert any(penalties < 0 for _, penalties in teams.values())
    assert all(times > 0 for _, times, _ in seats.values())
    assert len(left) > 10
