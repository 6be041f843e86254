"""`--temperature` is for all speakers, and anything narrower goes before it; judges keep their own."""

import pytest

from hustings.config.plan_run import plan_run
from hustings.errors import Unsuitable
from hustings.runs.judging_spec import panel
from hustings.runs.request import DebateRequest

MODEL = "openai_compatible/m@http://127.0.0.1:9/v1"
REASONS = "openai/o3-mini"
KEY = {"OPENAI_API_KEY": "sk-nobody-calls-this"}


def planned(environment=None, **more):
    request = DebateRequest(**{"question": "Is it so?", "model": MODEL, "temperature": 0.5, **more})
    return plan_run(request, environment or {}, check_servers=False)


def temperatures(environment=None, **more):
    return {seat: spec.temperature for seat, spec in planned(environment, **more).spec.model_specs.items()}


def judges(environment=None, **more):
    plan = planned(environment, **more)
    return [judge.temperature for judge in panel(plan.spec, plan.follow_ups.judging, environment or {})]


def test_all_seats_have_it_and_the_transcript_says_so():
    assert temperatures() == {"pro": 0.5, "con": 0.5}
    assert planned().spec.metadata.temperature == 0.5


def test_it_goes_before_what_is_set_for_all():
    assert temperatures({"LLM_TEMPERATURE": "0.9"}) == {"pro": 0.5, "con": 0.5}


@pytest.mark.parametrize(
    ("protocol", "name", "seats"), [("structured", "PRO", {"pro"}), ("roundtable", "PANELIST", None)]
)
def test_what_is_set_for_a_seat_or_a_role_goes_before_it(protocol, name, seats):
    found = temperatures({f"{name}_LLM_TEMPERATURE": "0.9"}, protocol=protocol)
    assert {seat for seat, temperature in found.items() if temperature == 0.9} == (seats or found.keys())


def test_judges_keep_their_own():
    assert judges() == [0.2]
    assert judges({"JUDGE_LLM_TEMPERATURE": "0.3"}) == [0.3]
    assert judges(judges=MODEL) == [0.2]


def test_judges_have_the_one_that_is_asked_of_them():
    assert judges(judge_temperature=0.7) == [0.7]
    assert judges({"JUDGE_LLM_TEMPERATURE": "0.3"}, judge_temperature=0.7) == [0.7]


@pytest.mark.parametrize(
    ("more", "who"),
    [
        ({"model": "improviser"}, "improviser, in seat pro"),
        ({"seats": {"con": "human"}}, "a person, in seat con"),
        ({"seats": {"con": REASONS}}, f"{REASONS}, in seat con"),
        ({"judges": "improviser", "judge_temperature": 0.3}, "improviser, in seat judge_1"),
    ],
)
def test_who_takes_none_refuses_it_with_a_reason_and_a_cure(more, who):
    with pytest.raises(Unsuitable, match=f"{who}, takes no temperature") as refused:
        planned(KEY, **more)
    assert refused.value.why
    assert "leave out --" in refused.value.fix


def test_a_seat_with_its_own_does_not_refuse_what_is_for_the_others():
    environment = {**KEY, "CON_LLM_TEMPERATURE": "0.1"}
    assert temperatures(environment, seats={"con": REASONS})["pro"] == 0.5
