"""The improviser can answer whatever a script asks, and says the same at the same place."""

import json
from datetime import datetime
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import Field

from hustings.llm.improviser import DRAFTS, Improviser, clock
from hustings.runs.registry import find_protocol, find_script, protocols, rubrics
from hustings.runs.staging import plan, rehearse
from hustings.script.attempts import not_offered, weigh
from hustings.script.calls import Call, DebateContext
from hustings.script.citing import citations_of
from hustings.script.documents import DocumentText, laid_down
from hustings.script.forms import ClaimId, Form, Quote, Speech, marked, parse, schema_of
from hustings.script.moves import Brief
from hustings.script.rubric import sheet_of
from hustings.script.seats import Seat
from hustings.script.visibility import Knowledge
from hustings.text.words import count_words
from hustings.transcript.models import Attempt, Turn

TABLES = [
    ("adaptive", {"stakes": "critical"}),
    ("competition", {}),
    ("critique", {}),
    ("critique", {"reply": True}),
    ("moderated", {}),
    ("roundtable", {}),
    ("roundtable", {"regime": "structured"}),
    ("structured", {}),
]
SEEDS = range(3)


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


@cache
def answers():
    """The answers on a form, each with its call."""
    forms = [(seed, call) for seed, call in calls() if not call.brief.form.prose]
    return [(call, parse(call.brief.form, Improviser(seed).words(call))) for seed, call in forms]


def asked(words=None, address="000.0 a speech", brief=None, said=()):
    """A call; `said` are turns before it, by their speakers."""
    brief = brief or Brief("speech", Speech, "Speak.", words=words)
    seat, turns = Seat("a"), tuple(spoken(n, *turn) for n, turn in enumerate(said))
    known = Knowledge((turns,))
    return Call(address, DebateContext("p", "t", "r", (seat,)), seat, brief, on_record=True, knowledge=known)


def spoken(place, speaker, words):
    attempt = Attempt(attempt_index=0, timestamp="2026-01-01T00:00:00.000Z", status="ok", content=words)
    where = {"turn_id": f"r1.t{place}", "round_index": 1, "turn_index_in_round": place}
    return Turn(**where, speaker_id=speaker, attempts=[attempt])


class Guess(Form):
    number: int = Field(ge=0, le=9)


class Reply(Form):
    target: ClaimId
    words: Quote


GUESS = Brief("guess", Guess, "Guess.")
REPLY = Brief("reply", Reply, "Reply.").offering(claim=["CON-1"])


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
        heard += [call.context.topic]  # the document of a debate without any
        assert all(any(quote in words for words in heard) for _, quote in marked(answer, "x-quote")), call.address


def test_no_answer_breaks_a_rule_of_its_brief():
    broken = [(call.address, weigh(call.brief, Improviser(seed)(call)).complaints) for seed, call in calls()]
    assert [told for told in broken if told[1]] == []


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


# -- drafts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_of_several_drafts_one_that_keeps_the_rules_is_said(seed):
    strict = GUESS.under(lambda guess: [] if guess.number == 7 else ["think of another one"])
    assert parse(Guess, Improviser(seed).words(asked(brief=strict))).number == 7


@pytest.mark.parametrize("seed", range(5))
def test_a_first_draft_that_keeps_the_rules_is_said(seed):
    lenient = GUESS.under(lambda guess: [])
    assert Improviser(seed).words(asked(brief=lenient)) == Improviser(seed).words(asked(brief=GUESS))


def test_if_no_draft_keeps_the_rules_the_first_is_said():
    hopeless = GUESS.under(lambda guess: ["no"])
    assert Improviser().words(asked(brief=hopeless)) == Improviser().words(asked(brief=GUESS))


def test_after_forty_drafts_it_gives_up():
    tried = []
    Improviser().words(asked(brief=GUESS.under(lambda guess: tried.append(guess) or ["no"])))
    assert len(tried) == DRAFTS == 40


def test_a_preference_is_no_reason_for_another_draft():
    better = GUESS.preferring(lambda guess: ["think of another one"])
    assert Improviser().words(asked(brief=better)) == Improviser().words(asked(brief=GUESS))


def test_an_argument_is_quoted_in_the_words_of_its_author():
    said = [
        ("con", "[CON-1] Buses are empty at night.\nReasoning: few ride."),
        ("pro", "[CON-1] refute: They are full."),
    ]
    assert parse(Reply, Improviser().words(asked(brief=REPLY, said=said))).words == "Buses are empty at night."


def test_an_argument_that_was_never_made_is_quoted_from_what_was_said_last():
    said = [("con", "Buses are empty at night."), ("pro", "They are full by day.")]
    assert parse(Reply, Improviser().words(asked(brief=REPLY, said=said))).words == "They are full by day."


# -- the same every time ---------------------------------------------------------------------


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


def test_a_seat_with_documents_cites_them_word_for_word():
    documents, texts = laid_down((DocumentText(title="Report", text="The street was measured twice.\n\nIt rained."),))
    debate = plan(find_protocol("roundtable"), "Tea?").model_copy(update={"documents": documents})
    cited = citations_of(rehearse(debate, Improviser(), texts=texts).proceedings.notes)
    assert [one.verdict for some in cited.values() for one in some] == ["verbatim"] * 9
