"""Lenses, routed questions, and a docket that is counted. The docket's own laws: tests/script/test_docket.py."""

import json

import pytest

from hustings.errors import SeatFailed

from .playing import labels, notes, play, with_words

PANEL = ["Mia: engineer", "Tom: life coach", "Zoe: investor"]
NO_ISSUES = {"agreements": ["buses are good"], "issues": []}
NOT_SAID = "nobody has ever said this"


def first_words(turn):
    return turn.said.partition(". ")[0]


def agenda(call):
    """Two issues between the first three panelists, each quoted word for word."""
    said = {t.speaker_id: first_words(t) for t in call.knowledge.turns}
    sides = [
        {"seat": seat, "says": says, "quote": quote}
        for (seat, quote), says in zip(said.items(), ("yes", "no", "yes"), strict=True)
    ]
    issues = [
        {"id": "D-1", "question": "Do buses suffice?", "sides": sides[:2]},
        {"id": "D-2", "question": "Would the town pay for it?", "sides": sides[1:3]},
    ]
    return json.dumps({"agreements": [], "issues": issues})


def route(call, issue, seat, question="How do you know that it is so?"):
    quote = first_words(next(turn for turn in call.knowledge.turns if turn.speaker_id != seat))
    return {"issue": issue, "seat": seat, "quote": quote, "question": question}


def routed(*target, **changes):
    return lambda call: json.dumps({**route(call, *target), **changes})


def last_words(call):
    return first_words(call.knowledge.turns[-1])


def reading(stance, issue="", seat="", **changes):
    """The moderator's reading of the last answer, and where to go next: nowhere, if no issue is named."""

    def line(call):
        following = route(call, issue, seat) if issue else None
        usual = {"quote": last_words(call), "stance": stance, "now": "between", "between": "", "same_as": None}
        rest = {"news": "", "opens": [], "overtakes": [], "next": following}
        changed = {name: value(call) if callable(value) else value for name, value in changes.items()}
        return json.dumps({**usual, **rest, **changed})

    return line


def side(call, seat, says, quote=""):
    turn = next(t for t in call.knowledge.turns if t.speaker_id == seat)
    return {"seat": seat, "says": says, "quote": quote or first_words(turn)}


def opened(*sides):
    """A new issue between these seats, each with what it says, and its words if they are not its own."""
    return lambda call: [{"question": "Would trams do as well?", "sides": [side(call, *each) for each in sides]}]


def debate(*readings, lines=None, **settings):
    """The first question goes to p1 about D-1; `lines` are further words, by seat and brief."""
    given = {
        "moderator agenda": agenda,
        "moderator routing": [routed("D-1", "p1")],
        "moderator reading": [*readings, *[reading("holds", "D-1", "p2", news=last_words)] * 20],
    }
    return play("moderated", with_words({**given, **(lines or {})}), panel=PANEL, **settings)


def complaints(played):
    return [complaint for e in played.events if e.kind == "attempt_rejected" for complaint in e.complaints]


def result(played):
    return played.proceedings.result


def states(played):
    return {issue: body["state"] for issue, body in result(played)["issues"].items()}


def calls(played, brief):
    return [call for wave in played.waves for call in wave if call.brief.name == brief]


# -- the course of it ----------------------------------------------------------------------


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


def test_given_readings_are_taken_as_they_are():
    assert complaints(debate()) == []


def test_the_question_stands_on_the_record_and_addresses_whom_it_asks():
    asked = debate(max_exchanges=1).proceedings.transcript.rounds[1].turns
    assert [(t.speaker_id, t.turn_type, t.addresses[0].target_agent_id, t.addresses[0].move) for t in asked] == [
        ("moderator", "meta", "p1", "question"),
        ("p1", "rebuttal", "moderator", "answer"),
    ]


def test_fifteen_exchanges_are_the_most():
    played = debate()
    assert (result(played)["exchanges"], result(played)["status"]) == (15, "open")


