"""Openings, cross-examination, closings; and nothing left hanging."""

import pytest
from inline_snapshot import snapshot

from hustings.errors import SeatFailed
from hustings.protocols.structured import (
    Answer,
    Argument,
    Closing,
    Concession,
    CrossExamination,
    Opening,
    Response,
    Stand,
    Withdrawal,
)
from hustings.script.prompt import prompt_of

from .playing import notes, play, turns, with_words

PRO, CON = ("PRO-1", "PRO-2", "PRO-3"), ("CON-1", "CON-2", "CON-3")


# -- a debate with given words ------------------------------------------------------------


def claim_of(argument):
    return f"This is claim {argument}, and it is plain."


def case(*ids):
    rest = {"reasoning": "One step leads to the next and so on.", "evidence": "Generally known."}
    return Opening(arguments=tuple(Argument(id=i, claim=claim_of(i), **rest) for i in ids))


def response(target, kind="challenge", **changes):
    holds = claim_of(target) if kind in {"partial", "concede"} else ""
    usual = {"reasoning": "The figure was of another year.", "accepts": holds, "disputes": "evidence"}
    return Response(target=target, kind=kind, **{**usual, "follow_ups": ("Which year was it?",), **changes})


def cross(*targets, **changes):
    return CrossExamination(responses=tuple(response(t, **changes) for t in targets))


def stand(defends="as put", position="It should be closed to cars.", shift="unchanged"):
    return Stand(position=position, why="nothing moved it", shift=shift, defends=defends)


def closing(*answered, words="It was last year.", withdrawals=(), concessions=(), **where):
    answers = tuple(Answer(about=argument, answer=words) for argument in answered)
    return Closing(
        answers=answers, withdrawals=tuple(withdrawals), concessions=tuple(concessions), stand=stand(**where)
    )


def conceding(claim, extent="all", quote=None):
    return Concession(claim=claim, quote=quote or claim_of(claim), extent=extent, why="it holds")


def withdrawing(argument, extent="all", quote=None):
    return Withdrawal(argument=argument, quote=quote or claim_of(argument), extent=extent, why="it fell")


SOUND = {
    "pro opening": case(*PRO),
    "con opening": case(*CON),
    "pro cross-examination": cross(*CON),
    "con cross-examination": cross(*PRO),
    "pro closing": closing(*PRO),
    "con closing": closing(*CON),
}


def debate(**changes):
    """A debate whose every word is given; `pro_closing=` and the like take the place of the usual one."""
    named = {name.replace("_", " ", 1).replace("_", "-"): line for name, line in changes.items()}
    return play("structured", with_words({**SOUND, **named}))


def sent_back(name, answer):
    """Why this answer was sent back; the next one is as usual."""
    usual = SOUND[name.replace("_", " ", 1).replace("_", "-")]
    played = debate(**{name: [answer, usual]})
    (complaints,) = [e.complaints for e in played.events if e.kind == "attempt_rejected"]
    assert played.proceedings.ending.kind == "played"
    return complaints


def rejections(played):
    return [e.complaints for e in played.events if e.kind == "attempt_rejected"]


def points(played, turn_id):
    return {p["id"]: p for n in notes(played, "points") if n.about[0].turn_id == turn_id for p in n.body["points"]}


# -- the rounds --------------------------------------------------------------------------


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


def test_given_words_are_taken_as_they_are():
    assert rejections(debate()) == []


def test_no_verdict_is_asked_of_anybody():
    assert not any("judge" in call.seat.id for wave in play("structured").waves for call in wave)


def test_without_an_opening_there_is_no_debate():
    played = play("structured", with_words({"con opening": ["no"] * 3}))
    assert (played.proceedings.ending.kind, played.proceedings.ending.code) == ("failed", "Malformed")
    assert [turn.attempts[-1].status for turn in turns(played)] == ["ok", "failed"]


