"""Lenses, routed questions, and a docket that is counted."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.errors import SeatFailed
from hustings.protocols.moderated import Docket
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan

from .playing import TOPIC, labels, notes, play, with_words

PANEL = ["Mia: engineer", "Tom: life coach", "Zoe: investor"]
NO_ISSUES = {"agreements": ["buses are good"], "issues": []}


def agenda(call):
    """Two issues between the first three panelists, each quoted word for word."""
    said = {t.speaker_id: t.said[:40].rsplit(" ", 1)[0] for t in call.knowledge.turns}
    sides = [
        {"seat": seat, "says": says, "quote": quote}
        for (seat, quote), says in zip(said.items(), ("yes", "no", "yes"), strict=True)
    ]
    issues = [
        {"id": "D-1", "question": "Do buses suffice?", "sides": sides[:2]},
        {"id": "D-2", "question": "Who would pay for it?", "sides": sides[1:3]},
    ]
    return json.dumps({"agreements": [], "issues": issues})


def route(call, issue, seat, question="How do you know that it is so?"):
    quote = call.knowledge.turns[0].said[:30]
    return {"issue": issue, "seat": seat, "quote": quote, "question": question}


def routed(*target, **changes):
    return lambda call: json.dumps(route(call, *target, **changes))


def reading(verdict, issue, seat):
    """The moderator's reading of the last answer, and where to go next."""

    def line(call):
        quote = call.knowledge.turns[-1].said[:30]
        offered, next_issue = call.brief.choices["seat"], issue
        next_seat = seat if seat in offered else offered[0]
        return json.dumps({"verdict": verdict, "quote": quote, "next": route(call, next_issue, next_seat)})

    return line


def debate(*readings, first=("D-1", "p1"), **settings):
    lines = {
        "moderator agenda": agenda,
        "moderator routing": [routed(*first)],
        "moderator reading": list(readings) + [reading("new_insight", "D-1", "p2")] * 20,
    }
    return play("moderated", with_words(lines), panel=PANEL, **settings)


def test_openings_are_blind():
    assert play("moderated").proceedings.transcript.rounds[0].transcript_visibility == "isolated"


def test_the_choreography_of_an_exchange():
    waves = debate(max_exchanges=2).choreography
    assert [w[0][4:] for w in waves[1:]] == [
        "0 moderator agenda",
        "0 moderator routing",
        "0 p1 answer",
        "0 moderator reading",
        "0 p2 answer",
        "0 moderator reading",
        "0 moderator synthesis",
    ]


def test_the_question_stands_on_the_record_and_addresses_whom_it_asks():
    asked = debate(max_exchanges=1).proceedings.transcript.rounds[1].turns
    assert [(t.speaker_id, t.turn_type, t.addresses[0].target_agent_id, t.addresses[0].move) for t in asked] == [
        ("moderator", "meta", "p1", "question"),
        ("p1", "rebuttal", "moderator", "answer"),
    ]


def test_it_stops_when_all_is_settled_and_two_exchanges_brought_nothing_new():
    played = debate(reading("agreed", "D-2", "p2"), reading("agreed", "D-2", "p3"))
    result = played.proceedings.result
    assert (result["status"], result["exchanges"]) == ("converged", 2)
    assert result["issues"] == {"D-1": "converged", "D-2": "converged"}


def test_an_issue_on_which_both_only_repeat_themselves_is_deadlocked():
    played = debate(
        reading("restated", "D-1", "p2"),
        reading("restated", "D-2", "p3"),
        reading("restated", "D-2", "p2"),
        reading("restated", "D-2", "p3"),
    )
    assert played.proceedings.result["status"] == "deadlocked"


def test_some_of_each_is_partly_converged():
    played = debate(reading("agreed", "D-2", "p2"), reading("restated", "D-2", "p3"), reading("restated", "D-2", "p2"))
    assert played.proceedings.result["status"] == "partially converged"


def test_something_new_must_be_answered_before_it_may_stop():
    played = debate(
        reading("shifted", "D-1", "p2"),
        reading("restated", "D-1", "p1"),
        reading("restated", "D-2", "p2"),
        reading("agreed", "D-2", "p3"),
    )
    assert played.proceedings.result["exchanges"] == 4


def test_fifteen_exchanges_are_the_most():
    played = debate()
    assert (played.proceedings.result["exchanges"], played.proceedings.result["status"]) == (15, "open")


def test_the_docket_is_noted_after_every_reading():
    played = debate(reading("agreed", "D-2", "p2"), reading("restated", "D-2", "p3"), max_exchanges=2)
    dockets = [note.body for note in notes(played, "docket")]
    assert dockets == [{"D-1": "converged", "D-2": "open"}] * 2


def test_when_all_agree_the_contrarian_speaks_against():
    lines = {"moderator agenda": [json.dumps(NO_ISSUES), agenda]}

    def with_agenda(call):
        line = lines["moderator agenda"].pop(0) if call.brief.name == "agenda" else None
        return with_words({"moderator agenda": line})(call) if line else with_words({})(call)

    played = play("moderated", with_agenda, panel=PANEL)
    assert labels(played)[:2] == ["openings", "devil's advocate"]
    contrarian = next(p.agent_id for p in played.proceedings.transcript.participants if p.role == "contrarian")
    assert played.proceedings.transcript.rounds[1].turns[0].speaker_id == contrarian


