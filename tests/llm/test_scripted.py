"""Lines are said in order, none is missing and none is left over."""

import pytest

from hustings.errors import SeatFailed
from hustings.llm.improviser import Scripted
from hustings.protocols.roundtable import Contribution
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.calls import Reply
from hustings.script.forms import Speech

LONG_AGO = "2026-01-01T00:00:30.000Z"


def performed(lines, **settings):
    """A round table of two, with these lines."""
    scripted = Scripted(lines)
    debate = plan(find_protocol("roundtable"), "Tea?", settings={"seats": 2, "rounds": 1, **settings})
    played = rehearse(debate, scripted)
    scripted.must_be_used_up()
    return played.proceedings.transcript


def spoken(transcript):
    return [(turn.speaker_id, turn.said) for turn in transcript.turns]


def test_lines_are_said_in_order():
    lines = {"ada": ["Tea.", "Still tea."], "ben": ["Coffee.", "Tea, then."]}
    assert spoken(performed(lines, rounds=2)) == [
        ("ada", "Tea."),
        ("ben", "Coffee."),
        ("ben", "Tea, then."),
        ("ada", "Still tea."),
    ]


def test_a_call_without_a_line_fails():
    with pytest.raises(AssertionError, match=r"001\.0 ben contribution: no line left for 'ben'"):
        performed({"ada": ["Tea."]})


def test_a_line_without_a_call_fails():
    with pytest.raises(AssertionError, match=r"nobody asked for: \{'ada': 1, 'eve': 2\}"):
        performed({"ada": ["Tea.", "And?"], "ben": ["Coffee."], "eve": ["Water.", "Now."]})


def test_a_line_may_be_a_form():
    form = Contribution(replies=(), position="I am for tea.", reasons="It wakes nobody up.")
    lines = {"ada": [form], "ben": [form]}
    assert spoken(performed(lines, regime="structured"))[0] == ("ada", "It wakes nobody up.\nI am for tea.")


def test_a_form_of_plain_words_is_said_in_plain_words():
    assert spoken(performed({"ada": [Speech(text="Tea.")], "ben": ["Coffee."]}))[0] == ("ada", "Tea.")


def test_a_line_may_be_a_whole_reply():
    reply = Reply("Tea.", LONG_AGO, model="somebody", tokens_out=2)
    turn = performed({"ada": [reply], "ben": ["Coffee."]}).turns[0]
    assert (turn.attempts[0].timestamp, turn.metadata.model_name) == (LONG_AGO, "somebody")


def test_a_line_may_be_that_nobody_answers():
    transcript = performed({"ada": [SeatFailed("gone for tea")], "ben": ["Coffee."]})
    assert spoken(transcript) == [("ben", "Coffee.")]
    assert transcript.participant_state_log[0].reason == "gone for tea"
