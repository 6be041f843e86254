"""How complex, how many seats, how many rounds: by rule."""

import json

import pytest

from hustings.errors import SeatFailed
from hustings.script.prompt import prompt_of
from hustings.script.seats import Player
from hustings.transcript.rules import check_document

from .adaptive_words import CASE, EASY, HARD, READ_AS_HARD, SPLIT, assessed, position, standing, with_words
from .playing import labels, notes, play

LONG_TOPIC = "Should " + "the whole town " * 20 + "close its centre to cars?"


# -- how complex ---------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("read", "score"),
    [
        ({"parties": 4}, 0.45),
        ({"fields": 3}, 0.45),
        ({"horizon": "long"}, 0.4),
        ({"impact": "high"}, 0.4),
        (READ_AS_HARD, 0.8),
    ],
)
def test_what_was_not_set_is_read_in_the_question_by_the_moderator(read, score):
    assert assessed(0, read=read)[1]["score"] == score


def test_what_was_set_goes_before_what_is_read():
    told = {"stakeholders": 1, "domains": 1, "horizon": "short", "impact": "low", "stakes": "low"}
    body = assessed(0, read=READ_AS_HARD, **told)[1]
    assert (body["score"], body["stakes"]) == (0.3, "low")


def test_without_any_setting_a_hard_question_is_debated_by_all_seats():
    body = assessed(8, read=READ_AS_HARD)[1]
    assert (body["score"], body["extended"], body["stakes"]) == (0.96, True, "high")


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
        ({"extent": "extended"}, True),
        ({"extent": "standard", "stakes": "critical"}, False),
        ({"extent": "extended", "budget": 1.0}, False),
    ],
)
def test_the_extent_can_be_chosen_so_that_one_question_is_held_both_ways(settings, extended):
    body = assessed(0, **settings)[1]
    assert (body["extent"], body["extended"], body["score"]) == (settings["extent"], extended, 0.3)


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


# -- rounds --------------------------------------------------------------------------------


def ruling(added):
    def line(call):
        quote = call.knowledge.turns[-1].said.partition(". ")[0]
        return json.dumps({"quote": quote, "summary": "Nothing has been settled.", "unresolved": [], "added": added})

    return line


def rulings(*added):
    """What each round added, in the moderator's reading; the last one again and again."""
    return {"moderator ruling": [ruling(each) for each in (*added, *[added[-1]] * 5)]}


def stopped(played):
    result = played.proceedings.result
    return result["stopped"], result["rounds"]


def asked(played, brief, seat=""):
    return [call for wave in played.waves for call in wave if call.brief.name == brief and seat in ("", call.seat.id)]


def heard(call):
    return [turn.turn_id for turn in call.knowledge.turns]


def test_critic_and_refiner_have_rounds_of_their_own_after_the_positions():
    assert labels(assessed(0, **HARD)[0])[:3] == ["positions 1", "criticism 1", "refinement 1"]


def test_the_refiner_takes_no_side():
    seats = play("adaptive", with_words(SPLIT)).proceedings.transcript.participants
    assert next(seat.role for seat in seats if seat.agent_id == "refiner") == "synthesizer"


def test_positions_of_the_first_round_are_written_at_the_same_time():
    played, _ = assessed(0)
    assert [heard(call) for call in asked(played, "position")[:2]] == [[], []]


@pytest.mark.parametrize(("nth", "known"), [(0, 3), (1, 8)])
def test_the_critic_hears_the_others_in_the_same_round(nth, known):
    played = play("adaptive", with_words({**SPLIT, **rulings(10)}), **HARD)
    assert len(heard(asked(played, "position", "critic")[nth])) == known


def test_the_critic_answers_from_the_first_round_on():
    played = play("adaptive", with_words({**SPLIT, **rulings(10)}), **HARD)
    first, second = played.proceedings.transcript.rounds[:2]
    kinds = {turn.speaker_id: turn.turn_type for turn in (*first.turns, *second.turns)}
    assert kinds == {"proponent": "argument", "opponent": "argument", "advocate": "argument", "critic": "rebuttal"}


def test_a_position_that_was_sent_back_leaves_a_valid_record():
    lines = {**SPLIT, **rulings(5), "proponent position": ["no", position("for")]}
    assert check_document(play("adaptive", with_words(lines), **HARD).proceedings.document()) == []


def test_a_ruling_quotes_what_the_round_said():
    made_up = {"quote": "never said here", "summary": "Nothing has been settled.", "unresolved": [], "added": 5}
    played = play("adaptive", with_words({**SPLIT, "moderator ruling": [json.dumps(made_up), ruling(5)]}))
    rejected = next(e for e in played.events if e.kind == "attempt_rejected")
    assert rejected.complaints == ("not found in the text: 'never said here'; quote word for word",)