def test_agreement_that_survives_the_devils_advocate_is_convergence():
    played = play("moderated", with_words({"moderator agenda": lambda call: json.dumps(NO_ISSUES)}))
    assert (played.proceedings.result["status"], played.proceedings.result["exchanges"]) == ("converged", 0)


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (lambda text: text.replace('"quote": "', '"quote": "never said by anybody here '), "quote word for word"),
        (lambda text: text.replace("D-2", "D-1"), "an id of its own"),
        (lambda text: text.replace('"seat": "p1"', '"seat": "p9"'), "'p9' is none of the seats"),
        (lambda text: text.replace('"no"', '"yes"'), "somebody who says yes, somebody who says no"),
        (lambda text: text.replace('"p2"', '"p1"'), "nobody twice"),
    ],
)
def test_an_agenda_that_misquotes_or_misnames_goes_back(broken, complaint):
    answers = [lambda call: broken(agenda(call)), agenda]

    def actor(call):
        return (
            with_words({"moderator agenda": answers.pop(0)})(call)
            if call.brief.name == "agenda"
            else with_words({})(call)
        )

    played = play("moderated", actor, panel=PANEL)
    rejected = [e for e in played.events if e.kind == "attempt_rejected"]
    assert any(complaint in line for line in rejected[0].complaints)


def test_a_question_of_more_than_75_words_goes_back():
    lines = {"moderator agenda": agenda}
    lines["moderator routing"] = [routed("D-1", "p1", question="word " * 76), routed("D-1", "p1")]
    played = play("moderated", with_words(lines), panel=PANEL)
    rejected = next(e for e in played.events if e.kind == "attempt_rejected")
    assert rejected.complaints == ("the question has 76 words; 75 is the most",)


def test_a_question_quotes_what_was_really_said():
    made_up = {"issue": "D-1", "seat": "p1", "quote": "nobody has ever said this", "question": "How do you know?"}
    lines = {"moderator agenda": agenda, "moderator routing": [json.dumps(made_up), routed("D-1", "p1")]}
    played = play("moderated", with_words(lines), panel=PANEL)
    rejected = next(e for e in played.events if e.kind == "attempt_rejected")
    assert "quote word for word" in rejected.complaints[0]


def test_nothing_is_asked_about_an_issue_that_has_just_been_settled():
    played = debate(reading("agreed", "D-1", "p2"), reading("agreed", "D-2", "p2"))
    rejected = next(e for e in played.events if e.kind == "attempt_rejected")
    assert rejected.complaints == ("D-1 is settled by this; ask about D-2",)


def test_a_panelist_who_does_not_answer_is_passed_over():
    lines = {"moderator agenda": agenda, "moderator routing": [routed("D-1", "p1")]}
    lines["p1 answer"] = [SeatFailed("p1 left")]
    played = play("moderated", with_words(lines), panel=PANEL)
    rerouted = [c for w in played.waves for c in w if c.brief.name == "routing"][1]
    assert rerouted.brief.choices["seat"] == ("p2", "p3")


def test_a_moderator_who_stops_reading_leaves_the_docket_as_it_stood():
    played = debate(*["no"] * 4)
    assert (played.proceedings.ending.kind, played.proceedings.result["status"]) == ("played", "open")


def test_one_model_spec_is_no_debate():
    gone = {f"p{n} opening": [SeatFailed("gone")] for n in (1, 2)}
    played = play("moderated", with_words(gone), panel=PANEL)
    assert (played.proceedings.ending.kind, played.proceedings.ending.code) == ("failed", "SeatFailed")


def test_a_panel_of_one_is_joined_by_somebody_who_doubts():
    roles = [seat.role for seat in plan(find_protocol("moderated"), TOPIC, settings={"panel": PANEL[:1]}).seats]
    assert roles == ["moderator", "panelist", "contrarian"]


def test_a_panel_that_has_a_doubter_gets_no_second_one():
    cast = plan(find_protocol("moderated"), TOPIC, settings={"panel": ["Mia: engineer", "Kim: sceptic"]}).cast
    assert [player.persona.count("Your lens:") for player in cast.values()] == [0, 1, 1]


# -- the docket's laws -------------------------------------------------------------------

VERDICTS = st.sampled_from(["agreed", "restated", "new_insight", "shifted"])
EXCHANGES = st.lists(st.tuples(st.sampled_from(["D-1", "D-2"]), st.sampled_from("abc"), VERDICTS), max_size=20)
START = Docket({"D-1": {"a": "yes", "b": "no"}, "D-2": {"b": "yes", "c": "no"}})


def after(exchanges):
    docket = START
    for issue, seat, verdict in exchanges:
        docket = docket.after(issue, seat, verdict)
    return docket


@given(EXCHANGES)
def test_a_settled_docket_has_nothing_open_and_two_quiet_exchanges(exchanges):
    docket = after(exchanges)
    if docket.settled:
        assert not docket.unsettled
        assert all(verdict in ("agreed", "restated") for _, _, verdict in exchanges[-2:])
        assert len(exchanges) >= 2


@given(EXCHANGES, st.sampled_from(["D-1", "D-2"]), st.sampled_from("abc"))
def test_something_new_always_keeps_the_debate_going(exchanges, issue, seat):
    assert not after(exchanges).after(issue, seat, "new_insight").settled


@given(EXCHANGES)
def test_what_happens_on_one_issue_does_not_move_the_other(exchanges):
    only = [row for row in exchanges if row[0] == "D-1"]
    assert after(exchanges).state("D-1") == after(only).state("D-1")


def test_three_agree_when_those_on_one_side_give_in():
    docket = Docket({"D-1": {"a": "yes", "b": "no", "c": "no"}})
    assert docket.after("D-1", "a", "agreed").state("D-1") == "converged"
    assert docket.after("D-1", "b", "agreed").state("D-1") == "open"


def test_a_seat_from_outside_can_neither_settle_nor_block_an_issue():
    docket = START.after("D-1", "c", "restated").after("D-1", "c", "agreed")
    assert docket.state("D-1") == "open"
    heard = START.after("D-1", "c", "new_insight")
    assert heard.waiting == {("D-1", "a"), ("D-1", "b")}
