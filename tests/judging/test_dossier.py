"""What a debate took, in words."""

from hustings.errors import Unsuitable
from hustings.judging.dossier import Dossier, Expense, allowances
from hustings.llm.improviser import Improviser
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.debate import Proceedings
from hustings.transcript.events import TurnEntered


def proceedings() -> Proceedings:
    return rehearse(plan(find_protocol("roundtable"), "Is it so?", model="improviser"), Improviser(0)).proceedings


def test_what_is_not_known_is_not_said():
    assert Dossier(proceedings=proceedings()).cost == ""


def test_the_parts_are_named_and_the_calls_of_each_counted():
    debate = Expense(what="debate", run_id="d", calls=6, tokens=10_000, spent=0.25)
    judging = Expense(what="judging", run_id="d.judging", calls=8, tokens=2_000, spent=0.5)
    told = Dossier(proceedings=proceedings(), expenses=(debate, judging)).cost
    assert told == "$0.7500 (debate $0.2500, judging $0.5000), 6 calls + 8 for judging, 12,000 tokens"


def test_what_cost_nothing_is_free_and_names_no_tokens_where_there_were_none():
    debate = Expense(what="debate", run_id="d", calls=6, tokens=0, spent=0.0)
    assert Dossier(proceedings=proceedings(), expenses=(debate,)).cost == "Free, 6 calls"


def test_a_turn_has_the_words_that_it_was_allowed():
    first, second, *_ = proceedings().transcript.turns
    assert allowances([TurnEntered(turn=first, words=300), TurnEntered(turn=second)]) == {first.turn_id: 300}


def test_an_error_says_what_why_and_the_cure():
    error = Unsuitable("it cannot be", why="it is raining", fix="take an umbrella")
    assert (error.what, error.why, error.fix) == ("it cannot be", "it is raining", "take an umbrella")
    assert str(error) == "it cannot be (it is raining): take an umbrella"
