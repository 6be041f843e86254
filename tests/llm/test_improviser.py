"""The improviser can answer whatever a script asks, and says the same at the same place."""

import json
from datetime import datetime
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from hustings.llm.improviser import Improviser, clock
from hustings.runs.registry import find_script, protocols, rubrics
from hustings.runs.staging import plan, rehearse
from hustings.script.attempts import not_offered
from hustings.script.calls import Call, DebateContext
from hustings.script.debate import Seat
from hustings.script.forms import Speech, marked, parse, schema_of
from hustings.script.moves import Brief
from hustings.script.rubric import sheet_of
from hustings.script.visibility import Knowledge
from hustings.text.words import count_words

TABLES = [
    ("adaptive", {"stakes": "critical"}),
    ("competition", {}),
    ("moderated", {}),
    ("roundtable", {}),
    ("roundtable", {"regime": "structured"}),
    ("structured", {}),
]
SEEDS = range(8)


@cache
def calls():
    """Every call of every protocol, for several seeds."""
    known = protocols()
    played = [
        (
            seed,
            rehearse(plan(known[name], "Should a town close its centre to cars?", settings=values), Improviser(seed)),
        )
        for name, values in TABLES
        for seed in SEEDS
    ]
    played += [(seed, judged(rehearsal, seed)) for seed, rehearsal in played if seed < 2]
    return [(seed, call) for seed, rehearsal in played for wave in rehearsal.waves for call in wave]


def judged(rehearsal, seed):
    debate = plan(find_script("judging"), "Whatever it was.", judged=rehearsal.proceedings, settings={"judges": 1})
    return rehearse(debate.model_copy(update={"rubric": rehearsal.debate.rubric}), Improviser(seed))


def answers():
    """The answers on a form, each with its call."""
    for seed, call in calls():
        if not call.brief.form.prose:
            yield call, parse(call.brief.form, Improviser(seed).words(call))


def asked(words=None, address="000.0 a speech"):
    brief = Brief("speech", Speech, "Speak.", words=words)
    seat = Seat("a")
    return Call(address, DebateContext("p", "t", "r", (seat,)), seat, brief, on_record=True, knowledge=Knowledge())


def test_every_protocol_is_among_the_tables():
    assert {name for name, _ in TABLES} == set(protocols())


def test_every_rubric_is_among_the_forms():
    forms = {call.brief.form for _, call in calls()}
    assert all(rubric in forms or sheet_of(rubric) in forms for rubric in rubrics().values())


def test_every_form_is_filled_in_by_its_schema():
    for seed, call in calls():
        if not call.brief.form.prose:
            Draft202012Validator(schema_of(call.brief.form)).validate(json.loads(Improviser(seed).words(call)))


def test_only_what_was_offered_is_chosen():
    assert [complaint for call, answer in answers() for complaint in not_offered(call.brief, answer)] == []


def test_only_what_was_said_is_quoted():
    for call, answer in answers():
        heard = [turn.said for turn in call.knowledge.turns]
        heard += [exhibit.words for group in call.brief.exhibits for exhibit in group]
        assert all(any(quote in words for words in heard) for _, quote in marked(answer, "x-quote")), call.address


def test_speeches_keep_their_allowance():
    for seed, call in calls():
        if call.brief.form.prose and call.brief.words:
            assert 1 <= count_words(Improviser(seed).words(call)) <= call.brief.words, call.address


@given(words=st.integers(1, 400), seed=st.integers())
def test_any_allowance_is_kept(words, seed):
    assert 1 <= count_words(Improviser(seed).words(asked(words))) <= words


@pytest.mark.parametrize("seed", range(10))
def test_no_closing_is_lost_however_little_may_be_said(seed):
    least = plan(protocols()["structured"], "Tea?", settings={"closing_words": 50, "answer_words": 20})
    assert all(turn.said for turn in rehearse(least, Improviser(seed)).proceedings.transcript.turns)


def test_the_same_is_said_at_the_same_address():
    assert all(Improviser(seed)(call) == Improviser(seed)(call) for seed, call in calls())


@pytest.mark.parametrize("other", [asked(address="001.0 a speech"), asked(address="000.1 a speech")])
def test_something_else_is_said_at_another_address(other):
    assert Improviser().words(other) != Improviser().words(asked())


def test_another_seed_has_other_words():
    assert len({Improviser(seed).words(asked()) for seed in range(20)}) == 20


def test_the_clock_never_stops_and_is_always_a_time():
    times = [clock(asked(address=f"{wave:03d}.0 a speech")) for wave in range(3000)]
    assert all(earlier < later for earlier, later in pairwise(times))
    assert all(datetime.fromisoformat(time).tzinfo for time in times)


def test_calls_of_one_wave_are_answered_at_the_same_time():
    assert clock(asked(address="007.0 a speech")) == clock(asked(address="007.11 b speech"))