def test_it_stops_when_the_moderator_has_nothing_left_to_ask():
    played = debate(reading("holds"))
    assert (result(played)["exchanges"], result(played)["status"]) == (1, "open")


def test_one_voice_is_no_debate():
    gone = {f"p{n} opening": [SeatFailed("gone")] for n in (1, 2)}
    played = play("moderated", with_words(gone), panel=PANEL)
    assert (played.proceedings.ending.kind, played.proceedings.ending.code) == ("failed", "SeatFailed")


# -- how it ends ---------------------------------------------------------------------------


def test_it_stops_as_soon_as_all_issues_have_converged():
    played = debate(reading("gives_in", "D-2", "p2"), reading("gives_in", "D-2", "p3"))
    assert (result(played)["status"], result(played)["exchanges"]) == ("converged", 2)


def test_the_result_tells_the_answer_of_each_issue_and_who_moved():
    played = debate(reading("gives_in", "D-2", "p2"), reading("gives_in", "D-2", "p3"))
    assert result(played)["issues"] == {
        "D-1": {"state": "converged", "answer": "no", "says": {"p1": "no", "p2": "no"}, "moved": ["p1"]},
        "D-2": {"state": "converged", "answer": "yes", "says": {"p2": "yes", "p3": "yes"}, "moved": ["p2"]},
    }


def test_two_who_come_to_the_same_answer_in_between_have_converged():
    played = debate(
        reading("narrows", "D-1", "p2", between="on weekends only"),
        reading("narrows", between="saturdays and sundays", same_as="p1"),
    )
    assert result(played)["issues"]["D-1"] == {
        "state": "converged",
        "answer": "on weekends only",
        "says": {"p1": "on weekends only", "p2": "on weekends only"},
        "moved": ["p1", "p2"],
    }


def test_an_issue_on_which_both_hold_and_owe_nothing_is_deadlocked():
    played = debate(
        reading("holds", "D-1", "p2"),
        reading("holds", "D-2", "p3"),
        reading("holds", "D-2", "p2"),
        reading("holds", "D-2", "p3"),
    )
    assert (result(played)["status"], result(played)["exchanges"]) == ("deadlocked", 4)


def test_some_of_each_is_partly_converged():
    played = debate(reading("gives_in", "D-2", "p2"), reading("holds", "D-2", "p3"), reading("holds", "D-2", "p2"))
    assert result(played)["status"] == "partially converged"


def test_something_new_must_be_answered_before_it_may_stop():
    played = debate(
        reading("holds", "D-1", "p2", news=last_words),
        reading("holds", "D-2", "p2", news=last_words),
        reading("gives_in", "D-1", "p1"),
        reading("holds"),
    )
    assert [note.body["D-1"]["state"] for note in notes(played, "docket")] == ["open", "open", "open", "deadlocked"]


def test_an_answer_can_give_in_and_bring_news():
    played = debate(reading("gives_in", "D-1", "p2", news=last_words), reading("holds"))
    told = calls(played, "reading")[1].brief.text
    assert "D-1 converged (p1 no, p2 no and owes an answer)" in told


def test_an_issue_that_is_settled_can_be_taken_up_again():
    played = debate(
        reading("gives_in", "D-1", "p2"),
        reading("narrows", between="on weekends only"),
    )
    assert [note.body["D-1"]["state"] for note in notes(played, "docket")] == ["converged", "open"]


def test_an_issue_can_be_opened_later():
    played = debate(reading("holds", opens=opened(("p1", "yes"), ("p3", "no"))))
    assert result(played)["issues"]["D-3"] == {
        "state": "open",
        "answer": "",
        "says": {"p1": "yes", "p3": "no"},
        "moved": [],
    }


def test_an_issue_that_was_opened_later_can_be_asked_about():
    played = debate(
        reading("gives_in", "D-2", "p2", opens=opened(("p1", "yes"), ("p3", "no"))),
        reading("gives_in", "D-3", "p3"),
        reading("gives_in"),
    )
    assert (states(played)["D-3"], complaints(played)) == ("converged", [])


