"""Openings, cross-examination, closings; and nothing left hanging."""

import pytest
from inline_snapshot import snapshot

from hustings.protocols.structured import Answer, Closing, Concession, CrossExamination, Response, Stand

from .playing import notes, play, turns, with_words

REASON = "because the figure was taken from another year"


def response(target, kind="challenge", **changes):
    return Response(target=target, kind=kind, reasoning=REASON, follow_ups=("Which year was it?",), **changes)


def cross(*targets, **changes):
    return CrossExamination(responses=tuple(response(t, **changes) for t in targets))


def own_claims(played, seat):
    opening = next(n for n in notes(played, "form") if n.about[0].turn_id == {"pro": "r1.t0", "con": "r1.t1"}[seat])
    return [argument["id"] for argument in opening.body["arguments"]]


def rejections(played, brief):
    return [e.complaints for e in played.events if e.kind == "attempt_rejected" and e.brief == brief]


def test_the_choreography():
    assert play("structured").choreography == snapshot(
        [
            ["000.0 pro opening", "000.1 con opening"],
            ["001.0 pro cross-examination", "001.1 con cross-examination"],
            ["002.0 pro closing", "002.1 con closing"],
        ]
    )


def test_both_sides_speak_blind_in_every_round():
    rounds = play("structured").proceedings.transcript.rounds
    assert [r.transcript_visibility for r in rounds] == ["isolated"] * 3


def test_every_argument_of_the_other_side_is_addressed_once_in_cross_examination():
    played = play("structured")
    for turn, other in ((turns(played)[2], "con"), (turns(played)[3], "pro")):
        assert [a.target_claim_id for a in turn.addresses] == own_claims(played, other)
        assert {a.target_turn_id for a in turn.addresses} == {"r1.t1" if other == "con" else "r1.t0"}


def test_closings_answer_the_questions_they_were_asked():
    played = play("structured")
    answers = [a for a in turns(played)[4].addresses if a.move == "answer"]
    assert [a.target_claim_id for a in answers] == own_claims(played, "pro")
    assert {(a.target_agent_id, a.target_turn_id) for a in answers} == {("con", "r2.t1")}


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (lambda ids: cross(*ids[1:]), "CON-1 is not answered"),
        (lambda ids: cross(*ids, ids[0]), "CON-1 is answered 2 times"),
        (lambda ids: cross(*ids, "PRO-1"), "'PRO-1' is none of the claims you may name"),
        (
            lambda ids: CrossExamination(
                responses=(
                    *cross(*ids[:-1]).responses,
                    response(ids[-1]).model_copy(update={"reasoning": "Rather see my PRO-9."}),
                )
            ),
            "PRO-9 is no argument of this debate, and nothing new may be raised now",
        ),
    ],
)
def test_a_cross_examination_that_skips_repeats_or_invents_goes_back(answer, complaint):
    ids = own_claims(play("structured"), "con")
    played = play("structured", with_words({"pro cross-examination": [answer(ids)]}))
    assert any(complaint in line for line in rejections(played, "cross-examination")[0])
    assert turns(played)[2].attempts[-1].status == "ok"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"arguments": []}', "at least 3 items"),
        ("My case is strong.", "Invalid JSON"),
    ],
)
def test_an_opening_off_its_form_goes_back_with_the_reason(text, complaint):
    played = play("structured", with_words({"pro opening": [text]}))
    assert complaint in rejections(played, "opening")[0][0]


def test_arguments_are_numbered_without_gaps():
    played = play("structured")
    opening = turns(played)[0].attempts[0].content.replace("PRO-2", "PRO-7")
    again = play("structured", with_words({"pro opening": [opening]}))
    assert (
        rejections(again, "opening")[0][0]
        == "number the arguments from 1 to 4 in their order, not PRO-1, PRO-7, PRO-3, PRO-4"
    )


def closing(words, answers=(), **changes):
    stand = Stand(position="It should be closed to cars. " + "word " * words, shift="unchanged", why="nothing moved it")
    return Closing(answers=answers, concessions=(), unrebutted=(), stand=stand).model_copy(update=changes)


def test_a_closing_of_more_than_200_words_goes_back():
    played = play("structured", with_words({"pro closing": [closing(250)]}))
    assert any("200 is the most" in c for c in rejections(played, "closing")[0])


def test_a_closing_that_leaves_a_question_unanswered_goes_back():
    played = play("structured", with_words({"pro closing": [closing(10)]}))
    assert "PRO-1 is not answered" in rejections(played, "closing")[0]


def test_an_answer_that_is_too_long_goes_back():
    ids = own_claims(play("structured"), "pro")
    answers = tuple(Answer(question=i, answer="word " * 61) for i in ids)
    played = play("structured", with_words({"pro closing": [closing(10, answers)]}))
    assert "PRO-1 has 61 words; 60 is the most" in rejections(played, "closing")[0]


def test_a_concession_names_an_argument_of_the_other_side():
    ids = own_claims(play("structured"), "pro")
    answers = tuple(Answer(question=i, answer="It was last year.") for i in ids)
    given = closing(10, answers, concessions=(Concession(claim="CON-1", why="it holds"),))
    played = play("structured", with_words({"pro closing": [given]}))
    assert [a.target_claim_id for a in turns(played)[4].addresses if a.move == "concede"] == ["CON-1"]
    assert played.proceedings.result["pro"]["shift"] == "unchanged"


def test_a_side_that_cannot_cross_examine_still_closes_and_owes_no_answer():
    played = play("structured", with_words({"con cross-examination": ["no"] * 3}))
    assert played.proceedings.ending.kind == "played"
    assert not [a for a in turns(played)[4].addresses or () if a.move == "answer"]


def test_without_an_opening_there_is_no_debate():
    played = play("structured", with_words({"con opening": ["no"] * 3}))
    assert (played.proceedings.ending.kind, played.proceedings.ending.code) == ("failed", "Malformed")
    assert [turn.attempts[-1].status for turn in turns(played)] == ["ok", "failed"]


def test_no_verdict_is_asked_of_anybody():
    assert not any("judge" in call.seat.id for wave in play("structured").waves for call in wave)
