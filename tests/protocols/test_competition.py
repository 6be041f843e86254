"""Four stages, fixed orders, clocks counted in words, and a judge beside it all."""

import json

import pytest
from inline_snapshot import snapshot

from hustings.errors import SeatFailed
from hustings.protocols.competition import STAGES, Plan, Questions, describe_result
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.prompt import prompt_of
from hustings.text.words import count_words

from .playing import TOPIC, labels, notes, play, turns, with_words

PLAYED = play("competition")


def spoken(played, label):
    return [t.speaker_id for r in played.proceedings.transcript.rounds if r.label.startswith(label) for t in r.turns]


def test_the_stages_and_their_orders():
    assert spoken(PLAYED, "opening") == ["pro_1", "con_1"]
    assert spoken(PLAYED, "cross-examination summaries") == ["pro_1", "con_1"]
    assert spoken(PLAYED, "closing") == ["con_4", "pro_4"]
    assert [label for label in labels(PLAYED) if not label.startswith("free")] == snapshot(
        [
            "opening",
            "cross-examination by pro_2",
            "cross-examination by con_2",
            "cross-examination by pro_3",
            "cross-examination by con_3",
            "cross-examination summaries",
            "closing",
        ]
    )


def test_the_first_waves():
    assert PLAYED.choreography[:6] == snapshot(
        [
            ["000.0 pro_1 opening"],
            ["001.0 con_1 opening", "001.1 judge score"],
            ["002.0 pro_2 questions", "002.1 judge score", "002.2 judge summary of the openings"],
            ["003.0 con_2 answers", "003.1 judge score"],
            ["004.0 con_2 questions", "004.1 judge score"],
            ["005.0 pro_2 answers", "005.1 judge score"],
        ]
    )


def test_the_asker_chooses_who_answers():
    asked = Questions(to="con_3", questions=("Who pays?", "Who gains?", "Who asked?"))
    played = play("competition", with_words({"pro_2 questions": [asked]}))
    answer = next(t for t in turns(played) if t.metadata.kind == "answers")
    assert answer.speaker_id == "con_3"
    assert [(a.target_agent_id, a.move) for a in answer.addresses] == [("pro_2", "answer")]


def test_a_choice_that_may_not_be_made_falls_to_the_second_debater_and_is_noted():
    asked = Questions(to="con_1", questions=("Who pays?", "Who gains?", "Who asked?"))
    played = play("competition", with_words({"pro_2 questions": [asked]}))
    assert next(t for t in turns(played) if t.metadata.kind == "answers").speaker_id == "con_2"
    assert any(
        "'con_1' is none of the seats" in c for n in notes(played, "violation") for c in n.body.get("complaints", [])
    )


def test_two_questions_are_not_enough():
    asked = '{"to": "con_2", "questions": ["Who pays?", "Who gains?"]}'
    played = play("competition", with_words({"pro_2 questions": [asked]}))
    assert "at least 3 needed" in notes(played, "unparsed")[0].body["complaints"][0]


