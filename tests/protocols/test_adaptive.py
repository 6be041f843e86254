"""How complex, how many seats, how many rounds: by rule."""

import json

import pytest

from hustings.errors import SeatFailed
from hustings.protocols.adaptive import Complexity, Position

from .playing import labels, notes, play, with_words

HARD = {"stakeholders": 4, "domains": 3, "horizon": "long", "impact": "high"}
LONG_TOPIC = "Should " + "the whole town " * 20 + "close its centre to cars?"


def judged(score):
    return Complexity(score=score, reason="many things hang together")


def standing(**stances):
    return {
        f"{seat} position": lambda call, s=stance: Position(text="My case is this, and nothing else.", stance=s)
        for seat, stance in stances.items()
    }


SPLIT = standing(proponent="for", opponent="against", advocate="for", critic="undecided")


def assessed(score=5, topic="Is it so?", **settings):
    played = play("adaptive", with_words({"moderator complexity": [judged(score)], **SPLIT}), topic=topic, **settings)
    (note,) = notes(played, "assessment")
    return played, note.body


@pytest.mark.parametrize(
    ("settings", "opinion", "score"),
    [
        ({}, 0, 0.3),
        ({}, 10, 0.5),
        ({"stakeholders": 3}, 0, 0.3),
        ({"stakeholders": 4}, 0, 0.45),
        ({"domains": 2}, 0, 0.3),
        ({"domains": 3}, 0, 0.45),
        ({"horizon": "long"}, 0, 0.4),
        ({"impact": "high"}, 0, 0.4),
        (HARD, 0, 0.8),
        (HARD, 10, 1.0),
    ],
)
def test_facts_raise_the_score_and_opinion_adds_a_fifth_at_most(settings, opinion, score):
    assert assessed(opinion, **settings)[1]["score"] == score


def test_a_long_question_counts():
    assert assessed(0, topic=LONG_TOPIC)[1]["score"] == 0.4
    assert "a long question" in assessed(0, topic=LONG_TOPIC)[1]["factors"]


def test_an_opinion_above_seven_is_a_factor():
    assert "hard in the moderator's opinion" not in assessed(7)[1]["factors"]
    assert "hard in the moderator's opinion" in assessed(8)[1]["factors"]


@pytest.mark.parametrize(
    ("settings", "opinion", "agents", "rounds"),
    [({}, 0, 3, 2), ({**HARD, "impact": "low"}, 0, 5, 2), (HARD, 0, 5, 3)],
)
def test_the_score_recommends_seats_and_rounds(settings, opinion, agents, rounds):
    body = assessed(opinion, **settings)[1]
    assert (body["recommended_agents"], body["recommended_rounds"]) == (agents, rounds)


@pytest.mark.parametrize(
    ("settings", "extended"),
    [
        ({}, False),
        ({"stakes": "critical"}, True),
        ({"stakes": "critical", "budget": 1.0}, False),
        ({"stakes": "critical", "budget": 1.25}, True),
        (HARD, True),
        ({**HARD, "impact": "low"}, False),
        ({**HARD, "impact": "low", "stakes": "high"}, True),
        ({"stakes": "high"}, False),
    ],
)
def test_all_seats_are_used_if_the_case_calls_for_them_and_the_budget_allows(settings, extended):
    played, body = assessed(0, **settings)
    assert body["extended"] is extended
    spoke = {t.speaker_id for t in played.proceedings.transcript.turns}
    assert (spoke == {"proponent", "opponent", "advocate", "critic", "refiner"}) is extended


def test_the_refiner_has_a_round_of_its_own_after_the_positions():
    played, _ = assessed(0, **HARD)
    assert labels(played)[:2] == ["positions 1", "refinement 1"]
    rounds = played.proceedings.transcript.rounds
    assert [r.transcript_visibility for r in rounds[:2]] == ["isolated", "full"]


def ruling(added):
    def line(call):
        quote = call.knowledge.turns[-1].said[:12]
        return json.dumps({"summary": "Nothing has been settled.", "unresolved": [], "added": added, "quote": quote})

    return line


def test_consensus_ends_it():
    played = play("adaptive", with_words(standing(proponent="against", opponent="against")))
    assert (played.proceedings.result["stopped"], played.proceedings.result["stance"]) == ("consensus", "against")


def test_all_undecided_is_no_consensus():
    played = play("adaptive", with_words(standing(proponent="undecided", opponent="undecided")))
    assert played.proceedings.result["stance"] is None


def test_one_model_spec_is_no_debate():
    lines = {**standing(proponent="for"), "opponent position": lambda call: SeatFailed("gone")}
    assert play("adaptive", with_words(lines)).proceedings.ending.code == "SeatFailed"


def test_a_dissenter_who_falls_silent_has_not_agreed():
    against = Position(text="My case is this, and nothing else.", stance="against")
    lines = {**standing(proponent="for"), "opponent position": [against, SeatFailed("gone")]}
    result = play("adaptive", with_words(lines)).proceedings.result
    assert (result["stopped"], result["stance"]) == ("round limit", None)


@pytest.mark.parametrize(("added", "stopped", "rounds"), [(5, "diminishing returns", 2), (6, "round limit", 3)])
def test_a_second_round_that_adds_little_is_the_last(added, stopped, rounds):
    played = play("adaptive", with_words({**SPLIT, "moderator ruling": ruling(added)}), **HARD)
    assert (played.proceedings.result["stopped"], played.proceedings.result["rounds"]) == (stopped, rounds)


def test_the_round_limit_can_be_lowered():
    played = play("adaptive", with_words(SPLIT), **HARD, max_rounds=1)
    assert (played.proceedings.result["stopped"], played.proceedings.result["rounds"]) == ("round limit", 1)


def test_without_the_moderators_opinion_facts_alone_decide():
    played = play("adaptive", with_words({"moderator complexity": lambda call: SeatFailed("gone"), **SPLIT}), **HARD)
    assert played.proceedings.result["assessment"]["extended"] is True
    assert "no opinion of the moderator" in played.proceedings.result["assessment"]["factors"]


def test_the_speakers_read_the_ruling_before_they_speak_again():
    played = play("adaptive", with_words(SPLIT))
    later = [call for wave in played.waves for call in wave if call.brief.name == "position"][2:]
    assert later
    assert all("ruling" in [note.kind for note in call.knowledge.private] for call in later)


def test_what_is_known_of_the_question_reaches_whoever_speaks():
    played = play("adaptive", with_words(SPLIT), stakes="high", stakeholders=7)
    assert all("stakes high; parties touched: 7" in c.brief.text for w in played.waves[:2] for c in w)