@pytest.mark.parametrize(
    ("added", "ending"),
    [
        ([0, 0], ("diminishing returns", 2)),
        ([5, 8, 0], ("diminishing returns", 3)),
        ([6, 7], ("diminishing returns", 2)),
        ([6, 8, 7], ("diminishing returns", 3)),
        ([6, 8, 8, 7], ("diminishing returns", 4)),
        ([6, 8, 8, 8, 8], ("round limit", 5)),
    ],
)
def test_a_round_that_adds_too_little_is_the_last_and_beyond_those_expected_it_must_add_much(added, ending):
    assert stopped(play("adaptive", with_words({**SPLIT, **rulings(*added)}), max_rounds=5)) == ending


def test_a_harder_question_is_given_more_rounds_before_they_must_add_much():
    assert stopped(play("adaptive", with_words({**SPLIT, **rulings(6, 6, 7)}), **HARD, max_rounds=5)) == (
        "diminishing returns",
        3,
    )


@pytest.mark.parametrize("most", [1, 2, 3, 4, 5])
def test_every_round_limit_has_its_effect(most):
    played = play("adaptive", with_words({**SPLIT, **rulings(10)}), max_rounds=most)
    assert stopped(played) == ("round limit", most)


def test_without_a_ruling_it_goes_on_to_the_round_limit():
    played = play("adaptive", with_words({**SPLIT, "moderator ruling": lambda call: SeatFailed("gone")}))
    assert (stopped(played), played.proceedings.result["summary"]) == (("round limit", 3), "")


def test_a_round_in_which_nobody_speaks_is_not_ruled_on():
    stances = {"proponent": "for", "opponent": "against"}
    silent = {f"{seat} position": [position(stance), SeatFailed("gone")] for seat, stance in stances.items()}
    played = play("adaptive", with_words({**silent, **rulings(10)}), max_rounds=2)
    assert (stopped(played), len(asked(played, "ruling"))) == (("round limit", 2), 1)


def test_positions_that_nobody_could_bring_together_are_ruled_on_all_the_same():
    gone = {"refiner refinement": lambda call: SeatFailed("gone")}
    played = play("adaptive", with_words({**SPLIT, **gone, **rulings(5)}), **HARD)
    assert stopped(played) == ("diminishing returns", 2)


@pytest.mark.parametrize("settings", [{}, HARD, {"extent": "standard"}, {"extent": "extended"}])
def test_no_debate_ends_for_adding_too_little_before_anybody_could_answer(settings):
    played = play("adaptive", with_words({**SPLIT, **rulings(0)}), **settings)
    assert stopped(played)[1] >= 2


@pytest.mark.parametrize("extent", ["standard", "extended"])
@pytest.mark.parametrize(("facts", "rounds"), [({}, 2), (HARD, 3)])
def test_a_chosen_extent_holds_the_rounds_that_it_told(extent, facts, rounds):
    played = play("adaptive", with_words({**SPLIT, **rulings(0)}), **facts, extent=extent)
    assert stopped(played) == ("diminishing returns" if rounds < 3 else "round limit", rounds)
    assert played.proceedings.result["assessment"]["rounds"] == rounds


# -- where they stand ----------------------------------------------------------------------


def test_consensus_ends_it():
    played = play("adaptive", with_words(standing(proponent="against", opponent="against")))
    assert (stopped(played), played.proceedings.result["stance"]) == (("consensus", 1), "against")


def test_all_undecided_is_no_consensus():
    played = play("adaptive", with_words(standing(proponent="undecided", opponent="undecided")))
    assert played.proceedings.result["stance"] is None


def test_a_stance_with_a_condition_is_no_consensus():
    lines = {**standing(proponent="for"), "opponent position": position("for", "buses run at night")}
    assert play("adaptive", with_words({**lines, **rulings(5)})).proceedings.result["stance"] is None


def test_one_voice_is_no_debate():
    lines = {**standing(proponent="for"), "opponent position": lambda call: SeatFailed("gone")}
    assert play("adaptive", with_words(lines)).proceedings.ending.code == "SeatFailed"


def test_a_dissenter_who_falls_silent_has_not_agreed():
    lines = {**standing(proponent="for"), "opponent position": [position("against"), *[SeatFailed("gone")] * 2]}
    played = play("adaptive", with_words({**lines, **rulings(10)}))
    assert (stopped(played), played.proceedings.result["stance"]) == (("round limit", 3), None)


def test_a_dissenter_who_changes_sides_makes_a_consensus():
    lines = {**standing(proponent="for"), "opponent position": [position("against"), position("for")]}
    played = play("adaptive", with_words({**lines, **rulings(10)}))
    assert (stopped(played), played.proceedings.result["stance"]) == (("consensus", 2), "for")


