"""Objections to a document: quoted, checked against its words, and a verdict that follows from those that hold."""

import pytest
from inline_snapshot import snapshot

from hustings.errors import SeatFailed
from hustings.judging.arguments import argued
from hustings.judging.support import bases
from hustings.llm.improviser import Improviser
from hustings.protocols.critique import (
    CriticReport,
    DocumentObjection,
    ObjectionReply,
    ObjectionRuling,
    Replies,
    Rulings,
)
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.background import Background
from hustings.script.citing import citations_of
from hustings.script.documents import DocumentText, laid_down
from hustings.script.prompt import prompt_of

from .playing import TOPIC, labels, notes, play, turns, with_words

PLAN = (
    "Buses first\n\nThe centre closes to cars on 1 May. Buses run every ten minutes from then on.\n"
    "The cost is paid from the parking fees."
)
CLOSES, BUSES, COST = "closes to cars on 1 May", "Buses run every ten minutes", "is paid from the parking fees"


# -- a critique with given words -----------------------------------------------------------


def objection(name, quote=CLOSES, severity="serious", **changes):
    usual = {
        "reasoning": "The fees end with the cars. Nothing else is named that would pay for it.",
        "claim": f"This is the fault of {name}, and it is plain.",
        "check": "Look at the last sentence.",
        "change": f"Change what {name} is about.",
    }
    return DocumentObjection(id=name, quote=quote, severity=severity, **{**usual, **changes})


def critique(*objections, recommend="revise"):
    return CriticReport(checked="The dates agree with each other.", objections=objections, recommend=recommend)


def ruling(about, finding="holds", severity="serious", quote=COST):
    says = "The objection says that the money ends. The document names nothing else."
    return ObjectionRuling(about=about, quote=quote, reasoning=says, finding=finding, severity=severity)


def rulings(*given):
    return Rulings(rulings=given)


def reply(target, kind="partial", quote=BUSES, change=""):
    says = "It is right about the money, and wrong about the buses."
    return ObjectionReply(target=target, quote=quote, reasoning=says, kind=kind, change=change)


def replies(*given, recommend="revise"):
    return Replies(replies=given, why="The money is not there.", recommend=recommend)


SOUND = {
    "critic_a critique": critique(objection("A-1")),
    "critic_b critique": critique(objection("B-1", BUSES, "minor")),
    "judge ruling": rulings(ruling("A-1"), ruling("B-1", severity="minor")),
    "advocate reply": replies(reply("A-1"), reply("B-1", "concede", "", "Say who drives.")),
}


def on_a_plan(lines, *, retries=None, seed=0, **settings):
    debate = plan(find_protocol("critique"), "Is the plan sound?", settings=settings, retries=retries)
    debate = debate.model_copy(update={"background": Background(title="Buses first", text=PLAN)})
    return rehearse(debate, with_words(lines, seed))


def debate(*, retries=None, settings=None, **changes):
    """A critique whose every word is given; `judge=` and the like take the place of the usual one."""
    briefs = {"judge": "judge ruling", "advocate": "advocate reply"}
    named = {briefs.get(name, f"{name} critique"): line for name, line in changes.items()}
    return on_a_plan({**SOUND, **named}, retries=retries, **(settings or {}))


def result(played):
    return played.proceedings.result


def verdict(**changes):
    found = result(debate(**changes))
    return found["verdict"], found["why"]


def states(played):
    return {one["id"]: (one["state"], one["severity"]) for one in result(played)["objections"]}


def sent_back(played):
    return [c for e in played.events if e.kind == "attempt_rejected" for c in e.complaints]


# -- the rounds ----------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"reply": True}, {"critics": 1}], ids=str)
def test_the_choreography(settings):
    assert (
        play("critique", **settings).choreography
        == {
            "{}": [["000.0 critic_a critique", "000.1 critic_b critique"], ["001.0 judge ruling"]],
            "{'reply': True}": [
                ["000.0 critic_a critique", "000.1 critic_b critique"],
                ["001.0 advocate reply"],
                ["002.0 judge ruling"],
            ],
            "{'critics': 1}": [["000.0 critic_a critique"], ["001.0 advocate reply"], ["002.0 judge ruling"]],
        }[str(settings)]
    )


def test_critics_are_blind_to_each_other_and_the_judge_reads_both():
    played = debate()
    calls = {str(call.seat): call for wave in played.waves for call in wave}
    assert [t.speaker_id for t in calls["critic_b"].knowledge.turns] == []
    assert [t.speaker_id for t in calls["judge"].knowledge.turns] == ["critic_a", "critic_b"]


