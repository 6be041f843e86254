"""Who judges: those that were named, those of the environment, or the debate's own models."""

import pytest
from pydantic import ValidationError

from hustings.errors import NoJudges, Unsuitable
from hustings.runs.judging_spec import JudgingRequest, panel
from hustings.runs.request import DebateRequest, build_spec
from tests.engine.rig import TOPIC

from .panels import GEMMA, LLAMA, QWEN, at, held, wanted


@pytest.fixture(scope="module")
def old():
    return held(seats={"con": QWEN})


def models(old, environment=None, **request):
    return [model_spec.model for model_spec in panel(old[0], JudgingRequest(**request), environment or {})]


def named(**by_name):
    return at("http://127.0.0.1:1/v1", **by_name)


def test_judges_sit_in_the_order_in_which_they_were_named(old):
    made = wanted(old, judges=(GEMMA, QWEN))
    assert {seat: player.model for seat, player in made.debate.cast.items()} == {
        "clerk": GEMMA,
        "judge_1": GEMMA,
        "judge_2": QWEN,
    }


def test_where_nobody_is_named_the_environment_names_the_judge(old):
    assert models(old, named(JUDGE="phi-4")) == ["phi-4"]


def test_the_environment_can_name_each_judge(old):
    assert models(old, named(JUDGE_1="a", JUDGE_2="b", JUDGE_3="c")) == ["a", "b", "c"]


def test_the_environment_can_name_five_judges(old):
    assert models(old, named(**{f"JUDGE_{n}": f"m{n}" for n in range(1, 6)})) == ["m1", "m2", "m3", "m4", "m5"]


def test_judges_that_the_environment_does_not_name_do_not_judge(old):
    assert models(old, named(JUDGE_1="a") | {"LLM_PROVIDER": "llamacpp", "LLM_MODEL": "phi-4"}) == ["a"]


def test_the_environment_can_name_one_judge_apart_from_the_others(old):
    assert models(old, named(JUDGE="a", JUDGE_2="b")) == ["a", "b"]


def test_judges_that_are_named_come_before_those_of_the_environment(old):
    assert models(old, named(JUDGE="phi-4"), judges=(GEMMA,)) == ["gemma-3"]


def test_a_model_that_the_environment_means_for_all_is_not_taken_for_a_judge(old):
    assert models(old, {"LLM_PROVIDER": "llamacpp", "LLM_MODEL": "phi-4"}) == ["llama-3", "qwen-3"]


def test_where_nobody_else_is_named_the_debates_own_models_judge(old):
    assert models(old) == ["llama-3", "qwen-3"]


PEOPLE = {"pro": "human", "con": "human"}


def test_where_only_people_speak_the_model_for_every_seat_judges():
    assert models(held(seats=PEOPLE)) == ["llama-3"]


def test_where_only_people_speak_the_model_that_the_environment_means_for_all_judges():
    everywhere = {"LLM_PROVIDER": "llamacpp", "LLM_MODEL": "phi-4"}
    made = build_spec(DebateRequest(protocol="structured", question=TOPIC, seats=PEOPLE), everywhere)
    assert [judge.model for judge in panel(made, JudgingRequest(), {})] == ["phi-4"]


def test_people_alone_without_any_model_have_no_judges():
    made = build_spec(DebateRequest(protocol="structured", question=TOPIC, model="human"), {})
    with pytest.raises(NoJudges, match="no judges available"):
        panel(made, JudgingRequest(), {})


def test_a_debate_of_models_keeps_no_default_model_on_record(old):
    assert "default_model" not in old[0].model_dump(mode="json")


def test_of_the_debates_own_models_each_family_judges_once():
    assert models(held(seats={"con": "llamacpp/llama-2"})) == ["llama-3"]


def test_no_more_than_three_of_the_debates_own_models_judge():
    made, record = held("roundtable", settings={"seats": 4, "rounds": 1})
    model_specs = {
        seat: made.model_specs[seat].model_copy(update={"model": name})
        for seat, name in zip(made.model_specs, ("llama-3", "qwen-3", "gemma-3", "phi-4"), strict=True)
    }
    assert models((made.model_copy(update={"model_specs": model_specs}), record)) == ["llama-3", "qwen-3", "gemma-3"]


@pytest.mark.parametrize(("tier", "count"), [("quick", 1), ("standard", 3), ("strict", 5)])
def test_a_tier_says_how_many_judges_there_are(old, tier, count):
    assert len(models(old, tier=tier)) == wanted(old, tier=tier).debate.settings["judges"] == count


def test_judges_take_turns_where_a_tier_has_more_seats(old):
    assert models(old, judges=(GEMMA, QWEN), tier="standard") == ["gemma-3", "qwen-3", "gemma-3"]


def test_without_a_tier_as_many_judge_as_were_named(old):
    assert len(models(old, judges=(GEMMA, QWEN, LLAMA, GEMMA))) == 4


def test_no_more_than_five_can_judge():
    with pytest.raises(ValidationError):
        JudgingRequest(judges=(GEMMA,) * 6)


def test_the_families_of_judges_are_on_record_in_the_order_of_their_seats(old):
    assert wanted(old, judges=(GEMMA, QWEN)).debate.settings["families"] == ["gemini", "qwen"]


def test_the_families_of_debaters_are_on_record(old):
    assert wanted(old, judges=(GEMMA,)).debate.settings["debaters"] == ["llama", "qwen"]


def test_whoever_only_moderated_is_no_debater():
    old = held("moderated", seats={"moderator": QWEN})
    assert wanted(old, judges=(GEMMA,)).debate.settings["debaters"] == ["llama"]


def test_a_judge_is_cool_unless_something_else_was_said(old):
    [usual] = panel(old[0], JudgingRequest(judges=(GEMMA,)), {})
    [other] = panel(old[0], JudgingRequest(), named(JUDGE="phi-4") | {"JUDGE_LLM_TEMPERATURE": "0.7"})
    assert (usual.temperature, other.temperature) == (0.2, 0.7)


def test_a_person_cannot_judge(old):
    with pytest.raises(Unsuitable, match="name models"):
        wanted(old, judges=(GEMMA, "human"))


def test_a_person_that_the_environment_names_cannot_judge(old):
    with pytest.raises(Unsuitable, match="name models"):
        wanted(old, {"JUDGE_LLM_PROVIDER": "human", "JUDGE_LLM_MODEL": "human"})


def test_more_judges_than_a_tier_seats_are_refused(old):
    with pytest.raises(Unsuitable, match="you named 2 judges, and tier quick has 1"):
        wanted(old, judges=(GEMMA, QWEN), tier="quick")


@pytest.mark.parametrize("name", ["judges", "families", "debaters"])
def test_who_judges_is_no_setting(old, name):
    with pytest.raises(Unsuitable, match=f"{name} can't be set here: choose judges with --judges and --tier"):
        wanted(old, settings={name: 5})


def test_a_debate_among_people_needs_judges_to_be_named():
    old = build_spec(DebateRequest(protocol="structured", question=TOPIC, model="human"), {})
    with pytest.raises(Unsuitable, match="name judges"):
        panel(old, JudgingRequest(), {})


def test_a_judge_that_nobody_has_a_price_for_is_refused_before_anything_begins(old):
    with pytest.raises(Unsuitable, match="LLM_PRICE_INPUT"):
        wanted(old, {"OPENAI_API_KEY": "sk-x"}, judges=("openai/no-such-model-at-all",))