def test_a_speaker_who_was_never_heard_agrees_to_nothing():
    lines = {**standing(proponent="for", opponent="for", advocate="for"), "critic position": SeatFailed("gone")}
    played = play("adaptive", with_words({**lines, **rulings(5)}), **HARD)
    assert played.proceedings.result["stance"] is None


@pytest.mark.parametrize(("stance", "says"), [("for", "yes"), ("against", "no"), ("undecided", "undecided")])
def test_where_a_speaker_stands_is_noted_by_the_rules(stance, says):
    lines = {"proponent position": position(stance, "buses run at night"), **standing(opponent="against")}
    note = notes(play("adaptive", with_words({**lines, **rulings(5)})), "stance")[0]
    assert (note.by, note.about[0].turn_id, note.body) == (
        "rules",
        "r1.t0",
        {"seat": "proponent", "says": says, "condition": "buses run at night", "why": "Noise decides it for me."},
    )


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("", "Stands: for.)"),
        ("buses run at night", "Stands: for, if buses run at night.)"),
        ("if buses run at night.", "Stands: for, if buses run at night.)"),
    ],
)
def test_a_position_is_read_with_its_condition(condition, told):
    assert position("for", condition).said().endswith(told)


def test_only_the_case_counts_against_the_allowance():
    assert position("for", "buses run at night").counted() == CASE


# -- what the seats know -------------------------------------------------------------------


def test_without_the_moderators_opinion_facts_alone_decide():
    played = play("adaptive", with_words({"moderator complexity": lambda call: SeatFailed("gone"), **SPLIT}), **HARD)
    assert played.proceedings.result["assessment"]["extended"] is True
    assert "no opinion of the moderator" in played.proceedings.result["assessment"]["factors"]


def test_the_speakers_read_the_ruling_before_they_speak_again():
    played = play("adaptive", with_words({**SPLIT, **rulings(10)}))
    later = asked(played, "position")[2:]
    assert later
    assert all("ruling" in [note.kind for note in call.knowledge.private] for call in later)


def test_the_refiner_reads_the_ruling_before_it_speaks_again():
    played = play("adaptive", with_words({**SPLIT, **rulings(10)}), **HARD)
    assert "ruling" in [note.kind for note in asked(played, "refinement")[1].knowledge.private]


def test_what_was_set_about_the_question_reaches_all_who_speak():
    played = play("adaptive", with_words(SPLIT), stakes="high", stakeholders=7)
    told = "We were told: the stakes are high; 7 parties are affected."
    assert all(told in c.brief.text for w in played.waves[:2] for c in w)


def test_what_was_set_about_the_question_reaches_the_critic():
    played = play("adaptive", with_words(SPLIT), **HARD)
    told = (
        "We were told: 4 parties are affected; it needs 3 fields of expertise; it binds for a long time; the sums of "
        "money are high."
    )
    assert told in asked(played, "position", "critic")[0].brief.text


def test_what_was_not_set_is_told_to_no_seat():
    played = assessed(8, read=READ_AS_HARD)[0]
    assert not [c.address for w in played.waves for c in w if "We were told" in c.brief.text]


@pytest.mark.parametrize(
    ("read", "table"),
    [(EASY, "Proponent, Opponent."), (READ_AS_HARD, "Proponent, Opponent, Advocate, Critic.")],
)
def test_only_seats_that_speak_are_named(read, table):
    played = assessed(8, read=read)[0]
    assert {c.brief.text.rpartition("debate: ")[2] for c in asked(played, "position")} == {table}
    rules = prompt_of(played.waves[0][0], Player()).rules
    assert "Proponent" not in rules
    assert "Refiner" not in rules


# -- what it comes to ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stances", "confidence"),
    [
        (("for", "for"), 1.0),
        (("for", "against"), 0.5),
        (("undecided", "against"), 0.5),
        (("undecided", "undecided"), 0.0),
    ],
)
def test_confidence_is_the_share_of_seats_on_the_commoner_side(stances, confidence):
    lines = standing(**dict(zip(("proponent", "opponent"), stances, strict=True)))
    assert play("adaptive", with_words({**lines, **rulings(5)})).proceedings.result["confidence"] == confidence


def test_a_stance_with_a_condition_counts_half():
    lines = {**standing(proponent="for"), "opponent position": position("for", "buses run at night")}
    assert play("adaptive", with_words({**lines, **rulings(5)})).proceedings.result["confidence"] == 0.75


def test_the_result_says_how_complex_the_question_was():
    assert assessed(10)[0].proceedings.result["complexity"] == 0.5
