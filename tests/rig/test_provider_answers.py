"""The good answers of the pretend provider can be used by every protocol."""

import json

import pytest

from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan
from hustings.text.words import count_words
from tests.rig.provider import good_answer

from .asking import HELLO, played

TOPIC = "Should a town close its centre to cars?"
PLAYS = {
    "structured": {},
    "competition": {},
    "roundtable": {"regime": "structured", "seats": 4},
    "adaptive": {"stakes": "critical"},
    "moderated": {},
}


@pytest.mark.parametrize("protocol", PLAYS)
def test_nearly_all_answers_are_taken_without_complaint(protocol):
    answers = [complaints for seed in range(3) for complaints in played(debate(protocol), seed).complaints]
    wrong = list(filter(None, answers))
    assert len(wrong) <= 0.03 * len(answers), wrong


@pytest.mark.parametrize("protocol", PLAYS)
def test_a_debate_is_played_to_its_end(protocol):
    assert played(debate(protocol), seed=7).ending == "played"


@pytest.mark.parametrize("protocol", ["structured", "roundtable"])
def test_the_same_debate_gets_the_same_words_in_every_run(protocol):
    one, other = (played(debate(protocol), 1, run_id) for run_id in ("run-1", "another"))
    assert one.words == other.words


def test_another_seed_gives_other_words():
    assert good_answer(HELLO, "a", 1) != good_answer(HELLO, "a", 2)


def test_calls_of_different_names_get_different_words():
    assert good_answer(HELLO, "run/001.0 pro opening", 1) != good_answer(HELLO, "run/001.1 con opening", 1)


def test_plain_words_keep_to_the_allowance():
    request = {"messages": [{"content": "\nYour task: Speak.\n\nLength: up to 9 words.\n"}]}
    assert all(count_words(good_answer(request, f"{n}", 0)) <= 9 for n in range(50))


def test_lengths_that_travel_in_a_description_are_kept():
    field = {"type": "string", "description": "a case (minLength=300)"}
    schema = {"type": "object", "properties": {"text": field}}
    request = {**HELLO, "response_format": {"type": "json_schema", "json_schema": {"schema": schema}}}
    assert len(json.loads(good_answer(request, "a", 0))["text"]) >= 300


def test_a_choice_of_nothing_leaves_the_list_empty():
    item = {"type": "object", "properties": {"to": {"type": "string"}, "reply": {"type": "string"}}}
    schema = {"type": "object", "properties": {"replies": {"type": "array", "items": item}}}
    prompt = "\nYour task: Speak.\n\nFields:\nreplies: an empty list.\n"
    form = {"type": "json_schema", "json_schema": {"schema": schema}}
    request = {"messages": [{"content": prompt}], "response_format": form}
    assert json.loads(good_answer(request, "a", 0)) == {"replies": []}


def debate(protocol):
    return plan(find_protocol(protocol), TOPIC, settings=PLAYS[protocol])
