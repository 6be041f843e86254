"""Open calls as the ledger has them: which try it is, and when it is given up."""

import pytest

from hustings.db.instants import instant
from hustings.db.ledger import Reservation
from hustings.llm.model_spec import ModelSpec
from hustings.rubrics.speech import SpeechScore
from hustings.runs.open_calls import TRIES, live_run
from hustings.runs.registry import find_protocol
from hustings.runs.request import cast_with
from hustings.runs.spec import RunSpec
from hustings.runs.staging import plan
from hustings.transcript.call_try import CallTry

SENT = 1_800_000_000.0


def spec_of(protocol="structured", **more):
    debate = plan(find_protocol(protocol), "Should towns close their centres to cars?")
    model_specs = {seat.id: ModelSpec(provider="ollama", model="m", local=True, **more) for seat in debate.seats}
    return RunSpec(
        run_id="r",
        lineage="r",
        debate=cast_with(debate, model_specs),
        model_specs=model_specs,
        created_at=instant(),
        fence="secret",
    )


def row(state="sent", *tries, sent_at=SENT):
    return Reservation("000.0 pro opening #12345678", state, tries, sent_at=sent_at)


def lost(ended, sent, answered=None):
    return CallTry(ended=ended, sent_at=instant(sent), answered_at=answered and instant(answered))


def shown(spec, *rows):
    return live_run(spec, rows).calls[0]


def test_a_call_that_was_sent_says_when_it_is_given_up():
    call = shown(spec_of(), row())
    assert (call.address, call.state, call.attempt) == ("000.0 pro opening", "sent", 1)
    assert (call.asked_at, call.first_word_by, call.gives_up_at) == tuple(map(instant, (SENT, SENT + 300, SENT + 600)))


def test_a_model_has_limits_of_its_own():
    call = shown(spec_of(timeout=30.0, first_token_timeout=8.0), row())
    assert (call.first_word_by, call.gives_up_at) == (instant(SENT + 8), instant(SENT + 30))


def test_a_first_word_is_never_awaited_longer_than_the_answer():
    call = shown(spec_of(timeout=30.0), row())
    assert call.first_word_by == call.gives_up_at == instant(SENT + 30)


def test_tries_that_were_lost_are_told():
    tries = lost("lost", SENT - 99), lost("timed_out", SENT - 61, SENT - 1)
    call = shown(spec_of(), row("sent", *tries))
    assert (call.lost, call.asked_at) == (tries, instant(SENT - 99))


@pytest.mark.parametrize(("slow", "most"), [(0, TRIES["timed_out"]), (1, TRIES["timed_out"])])
def test_a_model_that_stalls_is_tried_as_often_as_it_will_be(slow, most):
    tries = [lost("timed_out", SENT - 61, SENT - 1)] * slow
    assert shown(spec_of(), row("sent", *tries)).attempts == most


def test_other_faults_before_it_leave_a_slow_try_its_second_chance():
    call = shown(spec_of(), row("sent", lost("overloaded", SENT - 2, SENT - 1)))
    assert (call.attempt, call.attempts) == (2, 3)


def test_words_of_a_person_have_no_time():
    call = shown(spec_of(), row("answered", sent_at=0.0))
    assert (call.asked_at, call.first_word_by, call.gives_up_at) == (None, None, None)


def test_only_speeches_have_weights():
    assert live_run(spec_of("competition"), ()).weights == SpeechScore.weights()
    assert live_run(spec_of(), ()).weights == {}