# -- openings ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"arguments": []}', "arguments: 0 entries, at least 3 needed"),
        ("My case is strong.", "Send one JSON object"),
    ],
)
def test_an_opening_off_its_form_goes_back_with_the_reason(text, complaint):
    assert complaint in sent_back("pro_opening", text)[0]


def test_arguments_are_numbered_without_gaps():
    assert sent_back("pro_opening", case("PRO-1", "PRO-7", "PRO-3")) == (
        "number the arguments from 1 to 3 in their order, not PRO-1, PRO-7, PRO-3",
    )


# -- cross-examination -------------------------------------------------------------------


@pytest.mark.parametrize(("place", "targets", "other"), [(2, CON, "r1.t1"), (3, PRO, "r1.t0")])
def test_every_argument_of_the_other_side_is_addressed_once_in_cross_examination(place, targets, other):
    addressed = turns(debate())[place].addresses
    assert [(a.target_claim_id, a.target_turn_id) for a in addressed] == [(target, other) for target in targets]


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (cross(*CON[1:]), "CON-1 is not answered"),
        (cross(*CON, CON[0]), "CON-1 is answered 2 times"),
        (cross(*CON, "PRO-1"), "'PRO-1' is none of the claims you may name: CON-1, CON-2, CON-3"),
        (
            cross(*CON, reasoning="Rather look at my PRO-9."),
            "PRO-9 is no argument of this debate, and nothing new may be raised now",
        ),
        (
            cross(*CON, follow_ups=("What of CON-4 then?",)),
            "CON-4 is no argument of this debate, and nothing new may be raised now",
        ),
    ],
)
def test_a_cross_examination_that_skips_repeats_or_invents_goes_back(answer, complaint):
    assert complaint in sent_back("pro_cross_examination", answer)


@pytest.mark.parametrize("kind", ["partial", "concede"])
def test_a_response_that_accepts_something_quotes_it(kind):
    assert "the response to CON-1: quote in `accepts` the words of the argument that hold" in sent_back(
        "pro_cross_examination", cross(*CON, kind=kind, accepts="")
    )


@pytest.mark.parametrize("kind", ["refute", "challenge", "partial"])
def test_an_objection_asks_its_author_something(kind):
    assert "the response to CON-1: ask its author at least one question" in sent_back(
        "pro_cross_examination", cross(*CON, kind=kind, follow_ups=())
    )


def test_a_concession_may_ask_nothing():
    conceded = cross(*CON, kind="concede", follow_ups=())
    assert rejections(debate(pro_cross_examination=conceded, con_closing=closing())) == []


@pytest.mark.parametrize(
    ("accepts", "complaint"),
    [("a town without any cars at all", "not found in the text"), (claim_of("CON-2"), "'2' where the text says '1'")],
)
def test_what_is_accepted_are_words_of_the_argument_itself(accepts, complaint):
    given = CrossExamination(responses=(response("CON-1", "partial", accepts=accepts), *cross(*CON[1:]).responses))
    (told,) = sent_back("pro_cross_examination", given)
    assert complaint in told


def test_a_response_is_noted_with_what_it_accepts_and_disputes():
    some = (response("CON-1", "partial"), response("CON-2", "concede"), response("CON-3", disputes="extent"))
    found = points(debate(pro_cross_examination=CrossExamination(responses=some)), "r2.t0")
    told = [[p.get(name) for name in ("kind", "extent", "quote", "disputes")] for p in found.values()]
    assert told == [
        ["partial", None, claim_of("CON-1"), "evidence"],
        ["concede", "all", claim_of("CON-2"), None],
        ["challenge", None, None, "extent"],
    ]


# -- closings ----------------------------------------------------------------------------


def test_closings_answer_the_questions_they_were_asked():
    answers = [a for a in turns(debate())[4].addresses if a.move == "answer"]
    assert [a.target_claim_id for a in answers] == [*PRO]
    assert {(a.target_agent_id, a.target_turn_id) for a in answers} == {("con", "r2.t1")}