def test_the_judge_rules_off_the_record():
    played = debate()
    assert labels(played) == ["critique"]
    assert {turn.speaker_id for turn in turns(played)} == {"critic_a", "critic_b"}
    assert len(notes(played, "ruling")) == 1


def test_nobody_is_told_how_grave_a_critic_finds_an_objection():
    said = turns(debate(settings={"reply": True}))[0].said
    assert "A-1" in said
    assert "serious" not in said


def test_a_document_without_a_fault_needs_no_judge():
    played = debate(critic_a=critique(recommend="accept"), critic_b=critique(recommend="accept"))
    assert played.choreography == [["000.0 critic_a critique", "000.1 critic_b critique"]]
    assert result(played)["verdict"] == "accept"


# -- quotes ----------------------------------------------------------------------------------


def test_given_words_are_taken_as_they_are():
    assert sent_back(debate(settings={"reply": True})) == []


def test_a_false_quote_goes_back_and_then_its_objection_is_put_aside():
    false = critique(objection("A-1", "closes to cars on 1 June for ever", "fatal"))
    played = debate(critic_a=false, judge=rulings(ruling("B-1", severity="minor")))
    assert len(sent_back(played)) == 2
    assert states(played) == {"A-1": ("put aside", "fatal"), "B-1": ("holds", "minor")}
    assert result(played)["verdict"] == "accept"


def test_quotes_of_the_document_are_noted_as_citations_and_arguments_rest_on_them():
    false = critique(objection("A-1", "closes to cars on 1 June for ever", "fatal"))
    played = debate(critic_a=false)
    noted = [(one.named, one.accepted) for each in citations_of(played.proceedings.notes).values() for one in each]
    assert noted == [("DOC-1", False), ("DOC-1", True)]
    said = {turn.turn_id: turn for turn in turns(played)}
    resting = bases(argued(played.proceedings).claims, said, played.proceedings.notes)
    assert resting == {"A-1": "false quote", "B-1": "cited"}


def test_a_ruling_that_rests_on_other_words_counts_for_nothing():
    made_up = ruling("A-1", quote="paid from a fund that the document never names")
    played = debate(judge=rulings(made_up, ruling("B-1", severity="minor")))
    assert states(played)["A-1"] == ("open", "serious")
    assert result(played)["verdict"] is None


def test_a_further_document_may_be_quoted_too():
    further, texts = laid_down([DocumentText(title="Fees", text="The fees were 400 euros a day last year.")])
    made = plan(find_protocol("critique"), TOPIC).model_copy(update={"documents": further})
    quoted = critique(objection("A-1", "400 euros a day last year"))
    played = rehearse(made, with_words({"critic_a critique": quoted}), texts=texts)
    assert {one["id"]: one["state"] for one in result(played)["objections"]}["A-1"] != "put aside"


def test_without_a_document_the_question_is_what_is_criticised():
    played = play("critique", with_words({"critic_a critique": critique(objection("A-1", "close its centre to cars"))}))
    assert {one["id"]: one["state"] for one in result(played)["objections"]}["A-1"] != "put aside"


# -- rules of the forms ------------------------------------------------------------------------


def test_objections_are_numbered_in_order():
    wrong = critique(objection("A-2"))
    assert "number the objections from 1 to 1" in sent_back(debate(critic_a=[wrong, SOUND["critic_a critique"]]))[0]


def test_a_critic_has_a_limit():
    many = critique(objection("A-1"), objection("A-2", BUSES))
    complaints = sent_back(debate(critic_a=[many, SOUND["critic_a critique"]], settings={"objections": 1}))
    assert "raise 1 objections or fewer" in complaints


def test_the_advocate_answers_each_objection_once():
    half = replies(reply("A-1"))
    played = debate(advocate=[half, SOUND["advocate reply"]], settings={"reply": True})
    assert "B-1 is not answered" in sent_back(played)


def test_the_judge_is_asked_once_more_for_what_it_left_out():
    played = debate(judge=[rulings(ruling("A-1")), SOUND["judge ruling"]])
    assert "B-1 is not checked" in sent_back(played)
    assert result(played)["verdict"] == "revise"


def test_without_retries_an_id_counts_once_and_an_unknown_one_is_linked_to_nobody():
    twice = critique(objection("A-1"), objection("A-1", BUSES, "fatal"))
    stray = replies(reply("A-1"), reply("A-9"))
    played = debate(critic_a=twice, advocate=stray, retries=0, settings={"reply": True})
    assert [one["id"] for one in result(played)["objections"]] == ["A-1", "B-1"]
    assert [edge.target_claim_id for edge in turns(played)[-1].addresses] == ["A-1"]