def test_teams_alternate_in_free_debate_and_everybody_speaks():
    order = spoken(PLAYED, "free debate")
    assert [s[:3] for s in order] == ["pro", "con"] * (len(order) // 2)
    assert set(order) == {f"{team}_{n}" for team in ("pro", "con") for n in range(1, 5)}


def test_whoever_has_not_spoken_goes_before_whoever_has():
    order = [s for s in spoken(PLAYED, "free debate") if s.startswith("pro")]
    assert set(order[:4]) == {"pro_1", "pro_2", "pro_3", "pro_4"}


def test_the_captains_choice_is_followed_where_it_may_be():
    request = Plan(speaker="pro_3", direction="Take up what they said about the buses.")
    played = play("competition", with_words({"pro_1 plan": [request]}))
    assert spoken(played, "free debate")[0] == "pro_3"


def test_a_captain_who_gives_no_plan_leaves_it_to_the_order_of_seats():
    played = play("competition", with_words({"con_1 plan": lambda call: SeatFailed("con_1 left")}))
    order = [s for s in spoken(played, "free debate") if s.startswith("con")]
    assert order[:4] == ["con_1", "con_2", "con_3", "con_4"]


def test_free_debate_ends_when_a_team_has_used_up_its_words():
    played = play("competition", free_words=1000, free_speech_words=125)
    words = {"pro": 0, "con": 0}
    for r in played.proceedings.transcript.rounds:
        if r.label.startswith("free"):
            assert all(used < 1000 for used in words.values())
            for t in r.turns:
                words[t.speaker_id[:3]] += max(50, count_words(t.said))
    assert max(words.values()) >= 1000


def test_silent_debaters_are_heard_even_when_the_clock_has_run_out():
    long = "word " * 600
    played = play("competition", with_words({f"pro_{n} free debate": [long] for n in range(1, 5)}))
    order = [s for s in spoken(played, "free debate") if s.startswith("pro")]
    assert sorted(order) == ["pro_1", "pro_2", "pro_3", "pro_4"]


def test_every_speech_is_marked_beside_the_next_one():
    scores = notes(PLAYED, "score")
    assert [note.about[0].turn_id for note in scores] == [turn.turn_id for turn in turns(PLAYED)]
    assert len(PLAYED.waves) < sum(map(len, PLAYED.waves)) - len(scores) + 5


def test_marks_without_the_speakers_own_words_are_an_abstention():
    def made_up(call):
        marks = marked(9, "something that nobody has ever said here")
        return json.dumps({"about": call.brief.choices["item"][0], **marks, "violations": []})

    played = play("competition", with_words({"judge score": made_up}))
    assert not notes(played, "score")
    assert len(notes(played, "failure")) == len(turns(played))


def test_a_rubric_without_prices_charges_nothing_for_a_violation():
    debate = plan(find_protocol("competition"), TOPIC).model_copy(update={"rubric": "argument"})
    played = rehearse(debate, with_words({"pro_1 opening": ["word " * 751]}))
    assert "overtime" in [n.body["rule"] for n in notes(played, "violation")]
    assert not notes(played, "penalty")


@pytest.mark.parametrize(("words", "penalised"), [(750, False), (751, True)])
def test_overtime_begins_with_the_first_word_too_many(words, penalised):
    played = play("competition", with_words({"pro_1 opening": ["word " * words]}))
    found = [n.body for n in notes(played, "penalty") if n.body["rule"] == "overtime" and n.about[0].turn_id == "r1.t0"]
    assert bool(found) is penalised
    if penalised:
        assert (found[0]["individual"], found[0]["on_team"], found[0]["words"]) == (-2, -3, 751)


def test_overtime_is_counted_in_languages_without_spaces():
    played = play("competition", with_words({"pro_1 opening": ["汽" * 751]}))
    overtime = next(n.body for n in notes(played, "violation") if n.body.get("rule") == "overtime")
    assert overtime["words"] == 751


def test_a_speech_is_marked_without_the_earlier_marks_in_sight():
    scores = [call for wave in play("competition").waves for call in wave if call.brief.name == "score"]
    assert len(scores) > 10
    assert all(not call.knowledge.private for call in scores)


def test_what_one_judge_flags_is_provisional_and_costs_nothing():
    played = play("competition", with_words({"judge score": flagging("personal_attack")}))
    flags = [n.body for n in notes(played, "violation") if n.body.get("rule") == "personal_attack"]
    assert len(flags) == len(turns(played))
    assert all(flag["provisional"] for flag in flags)
    assert not [n for n in notes(played, "penalty") if n.body.get("provisional")]


ASKED = Questions(to="con_2", questions=("Who pays?", "Who gains?", "Who asked for it?"))


def found(played, rule):
    return [(n.about[0].turn_id, n.body.get("quote")) for n in notes(played, "penalty") if n.body["rule"] == rule]


@pytest.mark.parametrize(
    ("words", "quote"),
    [
        ("The town. Nobody. Why do you ask?", "Why do you ask?"),
        ("城市。没有人。你为什么问？", "你为什么问？"),
        ("The town. Nobody. Who asked for it? The shops.", None),
        ("The town. You said “why not?” and I say nobody.", None),
        ("1. Who pays? The town. 2. Nobody.", None),
    ],
)
def test_a_question_asked_back_is_found_by_code(words, quote):
    lines = {"pro_2 questions": [ASKED], "con_2 answers": [words]}
    answers = [one for one in found(play("competition", with_words(lines)), "counter_question") if one[0] == "r2.t1"]
    assert answers == ([("r2.t1", quote)] if quote else [])


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("The town pays for everything here.", "The town pays for everything here."),
        ("Who pays? The town does, as always.", "The town does, as always."),
        ("Who pays? Come on.", None),
        ("Who really pays?", None),
    ],
)
def test_an_asker_who_argues_is_found_by_code(question, quote):
    asked = Questions(to="con_2", questions=("Who gains?", "Who asked for it?", question))
    penalties = found(play("competition", with_words({"pro_2 questions": [asked]})), "attacker_answered")
    assert [one for one in penalties if one[0] == "r2.t0"] == ([("r2.t0", quote)] if quote else [])


def test_in_a_language_without_question_marks_nobody_is_found_to_argue():
    asked = Questions(to="con_2", questions=("ใครเป็นคนจ่าย",) * 3)
    penalties = found(play("competition", with_words({"pro_2 questions": [asked]})), "attacker_answered")
    assert "r2.t0" not in [turn for turn, _ in penalties]


def test_plans_are_read_by_the_team_and_marks_by_the_judge_alone():
    cast = PLAYED.debate.cast
    for wave in PLAYED.waves:
        for call in wave:
            tail = prompt_of(call, cast[call.seat.id]).tail
            other = {"pro": "con_1", "con": "pro_1"}.get(call.seat.team, "nobody")
            assert f"note by {other}: plan" not in tail
            assert ("note by judge" not in tail) or call.seat.id == "judge"
    free = [c for w in PLAYED.waves for c in w if c.brief.name == "free debate"]
    assert all(f"note by {c.seat.team}_1: plan" in prompt_of(c, cast[c.seat.id]).tail for c in free)


