"""Which answers of a wave end a debate."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.engine.run_ending import SPOKE, ending_by, nobody_spoke
from hustings.runs.call_result import PAUSING, CallResult
from hustings.transcript.notes import BudgetStopped

AT = "2026-01-01T00:00:00.000Z"
ONE_MODEL = {"ada": "openai/x", "ben": "openai/x", "chi": "openai/x"}
TWO_MODELS = {"pro": "openai/x", "con": "ollama/y"}
SILENT_KINDS = ("too_long", "empty", "refused", "filtered", "garbled", "timed_out", "put_off")


def silent(kind, *seats, detail=""):
    return {seat: CallResult(kind, AT, detail=detail) for seat in seats}


@pytest.mark.parametrize("kind", SILENT_KINDS)
def test_a_debate_in_which_no_seat_can_speak_fails_with_the_reason(kind):
    ending = nobody_spoke(silent(kind, *ONE_MODEL), ONE_MODEL)
    assert (ending.code, ending.reason.startswith("nobody could speak: ")) == ("nobody_spoke", True)


def test_a_prompt_that_is_too_long_is_told_with_what_it_needs():
    detail = "the prompt needs about 5,000 tokens and fake takes 4,096"
    reason = nobody_spoke(silent("too_long", *ONE_MODEL, detail=detail), ONE_MODEL).reason
    assert reason == f"nobody could speak: {detail}. Choose another model, or fewer documents"


def test_one_seat_whose_prompt_is_too_long_is_enough_if_all_have_its_model():
    assert nobody_spoke(silent("too_long", "ada"), ONE_MODEL) is not None


@pytest.mark.parametrize("kind", [kind for kind in SILENT_KINDS if kind != "too_long"])
def test_one_seat_of_several_may_have_had_bad_luck(kind):
    assert nobody_spoke(silent(kind, "ada"), ONE_MODEL) is None


@given(st.sampled_from(SILENT_KINDS), st.sampled_from(sorted(TWO_MODELS)))
def test_a_debate_goes_on_while_a_model_was_not_asked(kind, seat):
    assert nobody_spoke(silent(kind, seat), TWO_MODELS) is None


@given(st.dictionaries(st.sampled_from(sorted(TWO_MODELS)), st.sampled_from(SILENT_KINDS), min_size=2))
def test_two_models_that_fail_each_in_its_way_can_not_speak_either(kinds):
    results = {seat: CallResult(kind, AT) for seat, kind in kinds.items()}
    assert nobody_spoke(results, TWO_MODELS) is not None


def test_what_pauses_a_run_is_no_speech_and_no_ending():
    assert not PAUSING & SPOKE
    assert ending_by([CallResult(kind, AT) for kind in sorted(PAUSING)], of_an_audit=False) is None


def test_a_limit_keeps_apart_what_is_spent_and_what_is_held():
    broke = CallResult("broke", AT, spent=0.003, cap=0.2, unit="USD", held=0.176, held_calls=8, needed=0.024)
    ending = ending_by([broke], of_an_audit=False)
    assert ending == BudgetStopped(spent=0.003, cap=0.2, held=0.176, held_calls=8, needed=0.024)
