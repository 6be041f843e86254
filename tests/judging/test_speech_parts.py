"""A speech in parts: what forms gave as arguments and replies, and not a word less than was said."""

import re

import pytest

from hustings.judging.arguments import points_of
from hustings.judging.comparison import aligned
from hustings.judging.dossier import Dossier
from hustings.judging.speech_parts import speech_parts
from hustings.runs.recording import load, name_of, packaged
from hustings.script.forms import Point

from .judgings import debated

PLAYED = debated("structured").proceedings
POINTS = points_of(PLAYED)
TURNS = {turn.turn_id: turn for turn in PLAYED.transcript.turns}


def parts(turn, points=POINTS):
    return speech_parts(TURNS[turn], points)


def recorded(name):
    (file,) = (file for file in packaged() if name_of(file) == name)
    return load(file.read_bytes(), file.name).proceedings


def test_an_opening_is_its_arguments_with_reasoning_and_evidence():
    assert [(p.kind, [d.label for d in p.details]) for p in parts("r1.t0")] == [
        ("argument", ["Reasoning", "Evidence"]) for _ in POINTS["r1.t0"]
    ]


def test_a_reply_has_its_target_and_its_words_without_the_line_that_names_it():
    (found, *_) = parts("r2.t0")
    assert (found.target, found.text.startswith("[")) == ("CON-1", False)


def test_questions_of_a_reply_stand_apart_from_its_words():
    found = parts("r2.t0")[0]
    assert "Question:" not in found.text
    assert all(detail.label == "Question" for detail in found.details)


def test_a_closing_ends_with_a_statement():
    assert parts("r3.t0")[-1].kind == "statement"


@pytest.mark.parametrize("name", ["monolith", "small-model", "backup"])
def test_no_word_of_a_recorded_speech_is_lost(name):
    """Except the words with which a form names what it is about: a part tells that in its own way."""
    proceedings = recorded(name)
    points = points_of(proceedings)
    for turn in proceedings.transcript.turns:
        found = speech_parts(turn, points)
        told = {word for part in found for word in WORD.findall(part.model_dump_json())}
        assert {*WORD.findall(turn.said)} - told <= {"On", "I", "the", "of", "a", "part", "one", "point"}


WORD = re.compile(r"\w+")


def test_words_between_points_are_statements():
    point = Point(id="X-1", kind="argument", claim="It rains.", words="[X-1] It rains.")
    said = TURNS["r1.t0"].attempts[-1].model_copy(update={"final_answer": "First.\n[X-1] It rains.\nLast."})
    turn = TURNS["r1.t0"].model_copy(update={"attempts": [said]})
    assert [p.text for p in speech_parts(turn, {turn.turn_id: [point]})] == ["First.", "It rains.", "Last."]


def test_points_that_were_not_said_leave_the_speech_whole():
    point = Point(id="X-1", kind="argument", claim="It rains.", words="never said")
    assert parts("r1.t0", {"r1.t0": [point]}) == ()


def test_plain_words_have_no_parts():
    proceedings = recorded("car-free")
    points = points_of(proceedings)
    assert {speech_parts(turn, points) for turn in proceedings.transcript.turns} == {()}


def test_two_debates_side_by_side_have_the_parts_of_both():
    found = aligned(Dossier(proceedings=PLAYED), Dossier(proceedings=recorded("monolith")))
    assert [len(part) for part in found[0].parts] == [len(parts("r1.t0")), 4]
