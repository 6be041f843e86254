"""A run in words, line by line: what happened beside the speeches, and nothing that was not meant for all."""

import pytest

from hustings.cli.narrate import Narrator
from hustings.transcript.events import AttemptRejected, NoteTaken, PenaltyGiven
from hustings.transcript.models import Attempt
from hustings.transcript.notes import Note

from .display.scenes import PROTOCOLS, context

ATTEMPT = Attempt(attempt_index=0, timestamp="", status="retry", content="x")


def told(*events, teller=None):
    teller = teller or Narrator()
    return [line.text for event in events for line in teller.tell(event)]


def note(kind, body, by="rules", visible_to=()):
    return Note(note_id="n0", kind=kind, by=by, created_at="", body=body, visible_to=visible_to)


def test_whoever_is_sent_back_is_told_with_the_reasons():
    event = AttemptRejected(
        address="a", seat="con", brief="opening", on_record=True, attempt=ATTEMPT, complaints=("too long", "no quote")
    )
    assert told(event) == ["  con: retrying: too long; no quote"]


def test_a_penalty_says_whom_it_costs_what_and_why():
    facts = {"rule": "overtime", "seat": "con_2", "team": "con", "words": 140, "allowed": 125}
    event = PenaltyGiven(note=note("penalty", {**facts, "individual": -2, "on_team": -3}))
    assert told(event) == [
        "  penalty: -2 con_2, -3 team con; con_2 went over the word limit, 140 words of 125",
    ]


def test_what_one_judge_flags_is_said_to_be_no_more_than_that():
    event = NoteTaken(note=note("violation", {"rule": "off_topic", "seat": "pro_1", "provisional": True}))
    assert told(event) == ["  pro_1 left the motion (one judge says so)"]


@pytest.mark.parametrize(
    ("kind", "body", "line"),
    [
        ("docket", {"D-1": "converged", "D-2": "deadlocked"}, "  issues: D-1 converged, D-2 deadlocked"),
        (
            "blind",
            {"voice": "voice_1", "answer": "no", "confidence": 70},
            "  Without debate: no (voice_1, 70% sure)",
        ),
        (
            "marks",
            {"judge": "judge_2", "order": 0, "sheet": 4, "rubric": "argument", "shown": ["PRO-1"]},
            "  judge_2 scored 1 by argument (reading 5, order 1)",
        ),
        ("unparsed", {"seat": "con", "why": "truncated"}, "  con: the answer was cut off before its end"),
    ],
)
def test_what_code_concludes_is_told(kind, body, line):
    assert told(NoteTaken(note=note(kind, body))) == [line]


TRUE = {"named": "DOC-2", "quote": "we did not try that", "verdict": "verbatim", "why": ""}
FALSE = {"named": "DOC-2", "quote": "we did try that", "verdict": "altered", "why": "leaves out 'not'"}


def test_a_false_quote_is_told_where_it_was_spoken_as_a_warning():
    lines = list(Narrator().tell(NoteTaken(note=note("citations", {"each": [TRUE, FALSE]}))))
    assert [(line.text, line.look) for line in lines] == [
        ("  quotes: 1 of 2 found in the documents", "aside"),
        ("  false quote, DOC-2: “we did try that” leaves out 'not'", "warning"),
    ]


@pytest.mark.parametrize("body", [{}, {"each": "x"}, {"each": ["x", 7]}])
def test_a_note_about_quotes_that_tells_of_none_is_passed_over(body):
    assert told(NoteTaken(note=note("citations", body))) == []


def test_a_thought_that_not_all_may_read_is_told_to_nobody():
    teller = Narrator()
    teller.recall(context("adaptive")[0][:1])
    secret = note("ruling", {"summary": "secret"}, by="moderator", visible_to=("proponent",))
    assert told(NoteTaken(note=secret), teller=teller) == []


def test_a_thought_that_all_may_read_is_told_as_one():
    teller, events = Narrator(), context("adaptive")[0]
    teller.recall(events[:1])
    seats = [seat.agent_id for seat in events[0].header.participants]
    public = note("ruling", {"summary": "all of it"}, by="moderator", visible_to=seats)
    assert told(NoteTaken(note=public), teller=teller) == [
        "  MODERATOR tells everyone (ruling):",
        "    summary: all of it",
    ]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_who_goes_on_in_the_middle_tells_the_rest_as_if_all_had_been_told(protocol):
    events = context(protocol)[0]
    whole, again, middle = Narrator(), Narrator(), len(events) // 2
    rest = [told(event, teller=whole) for event in events][middle:]
    again.recall(events[:middle])
    assert [told(event, teller=again) for event in events[middle:]] == rest