def test_a_team_that_is_gone_does_not_stop_the_other():
    played = play("competition", lambda call: SeatFailed("gone") if call.seat.team == "con" else with_words({})(call))
    assert played.proceedings.ending.kind == "played"
    assert {t.speaker_id[:3] for t in turns(played)} == {"pro"}


def test_the_result_names_no_winner():
    assert set(PLAYED.proceedings.result) == {"turning_points", "advice_to_pro", "advice_to_con"}


def test_an_asker_who_asks_nothing_is_answered_by_nobody():
    played = play("competition", with_words({"pro_2 questions": [SeatFailed("pro_2 left")]}))
    first = next(r for r in played.proceedings.transcript.rounds if r.label == "cross-examination by pro_2")
    assert first.turns == []


def test_a_speech_that_was_not_given_is_not_marked():
    played = play("competition", with_words({"pro_1 opening": [SeatFailed("pro_1 left")]}))
    assert len(notes(played, "score")) == len(turns(played))


def test_only_the_questions_count_against_their_allowance():
    asked = Questions(to="con_2", questions=("word " * 41 + "word", "word " * 41 + "word", "word " * 40 + "word"))
    played = play("competition", with_words({"pro_2 questions": [asked]}))
    turn = next(t for t in turns(played) if t.metadata.kind == "questions")
    assert not [
        n for n in notes(played, "penalty") if n.body["rule"] == "overtime" and n.about[0].turn_id == turn.turn_id
    ]


def marked(score, quote):
    names = ("logic", "persuasion", "expression", "teamwork", "rule_compliance")
    return {name: {"quote": quote, "reason": "as the words show", "score": score} for name in names}


def flagging(rule, quote=None):
    def line(call):
        said = call.knowledge.turns[-1].said.partition(". ")[0]
        violations = [{"kind": rule, "quote": quote or said}]
        return json.dumps({"about": call.brief.choices["item"][0], **marked(5, said), "violations": violations})

    return line


def test_a_rule_binds_only_the_kind_of_speech_it_is_about():
    played = play("competition", with_words({"judge score": flagging("counter_question")}))
    kinds = {t.turn_id: t.metadata.kind for t in turns(played)}
    fouls = [n for n in notes(played, "violation") if n.body.get("rule") == "counter_question"]
    assert {kinds[n.about[0].turn_id] for n in fouls} == {"answers"}


def test_a_violation_that_quotes_nobody_voids_the_sheet():
    line = flagging("personal_attack", "words that nobody has ever said here")
    assert not notes(play("competition", with_words({"judge score": line})), "score")


def test_whoever_speaks_without_a_plan_is_not_told_to_follow_one():
    played = play("competition", with_words({"con_1 plan": lambda call: SeatFailed("con_1 left")}))
    texts = {c.brief.text for w in played.waves for c in w if c.brief.name == "free debate" and c.seat.team == "con"}
    assert all("Your captain left the choice to you." in text for text in texts)


def test_a_plan_is_followed_as_far_as_it_is_honest_and_is_headed_by_its_readers():
    cast = PLAYED.debate.cast
    for call in (c for w in PLAYED.waves for c in w if c.brief.name == "free debate"):
        tail = prompt_of(call, cast[call.seat.id]).tail
        assert tail.count("Only your team can read this:\n") == 1
        assert "follow its direction as far as it is honest" in tail


def test_no_plan_is_shown_where_it_is_not_for_this_speech():
    played = play("competition", with_words({"pro_1 plan": [None, SeatFailed("pro_1 left")]}))
    cast = played.debate.cast
    calls = [c for w in played.waves for c in w if c.brief.name == "closing" or "left the choice" in c.brief.text]
    assert len(calls) == 3
    assert not [c.address for c in calls if ": plan" in prompt_of(c, cast[c.seat.id]).tail]


def test_the_review_is_written_when_every_mark_is_there():
    last = PLAYED.waves[-1]
    assert [call.brief.name for call in last] == ["review"]
    assert [exhibit.name for exhibit in last[0].brief.exhibits[0]] == [
        "summary of the openings",
        "summary of the cross-examination",
        "summary of the free debate",
        "summary of the closings",
    ]


@pytest.mark.parametrize("brief", ["review", "summary of the closings"])
def test_the_judge_sums_up_and_reviews_without_its_marks_in_sight(brief):
    (call,) = (c for w in PLAYED.waves for c in w if c.brief.name == brief)
    assert call.knowledge.private == ()


def test_a_review_without_any_summary_is_written_from_the_record():
    gone = {f"judge summary of {stage}": SeatFailed("gone") for stage in STAGES}
    last = play("competition", with_words(gone)).waves[-1]
    assert [(call.brief.name, call.brief.exhibits) for call in last] == [("review", ())]


def test_without_a_review_there_is_nothing_to_describe():
    assert [*describe_result(None, str)] == []