def test_an_issue_can_be_overtaken_by_an_alternative():
    played = debate(reading("holds", overtakes=[{"issue": "D-2", "alternative": "a free bus for all"}]))
    body = result(played)["issues"]["D-2"]
    assert (body["state"], body["answer"]) == ("overtaken", "a free bus for all")


def test_the_docket_is_noted_after_every_reading():
    played = debate(reading("gives_in", "D-2", "p2"), reading("holds", "D-2", "p3"), max_exchanges=2)
    dockets = [{issue: body["state"] for issue, body in note.body.items()} for note in notes(played, "docket")]
    assert dockets == [{"D-1": "converged", "D-2": "open"}] * 2


def test_no_words_of_a_speaker_come_into_what_the_moderator_is_told():
    played = debate(
        reading("narrows", "D-1", "p2", between="on weekends only"),
        reading("holds", overtakes=[{"issue": "D-2", "alternative": "a free bus for all"}]),
    )
    assert [call.brief.text.rpartition(": ")[2] for call in calls(played, "reading")] == [
        "D-1 open (p1 yes, p2 no); D-2 open (p2 no, p3 yes).",
        "D-1 open (p1 between, p2 no and owes an answer); D-2 open (p2 no, p3 yes).",
    ]


# -- when all agree ------------------------------------------------------------------------


def test_when_all_agree_the_contrarian_speaks_against():
    played = play("moderated", with_words({"moderator agenda": [json.dumps(NO_ISSUES), agenda]}), panel=PANEL)
    assert labels(played)[:2] == ["openings", "devil's advocate"]
    contrarian = next(p.agent_id for p in played.proceedings.transcript.participants if p.role == "contrarian")
    assert played.proceedings.transcript.rounds[1].turns[0].speaker_id == contrarian


def test_agreement_that_survives_the_devils_advocate_is_convergence():
    played = play("moderated", with_words({"moderator agenda": lambda call: json.dumps(NO_ISSUES)}))
    assert (result(played)["status"], result(played)["exchanges"]) == ("converged", 0)


# -- answers of the moderator that go back -------------------------------------------------


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (lambda text: text.replace('"quote": "', '"quote": "never said by anybody here '), "quote word for word"),
        (lambda text: text.replace("D-2", "D-1"), "an id of its own"),
        (lambda text: text.replace('"seat": "p1"', '"seat": "p9"'), "'p9' is none of the seats"),
        (lambda text: text.replace('"no"', '"yes"'), "seats that answer it differently"),
        (lambda text: text.replace('"p2"', '"p1"'), "no seat twice"),
    ],
)
def test_an_agenda_that_misquotes_or_misnames_goes_back(broken, complaint):
    lines = {"moderator agenda": [lambda call: broken(agenda(call)), agenda]}
    played = play("moderated", with_words(lines), panel=PANEL)
    rejected = [e for e in played.events if e.kind == "attempt_rejected"]
    assert any(complaint in line for line in rejected[0].complaints)


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ({"question": "word " * 76}, "the question has 76 words; 75 is the most"),
        ({"quote": NOT_SAID}, f"not found in the text: {NOT_SAID!r}; quote word for word"),
    ],
)
def test_a_first_question_that_is_long_or_misquotes_goes_back(broken, complaint):
    routing = [routed("D-1", "p1", **broken), routed("D-1", "p1")]
    assert complaints(debate(reading("holds"), lines={"moderator routing": routing})) == [complaint]


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ({"quote": NOT_SAID}, f"not found in the text: {NOT_SAID!r}; quote word for word"),
        ({"news": NOT_SAID}, f"not found in the text: {NOT_SAID!r}; quote word for word"),
        (
            {"next": lambda call: {**route(call, "D-1", "p2"), "quote": NOT_SAID}},
            f"not found in the text: {NOT_SAID!r}",
        ),
        ({"next": lambda call: route(call, "D-1", "p2", "word " * 76)}, "the question has 76 words; 75 is the most"),
        ({"next": lambda call: route(call, "D-9", "p2")}, "'D-9' is none of the issues you may name: D-1, D-2"),
        ({"opens": opened(("p1", "yes"), ("p3", "yes"))}, "it needs seats that answer it differently"),
        ({"opens": opened(("p1", "yes"), ("p1", "no"))}, "and no seat twice"),
        ({"opens": opened(("p1", "Trams."), ("p3", "trams"))}, "it needs seats that answer it differently"),
        ({"now": "A"}, "'A' is none of the answers you may name: yes, no, between"),
        (
            {"opens": opened(("p1", "yes"), ("p3", "no", NOT_SAID))},
            f"not found in the text: {NOT_SAID!r}; quote word for word",
        ),
        ({"same_as": "p9"}, "'p9' is none of the seats you may name"),
        ({"overtakes": [{"issue": "D-9", "alternative": "a free bus"}]}, "'D-9' is none of the issues you may name"),
    ],
)
def test_a_reading_that_misquotes_or_misnames_goes_back(broken, complaint):
    found = complaints(debate(reading("narrows", **broken), reading("holds")))
    assert len(found) == 1
    assert complaint in found[0]


