"""What a person is told about their seat follows from the record, by rule."""

import pytest

from hustings.errors import NotFound
from hustings.judging.advice import MOST, advice
from hustings.judging.arguments import argued, sides
from hustings.judging.dossier import Dossier
from hustings.judging.judgement import JudgedResponse, StrengthChange
from hustings.script.forms import OBJECTIONS
from tests.report.judged import traced

from .judgings import EVERY, debated, judgement_of

PLAYED = debated("structured").proceedings
FOUND = judgement_of("structured")
OPENINGS = {turn.speaker_id: turn.turn_id for turn in PLAYED.transcript.rounds[0].turns}
CLOSINGS = {turn.speaker_id: turn.turn_id for turn in PLAYED.transcript.rounds[-1].turns}


def made(claim_id, standing, strength, **more):
    seat = claim_id.split("-")[0].lower()
    return traced(claim_id, f"{claim_id} holds.", standing, strength, **{"turn_id": OPENINGS[seat], **more})


def said(name, kind, target, by, **more):
    usual = {"turn_id": OPENINGS[by], "attacks": kind not in {"concede", "support"}}
    return JudgedResponse(id=name, kind=kind, target=target, by=by, **{**usual, **more})


def hit(response, share):
    return StrengthChange(response=response, kind="challenge", by="con", share=share)


def told(seat, *trace, responses=()):
    """Of a debate in plain words, whose claims and responses the judgement alone knows."""
    found = FOUND.model_copy(update={"trace": trace, "responses": tuple(responses)})
    return advice(Dossier(proceedings=PLAYED.model_copy(update={"notes": ()}), judgement=found), seat)


def test_what_held_is_a_strength_and_the_strongest_stands_first():
    found = told(
        "pro", made("PRO-1", "partially_upheld", 0.5), made("PRO-2", "upheld", 0.9), made("PRO-3", "refuted", 0.1)
    )
    assert [line.split(":")[0] for line in found.strengths] == ["PRO-2 held up", "PRO-1 held up"]


def test_an_objection_that_took_something_from_the_others_is_a_strength():
    assert told("con", made("PRO-1", "refuted", 0.2, contributions=(hit("r", -0.24),))).strengths == (
        "Your challenge took 24 off the strength of PRO-1.",
    )


def test_an_answer_that_won_something_back_is_a_strength():
    won = StrengthChange(response="a", kind="answer", by="pro", share=0.13)
    assert told("pro", made("PRO-1", "refuted", 0.2, contributions=(won,))).strengths == (
        "Your answer gave PRO-1 back 13 of its strength.",
    )


@pytest.mark.parametrize(("kind", "share"), [("challenge", -0.01), ("concede", -0.4), ("challenge", 0.4)])
def test_what_did_nothing_or_gave_something_up_is_none(kind, share):
    part = StrengthChange(response="r", kind=kind, by="con", share=share)
    assert told("con", made("PRO-1", "uncertain", 0.5, contributions=(part,))).strengths == ()


def test_an_objection_that_nobody_answered_is_told_and_the_most_harmful_stands_first():
    trace = [made(f"PRO-{n}", "refuted", 0.2, contributions=(hit(f"c{n}", -n / 10),)) for n in (1, 2, 3)]
    trace += [made(f"CON-{n}", "upheld", 0.5) for n in (1, 2, 3)]
    replies = [said(f"c{n}", "challenge", f"PRO-{n}", "con", source=f"CON-{n}") for n in (1, 2, 3)]
    found = told("pro", *trace, responses=[*replies, said("a2", "refute", "CON-2", "pro", source="PRO-2")])
    assert found.unanswered == (
        "You never answered con's challenge of PRO-3.",
        "You never answered con's challenge of PRO-1.",
    )


def test_an_objection_in_the_last_word_could_not_be_answered():
    trace = [made("PRO-1", "refuted", 0.2), made("CON-1", "upheld", 0.5, turn_id=CLOSINGS["con"])]
    late = said("c1", "challenge", "PRO-1", "con", turn_id=CLOSINGS["con"], source="CON-1")
    assert told("pro", *trace, responses=[late]).unanswered == ()


def test_an_argument_that_was_never_spoken_to_is_missed_the_strongest_first():
    others = [made(f"CON-{n}", "upheld", n / 10) for n in (5, 9, 7)]
    reply = said("r", "refute", "CON-7", "pro", source="PRO-1")
    found = told("pro", made("PRO-1", "upheld", 0.5), *others, responses=[reply])
    assert found.missed == (
        "You never answered CON-9 by con: “CON-9 holds”. It ended upheld.",
        "You never answered CON-5 by con: “CON-5 holds”. It ended upheld.",
    )


def test_what_fell_anyway_and_what_came_too_late_is_not_missed():
    late = made("CON-2", "upheld", 0.9, turn_id=CLOSINGS["con"])
    assert told("pro", made("CON-1", "refuted", 0.1), late).missed == ()


def test_of_an_unjudged_debate_the_record_alone_is_told():
    found = advice(Dossier(proceedings=PLAYED), "pro")
    responses = argued(PLAYED).responses
    answered = {response.target for response in responses}
    left = [r for r in responses if r.seat == "con" and r.kind in OBJECTIONS and r.id not in answered]
    assert (found.strengths, len(found.unanswered)) == ((), len(left))


@pytest.mark.parametrize("seat", ["judge", "nobody", ""])
def test_whoever_did_not_speak_for_a_side_gets_no_advice(seat):
    with pytest.raises(NotFound, match="no seat"):
        advice(Dossier(proceedings=PLAYED), seat)


@pytest.mark.parametrize("protocol", EVERY)
def test_every_seat_of_every_protocol_is_told_whole_sentences_and_few_of_them(protocol):
    played = debated(protocol)
    dossier = Dossier(proceedings=played.proceedings, judgement=judgement_of(protocol))
    for seat in sides(played.proceedings.transcript):
        found = advice(dossier, seat)
        assert all(line[0].isupper() or line[0] == "r" for line in found.strengths)
        assert all(line.endswith(".") for line in (*found.strengths, *found.unanswered, *found.missed))
        assert (len(found.strengths) <= 2 * MOST, len(found.missed) <= MOST) == (True, True)