def test_no_answer_is_owed_where_nothing_was_asked():
    some = (response("PRO-1"), response("PRO-2", "concede", follow_ups=()), response("PRO-3"))
    asked = {"con_cross_examination": CrossExamination(responses=some)}
    assert rejections(debate(**asked, pro_closing=closing("PRO-1", "PRO-3"))) == []


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (closing(*PRO, position="word " * 250), "the closing without its answers has 253 words; 200 is the most"),
        (closing(*PRO[1:]), "PRO-1 is not answered"),
        (closing(*PRO, PRO[0]), "PRO-1 is answered 2 times"),
        (closing(*PRO, words="word " * 91), "PRO-1 has 91 words; 90 is the most"),
        (closing(*PRO, concessions=[conceding("CON-1")] * 2), "CON-1 is conceded twice: say it once"),
        (closing(*PRO, withdrawals=[withdrawing("PRO-1")] * 2), "PRO-1 is withdrawn twice: say it once"),
        (
            closing(*PRO, concessions=[conceding("CON-1", quote=claim_of("CON-2"))]),
            "says '2' where the text says '1'; quote word for word",
        ),
        (
            closing(*PRO, withdrawals=[withdrawing("PRO-1", quote=claim_of("PRO-2"))]),
            "says '2' where the text says '1'; quote word for word",
        ),
        (
            closing(*PRO, concessions=[conceding("CON-1", quote="plain")]),
            "'plain' is too short to prove anything: quote three words or more, word for word",
        ),
        (
            closing(*PRO, concessions=[conceding("PRO-1")]),
            "'PRO-1' is none of the claims you may name: CON-1, CON-2, CON-3",
        ),
        (
            closing(*PRO, withdrawals=[withdrawing("CON-1")]),
            "'CON-1' is none of the arguments you may name: PRO-1, PRO-2, PRO-3",
        ),
    ],
)
def test_a_closing_that_breaks_a_rule_goes_back(given, complaint):
    assert any(complaint in told for told in sent_back("pro_closing", given))


def test_answers_do_not_count_towards_the_length_of_a_closing():
    assert rejections(debate(pro_closing=closing(*PRO, words="word " * 90))) == []


def test_a_concession_addresses_the_argument_it_accepts():
    played = debate(pro_closing=closing(*PRO, concessions=(conceding("CON-1"),)))
    assert [a.target_claim_id for a in turns(played)[4].addresses if a.move == "concede"] == ["CON-1"]


@pytest.mark.parametrize(
    ("extent", "noted", "told"),
    [
        ("all", "all", "I concede CON-1, “"),
        ("the core", "core", "I concede the core of CON-1, “"),
        ("one point", "point", "I concede one point of CON-1, “"),
    ],
)
def test_a_concession_says_how_much_it_accepts(extent, noted, told):
    played = debate(pro_closing=closing(*PRO, concessions=(conceding("CON-1", extent),)))
    point = points(played, "r3.t0")["CON-1/concession"]
    assert (point["extent"], point["quote"]) == (noted, claim_of("CON-1"))
    assert told in turns(played)[4].said


@pytest.mark.parametrize(
    ("extent", "noted", "told"),
    [("all", "all", "I withdraw PRO-2, “"), ("a part", "point", "I withdraw a part of PRO-2, “")],
)
def test_a_withdrawal_says_how_much_it_takes_back(extent, noted, told):
    played = debate(pro_closing=closing(*PRO, withdrawals=(withdrawing("PRO-2", extent),)))
    point = points(played, "r3.t0")["PRO-2/withdrawal"]
    assert (point["kind"], point["target"], point["extent"], point["quote"]) == (
        "withdraw",
        "PRO-2",
        noted,
        claim_of("PRO-2"),
    )
    assert told in turns(played)[4].said


def test_a_closing_is_offered_one_list_for_each_name_of_a_field():
    some = (response("PRO-1"), response("PRO-2", "concede", follow_ups=()), response("PRO-3"))
    played = debate(con_cross_examination=CrossExamination(responses=some), pro_closing=closing("PRO-1", "PRO-3"))
    asked = prompt_of(played.waves[-1][0], played.debate.cast["pro"]).tail
    assert asked.count("argument: one of PRO-1, PRO-2, PRO-3: ") == 1