# -- seats that fail -----------------------------------------------------------------------


def test_a_panelist_who_does_not_answer_is_passed_over():
    played = debate(lines={"p1 answer": [SeatFailed("p1 left")]})
    assert calls(played, "routing")[1].brief.choices["seat"] == ("p2", "p3")


def test_an_exchange_without_an_answer_counts():
    played = debate(lines={"p1 answer": [SeatFailed("p1 left")]}, max_exchanges=1)
    assert (result(played)["exchanges"], states(played)) == (1, {"D-1": "open", "D-2": "open"})


def test_a_moderator_who_stops_reading_leaves_the_docket_as_it_stood():
    played = debate(*["no"] * 4)
    assert (played.proceedings.ending.kind, result(played)["status"]) == ("played", "open")


def test_a_moderator_who_asks_nothing_leaves_the_docket_as_it_stood():
    played = debate(lines={"moderator routing": lambda call: "no"})
    assert (result(played)["exchanges"], result(played)["status"]) == (0, "open")


def test_a_debate_that_nobody_sums_up_has_a_result_all_the_same():
    played = debate(reading("holds"), lines={"moderator synthesis": lambda call: "no"})
    assert (result(played)["synthesis"], result(played)["exchanges"]) == (None, 1)


# -- disputes beyond yes and no ------------------------------------------------------------


def test_an_issue_can_be_about_options():
    played = debate(
        reading("holds", "D-1", "p2", opens=opened(("p1", "trams"), ("p3", "a metro"))),
        reading("holds"),
    )
    assert result(played)["issues"]["D-3"]["says"] == {"p1": "trams", "p3": "a metro"}
    assert "D-3 open (p1 A, p3 B)" in calls(played, "reading")[1].brief.text


def test_an_issue_about_options_can_be_settled():
    played = debate(
        reading("gives_in", "D-2", "p2", opens=opened(("p1", "trams"), ("p3", "a metro"))),
        reading("gives_in", "D-3", "p3"),
        reading("gives_in", now="A"),
    )
    assert (result(played)["issues"]["D-3"]["answer"], complaints(played)) == ("trams", [])


# -- what the panel is told ------------------------------------------------------------------


def questions(played):
    return [t for t in played.proceedings.transcript.turns if t.metadata.kind == "question"]


def test_who_only_restates_is_told_so_before_all():
    played = debate(reading("holds", "D-1", "p2"), reading("holds", news=last_words))
    first, second = (turn.said for turn in questions(played))
    assert "restated" not in first
    assert second.startswith("Mia, engineer has restated an answer that was known. Tom, life coach, Mia, engineer said")


def test_who_brings_something_new_is_not_said_to_restate():
    played = debate(reading("holds", "D-1", "p2", news=last_words), reading("holds"))
    assert "restated" not in questions(played)[1].said
