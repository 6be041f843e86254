"""Evaluations held from Python, on the real engine."""

import pytest

from hustings import Debate
from hustings.errors import Unsuitable
from hustings.lab import evaluate, evaluation_of

MOTION = "Should towns close their centres to cars?"
PLAIN = {"model": "improviser", "judges": None}


def test_a_debate_is_evaluated_and_its_figures_can_be_read_again():
    held = Debate(MOTION, protocol="roundtable", settings={"seats": 2, "rounds": 1}, **PLAIN)
    held.run()
    assert evaluation_of(held.run_id) is None
    found = evaluate(held.run_id, judges=["improviser"], parts=["crit"])
    assert (found.run_id, len(found.turn_evaluations)) == (held.run_id, 2)
    assert evaluation_of(held.run_id) == found


def test_an_evaluation_that_cannot_be_asked_for_is_refused_in_words():
    held = Debate(MOTION, protocol="roundtable", **PLAIN)
    with pytest.raises(Unsuitable, match="two different options"):
        evaluate(held.run_id, judges=["improviser"], options=["yes"])