def test_a_side_that_cannot_cross_examine_still_closes_and_owes_no_answer():
    played = play("structured", with_words({"con cross-examination": ["no"] * 3}))
    assert played.proceedings.ending.kind == "played"
    assert not [a for a in turns(played)[4].addresses or () if a.move == "answer"]


# -- where they end ----------------------------------------------------------------------


def test_the_result_is_where_both_sides_stand():
    result = debate(pro_closing=closing(*PRO, shift="weakened")).proceedings.result
    assert (result["pro"]["shift"], result["con"]["shift"]) == ("weakened", "unchanged")


def test_a_side_that_does_not_close_stands_nowhere():
    result = debate(pro_closing=SeatFailed("gone")).proceedings.result
    assert (result["pro"], result["con"]["defends"]) == (None, "as put")


@pytest.mark.parametrize(
    ("defends", "pro", "con"),
    [
        ("as put", ("yes", ""), ("no", "")),
        ("with changes", ("yes", "Only on weekends."), ("no", "Only on weekends.")),
        ("no longer", ("no", ""), ("yes", "")),
    ],
)
def test_a_closing_is_noted_as_an_answer_to_the_question_as_put(defends, pro, con):
    end = {"defends": defends, "position": "Only on weekends."}
    played = debate(pro_closing=closing(*PRO, **end), con_closing=closing(*CON, **end))
    found = {note.body["seat"]: note for note in notes(played, "stance")}
    assert {seat: (note.body["says"], note.body["condition"]) for seat, note in found.items()} == {
        "pro": pro,
        "con": con,
    }


def test_a_stance_is_noted_by_the_rules_beside_its_closing():
    told = [(n.by, n.about[0].turn_id, n.body["why"]) for n in notes(debate(), "stance")]
    assert told == [("rules", "r3.t0", "nothing moved it"), ("rules", "r3.t1", "nothing moved it")]


# -- what nobody rebutted ----------------------------------------------------------------


def unrebutted(**changes):
    return debate(**changes).proceedings.result["unrebutted"]


def test_what_met_an_objection_is_not_unrebutted():
    assert unrebutted() == []


def test_what_was_conceded_in_cross_examination_is_unrebutted():
    some = (response("PRO-1", "concede"), response("PRO-2"), response("PRO-3", "partial"))
    assert unrebutted(con_cross_examination=CrossExamination(responses=some)) == ["PRO-1"]


@pytest.mark.parametrize(("extent", "found"), [("all", ["PRO-2"]), ("the core", []), ("one point", [])])
def test_what_was_objected_to_is_unrebutted_once_all_of_it_is_conceded(extent, found):
    assert unrebutted(con_closing=closing(*CON, concessions=(conceding("PRO-2", extent),))) == found


def test_what_the_other_side_never_spoke_to_is_unrebutted():
    assert unrebutted(con_cross_examination=["no"] * 3, pro_closing=closing()) == [*PRO]


def test_what_its_author_withdrew_is_not_unrebutted():
    end = closing(withdrawals=(withdrawing("PRO-2"),))
    assert unrebutted(con_cross_examination=["no"] * 3, pro_closing=end) == ["PRO-1", "PRO-3"]


def test_both_sides_can_have_arguments_that_nobody_rebutted():
    conceded = {"pro_cross_examination": cross(*CON, kind="concede")}
    ends = {"con_closing": closing(*CON, concessions=(conceding("PRO-3"),))}
    assert unrebutted(**conceded, **ends) == ["PRO-3", *CON]


def test_without_closings_only_cross_examination_decides():
    gone = {"pro_closing": SeatFailed("gone"), "con_closing": SeatFailed("gone")}
    some = (response("CON-1"), response("CON-2", "concede"), response("CON-3"))
    assert unrebutted(pro_cross_examination=CrossExamination(responses=some), **gone) == ["CON-2"]
