"""A controlled debate from Python, and a person at its dial."""

import pytest

from hustings import Debate
from hustings.errors import Unsuitable

MOTION = "Should towns close their centres to cars?"
PLAIN = {"model": "improviser", "judges": None, "protocol": "roundtable"}


def test_a_debate_is_held_under_a_controller():
    held = Debate(MOTION, controller="p", **PLAIN)
    assert any(row.seat == "controller" for row in held.estimate().parts[0].seats)
    result = held.run()
    assert (result.ending.kind, result.transcript.mode) == ("played", "in_loop")
    with pytest.raises(Unsuitable, match="is over"):
        held.turn_dial("hold")


def test_a_law_that_does_not_exist_is_refused():
    with pytest.raises(Unsuitable, match="controller"):
        Debate(MOTION, controller="bang", **PLAIN)