# -- the verdict ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("grave", "finding", "expected"),
    [
        ("fatal", "holds", ("reject", "A verified objection is fatal: A-1.")),
        ("serious", "partly", ("revise", "A verified objection is serious: A-1.")),
        ("minor", "holds", ("accept", "No verified objection is serious. Minor ones hold: A-1, B-1.")),
        ("fatal", "fails", ("accept", "No verified objection is serious. Minor ones hold: B-1.")),
    ],
)
def test_it_follows_from_the_gravest_objection_that_holds(grave, finding, expected):
    assert verdict(judge=rulings(ruling("A-1", finding, grave), ruling("B-1", severity="minor"))) == expected


def test_all_that_led_to_it_are_named():
    both = rulings(ruling("A-1"), ruling("B-1"))
    assert verdict(judge=both) == ("revise", "Verified objections are serious: A-1, B-1.")


def test_without_a_ruling_there_is_none():
    assert verdict(judge=SeatFailed("the judge left")) == (
        None,
        "The judge gave no usable ruling on A-1, B-1, which could make it “revise”.",
    )


def test_a_missing_ruling_that_changes_nothing_leaves_it_as_it_is():
    assert verdict(judge=rulings(ruling("A-1")))[0] == "revise"


def test_without_any_critic_there_is_none():
    gone = SeatFailed("left")
    found = result(debate(critic_a=gone, critic_b=gone))
    assert (found["verdict"], found["why"]) == (None, "No critic gave a usable answer.")
    assert found["silent"] == ["Critic A", "Critic B"]


def test_one_critic_is_enough_and_the_other_is_named():
    found = result(debate(critic_b=SeatFailed("left"), judge=rulings(ruling("A-1"))))
    assert (found["verdict"], found["silent"]) == ("revise", ["Critic B"])


# -- what is left of it --------------------------------------------------------------------------


def test_an_objection_keeps_what_was_said_to_it():
    found = result(debate(settings={"reply": True}))["objections"]
    assert found[1] == snapshot(
        {
            "id": "B-1",
            "by": "critic_b",
            "claim": "This is the fault of B-1, and it is plain.",
            "quote": "Buses run every ten minutes",
            "state": "holds",
            "severity": "minor",
            "ruling": "The objection says that the money ends. The document names nothing else.",
            "ruling_quote": "is paid from the parking fees",
            "reply": "[B-1] concede: It is right about the money, and wrong about the buses. Change: Say who drives.",
            "change": "Change what B-1 is about.",
        }
    )


def test_an_answer_leads_to_its_objection():
    edges = turns(debate(settings={"reply": True}))[-1].addresses
    assert [(e.target_agent_id, e.target_claim_id, e.move) for e in edges] == [
        ("critic_a", "A-1", "partial"),
        ("critic_b", "B-1", "concede"),
    ]


@pytest.mark.parametrize(
    ("recommend", "says", "condition"),
    [("accept", "yes", ""), ("revise", "yes", "Change what A-1 is about"), ("reject", "no", "")],
)
def test_a_critic_s_recommendation_is_its_answer_to_the_question(recommend, says, condition):
    played = debate(critic_a=critique(objection("A-1"), recommend=recommend))
    stance = notes(played, "stance")[0].body
    assert (stance["seat"], stance["says"], stance["condition"]) == ("critic_a", says, condition)


def test_the_advocate_says_where_it_stands_now():
    stance = notes(debate(settings={"reply": True}), "stance")[-1].body
    assert (stance["seat"], stance["says"], stance["condition"]) == ("advocate", "yes", "Say who drives")


def test_each_critic_looks_elsewhere_first():
    duties = [seat.duty for seat in play("critique").debate.seats if seat.role == "critic"]
    assert len({*duties}) == 2


def test_the_judge_is_told_to_check_and_not_to_sum_up():
    played = debate()
    call = played.waves[-1][0]
    tail = prompt_of(call, played.debate.cast["judge"]).tail
    assert "Check each objection exactly once against the document. Do not sum up." in tail
    assert "about: one of A-1, B-1" in tail


@pytest.mark.parametrize("seed", range(8))
def test_the_improviser_quotes_the_document(seed):
    assert sent_back(on_a_plan({}, seed=seed, reply=True)) == []


def test_the_improviser_quotes_a_further_document_where_there_is_no_first():
    further, texts = laid_down([DocumentText(title="Fees", text="The fees were 400 euros a day last year.")])
    made = plan(find_protocol("critique"), TOPIC).model_copy(update={"documents": further})
    played = rehearse(made, Improviser(), texts=texts)
    assert not any(one["state"] == "put aside" for one in result(played)["objections"])
