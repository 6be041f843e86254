"""What a debate took, in words."""

from hustings.core.debate import Proceedings
from hustings.core.dossier import Dossier, Expense, allowances
from hustings.core.errors import Unsuitable
from hustings.core.events import TurnBegun, TurnEntered
from hustings.llm.improviser import Improviser
from hustings.run.registry import find_protocol
from hustings.run.rehearse import rehearse
from hustings.run.staging import plan


def proceedings() -> Proceedings:
    return rehearse(plan(find_protocol("roundtable"), "Is it so?", model="improviser"), Improviser(0)).proceedings


def test_what_is_not_known_is_not_said():
    assert Dossier(proceedings=proceedings()).cost == ""


def test_the_parts_are_named_and_the_calls_added_up():
    debate = Expense(what="debate", run_id="d", calls=6, tokens=10_000, spent=0.25)
    judging = Expense(what="judging", run_id="d.judging", calls=8, tokens=2_000, spent=0.5)
    told = Dossier(proceedings=proceedings(), expenses=(debate, judging)).cost
    assert told == "debate 0.2500, judging 0.5000 USD; 14 calls, 12,000 tokens in all"


def test_a_turn_has_the_words_that_its_seat_was_last_given():
    given = {"seat": "ada", "brief": "opening", "attempt": 0, "address": "000.0 ada opening"}
    spoken = proceedings().transcript.turns[0].model_copy(update={"speaker_id": "ada"})
    events = [
        TurnBegun(**given, on_record=True, words=300),
        TurnBegun(**given, on_record=False, words=9),
        TurnEntered(turn=spoken.model_copy(update={"turn_id": "r1.t0"})),
        TurnBegun(**given, on_record=True),
        TurnEntered(turn=spoken.model_copy(update={"turn_id": "r2.t0"})),
    ]
    assert allowances(events) == {"r1.t0": 300}


def test_an_error_says_what_why_and_the_cure():
    error = Unsuitable("it cannot be", why="it is raining", fix="take an umbrella")
    assert (error.what, error.why, error.fix) == ("it cannot be", "it is raining", "take an umbrella")
    assert str(error) == "it cannot be (it is raining): take an umbrella"
