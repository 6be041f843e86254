"""The words that a panelist is asked to answer are always another's."""

import json

import pytest

from hustings.errors import SeatFailed
from hustings.llm.improviser import Improviser

from .playing import play
from .test_moderated import complaints, debate, first_words, questions, reading, route, routed

OWN = "The words are p1's own. Quote the seat that contradicts them."


def own_words(call, seat):
    turn = next(turn for turn in call.knowledge.turns if turn.speaker_id == seat)
    return {**route(call, "D-1", seat), "quote": first_words(turn)}


def asks_with_own_words(call):
    return json.dumps(own_words(call, "p1"))


def test_a_first_question_with_the_panelists_own_words_goes_back():
    routing = [asks_with_own_words, routed("D-1", "p1")]
    assert complaints(debate(reading("holds"), lines={"moderator routing": routing})) == [OWN]


def test_a_next_question_with_the_panelists_own_words_goes_back():
    follows = reading("narrows", next=lambda call: own_words(call, "p2"))
    found = complaints(debate(follows, reading("holds")))
    assert found == [OWN.replace("p1", "p2")]


def test_a_question_asked_anew_with_the_panelists_own_words_goes_back():
    lines = {
        "moderator routing": [routed("D-1", "p2"), asks_with_own_words, routed("D-1", "p1")],
        "p2 answer": [SeatFailed("gone")],
    }
    assert OWN in complaints(debate(reading("holds"), lines=lines))


def test_a_question_names_whom_it_quotes():
    asked = questions(debate(reading("holds")))[0]
    assert asked.said.startswith("Mia, engineer, Tom, life coach said: “")
    assert [link.target_agent_id for link in asked.addresses] == ["p1", "p2"]


@pytest.mark.parametrize("seed", range(8))
def test_no_improvised_panelist_is_quoted_against_itself(seed):
    played = play("moderated", Improviser(seed), max_exchanges=4)
    titles = {seat.display_name for seat in played.proceedings.transcript.participants}
    assert questions(played)
    assert not [t.said for t in questions(played) if any(f"{name}, {name} said: " in t.said for name in titles)]
