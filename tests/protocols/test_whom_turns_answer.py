"""Whom a turn in plain words answers: links to turns and people, and what becomes of one that answers nobody."""

from hustings.errors import SeatFailed
from hustings.transcript.rules import check_document

from .playing import notes, play, turns, with_words
from .test_adaptive import HARD, SPLIT, position, rulings, standing
from .test_adaptive import with_words as easily
from .test_moderated import debate, questions, reading

NOBODY = position("for", text="My case is this, and nothing else.")


# -- roundtable ----------------------------------------------------------------------------


def test_a_name_in_plain_words_is_an_edge_with_its_sentence():
    words = "Cars bring trade. Ada's claim about buses is wrong! I stay with it."
    played = play("roundtable", with_words({"ben contribution": [words]}))
    (edge,) = turns(played)[1].addresses
    assert (edge.target_agent_id, edge.target_turn_id) == ("ada", "r1.t0")
    assert edge.evidence == "Ada's claim about buses is wrong!"


def answering_nobody(played):
    return [note.about[0].turn_id for note in notes(played, "violation") if note.body["rule"] == "answers_nobody"]


def test_a_contribution_that_answers_nobody_is_heard_and_noted():
    played = play("roundtable", with_words({"ada contribution": "It is so."}))
    assert answering_nobody(played) == ["r2.t2", "r3.t1"]
    assert len(turns(played)) == 9


def test_in_the_first_round_nobody_has_to_be_answered():
    lines = {f"{seat} contribution": "It is so." for seat in ("ada", "ben", "chi")}
    assert answering_nobody(play("roundtable", with_words(lines), rounds=1)) == []


def test_where_only_the_round_before_is_read_its_speakers_are_to_be_answered():
    played = play("roundtable", with_words({"ada contribution": "It is so."}), visibility="prior_round_only")
    assert answering_nobody(played) == ["r2.t2", "r3.t1"]


def test_who_has_heard_nobody_has_nobody_to_answer():
    gone = [SeatFailed("gone")] * 2
    lines = {"ada contribution": "It is so.", "ben contribution": gone, "chi contribution": gone}
    assert answering_nobody(play("roundtable", with_words(lines), rounds=2)) == []


def test_words_in_quotation_marks_are_an_answer_to_who_said_them_and_an_edge_to_that_turn():
    lines = {
        "ben contribution": ["Buses are late on Sundays.", "Trams are dear. So says Ada."],
        "chi contribution": ["Ada is right.", "It was said that “buses are late on Sundays”, and they are."],
    }
    played = play("roundtable", with_words(lines), rounds=2)
    (edge,) = turns(played)[4].addresses
    assert (edge.target_agent_id, edge.target_turn_id, edge.evidence) == ("ben", "r1.t1", "buses are late on Sundays")
    assert "r2.t1" not in answering_nobody(played)


def test_an_answer_that_shows_nobody_goes_back_while_attempts_are_left_and_then_stands():
    played = play("roundtable", with_words({"ada contribution": "It is so."}), rounds=2, retries=2)
    assert [[a.status for a in t.attempts] for t in turns(played) if t.speaker_id == "ada"] == [
        ["ok"],
        ["retry", "retry", "ok"],
    ]
    assert answering_nobody(played) == ["r2.t2"]


def test_an_answer_that_names_someone_the_second_time_is_not_noted():
    lines = {"ada contribution": ["It is so.", "It is so.", "Ben forgets that it is so."]}
    played = play("roundtable", with_words(lines), rounds=2, retries=1)
    assert (turns(played)[5].said, answering_nobody(played)) == ("Ben forgets that it is so.", [])


# -- adaptive ------------------------------------------------------------------------------


def test_a_position_that_answers_nobody_goes_back_and_then_stands():
    lines = {**standing(opponent="against"), "proponent position": [position("for"), NOBODY, NOBODY]}
    played = play("adaptive", easily({**lines, **rulings(10)}), max_rounds=2)
    turn = played.proceedings.transcript.rounds[1].turns[0]
    assert [attempt.status for attempt in turn.attempts] == ["retry", "ok"]
    assert [(note.about[0].turn_id, note.body) for note in notes(played, "violation")] == [
        ("r2.t0", {"rule": "answers_nobody", "seat": "proponent"})
    ]
    assert check_document(played.proceedings.document()) == []


def test_a_first_position_has_nobody_to_answer():
    lines = {"proponent position": NOBODY, "opponent position": NOBODY}
    assert notes(play("adaptive", easily({**lines, **rulings(10)}), max_rounds=1), "violation") == []


def test_what_is_brought_together_links_to_those_it_names():
    lines = {**SPLIT, **rulings(5), "refiner refinement": "The critic and the advocate mean the same."}
    played = play("adaptive", easily(lines), **HARD)
    refined = next(turn for turn in turns(played) if turn.speaker_id == "refiner")
    assert [edge.target_agent_id for edge in refined.addresses] == ["critic", "advocate"]


# -- moderated and competition -------------------------------------------------------------


def test_an_answer_addresses_the_panelist_whose_words_it_was_asked_about():
    played = debate(reading("holds", "D-1", "p2"), reading("holds"))
    answers = [t for t in played.proceedings.transcript.turns if t.metadata.kind == "answer"]
    assert [[(a.target_agent_id, a.target_turn_id) for a in t.addresses] for t in answers] == [
        [("moderator", "r2.t0"), ("p2", "r1.t1")],
        [("moderator", "r3.t0"), ("p1", "r1.t0")],
    ]


def test_an_answer_also_addresses_the_panelists_whom_it_names():
    said = "Mia, engineer is right, and Zoe is not."
    played = debate(reading("holds", "D-1", "p2"), reading("holds"), lines={"p2 answer": said})
    (answer,) = [t for t in played.proceedings.transcript.turns if (t.metadata.kind, t.speaker_id) == ("answer", "p2")]
    assert [a.target_agent_id for a in answer.addresses] == ["moderator", "p1", "p3"]


def test_words_that_the_person_asked_has_also_said_are_those_of_the_other():
    same = "Buses will do, and everybody in town knows it by now."
    lines = {"p1 opening": same, "p2 opening": same}
    asked = questions(debate(reading("holds"), lines=lines, max_exchanges=1))[0]
    assert [a.target_agent_id for a in asked.addresses] == ["p1", "p2"]


def test_a_closing_addresses_those_it_names():
    played = play("competition", with_words({"con_4 closing": "Pro 1 and Pro 2 disagree."}))
    closing = next(t for t in turns(played) if t.metadata.kind == "closing")
    assert [a.target_agent_id for a in closing.addresses] == ["pro_1", "pro_2"]
