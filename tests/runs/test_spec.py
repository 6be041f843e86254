import pytest
from pydantic import ValidationError

from hustings.db.caps import Caps
from hustings.llm.model_spec import ModelSpec
from hustings.runs.registry import find_protocol
from hustings.runs.spec import Inheritance, RunSpec, how_made
from hustings.runs.staging import plan, set_stage

AT = "2026-01-01T00:00:00.000Z"


def spec(**more):
    debate = plan(find_protocol("structured"), "Why?")
    return RunSpec(
        **{
            "run_id": "r-1",
            "lineage": "r-1",
            "debate": debate,
            "model_specs": {},
            "created_at": AT,
            "fence": "secret",
            **more,
        }
    )


def test_it_survives_being_written_down():
    model_spec = ModelSpec(provider="openai", model="m", key="OPENAI_API_KEY", extra={"top_k": 3})
    made = spec(model_specs={"pro": model_spec}, caps=Caps(money=3, seconds=1.5), above=("owner:a",), seed=4)
    assert RunSpec.model_validate(made.model_dump(mode="json")) == made


@pytest.mark.parametrize("run_id", ["", "a b", "../x", "ü", "a" * 200])
def test_a_run_has_an_id_that_can_stand_anywhere(run_id):
    with pytest.raises(ValidationError):
        spec(run_id=run_id)


@pytest.mark.parametrize("caps", [{"money": -1}, {"tokens": -1}, {"calls": -1}, {"seconds": 0}], ids=str)
def test_no_cap_is_below_nothing(caps):
    with pytest.raises(ValidationError):
        Caps(**caps)


def test_nothing_is_capped_unless_it_is_said():
    assert set(Caps().model_dump().values()) == {None}


def test_caps_are_given_in_dollars_and_minutes():
    assert Caps.of(dollars=0.25, calls=3, minutes=1.5) == Caps(money=250_000, calls=3, seconds=90)


def test_a_spec_does_not_change():
    with pytest.raises(ValidationError):
        spec().seed = 5


def test_an_ancestors_answer_counts_before_its_wave_and_not_from_there_on():
    made = spec(inherits=(Inheritance(lineage="near", before_wave=1), Inheritance(lineage="far", before_wave=0)))
    driver, _ = set_stage(made.debate, "r", AT, made.metadata, fence="secret")
    assert [made.ancestors(call) for call in driver.calls] == [("near",), ("near",)]


def test_its_budget_bears_its_name():
    assert spec().budget_id == "run:r-1"


def test_its_metadata_names_its_seed_and_what_its_models_share():
    hot = {"pro": ModelSpec(provider="openai", model="m", temperature=0.3)}
    known = spec(seed=9, model_specs=hot).metadata
    assert (known.generation_mode, known.seed, known.temperature) == ("live", 9, 0.3)


@pytest.mark.parametrize(
    ("players", "made"),
    [
        (["improviser", "improviser"], "improvised"),
        (["improviser", "openai"], "mixed"),
        (["improviser", "human"], "mixed"),
        (["ollama", "human"], "live"),
        ([], "live"),
    ],
)
def test_who_speaks_tells_how_it_was_made(players, made):
    assert how_made(players) == made


def test_settings_that_all_models_share_are_those_of_the_run():
    models = {
        "pro": ModelSpec(provider="openai", model="m", temperature=0.3, max_tokens=40),
        "con": ModelSpec(provider="openai", model="m", temperature=0.3, max_tokens=50),
        "judge": ModelSpec(provider="improviser", model="improviser"),
    }
    known = spec(model_specs=models, made="mixed").metadata
    assert (known.temperature, known.max_tokens) == (0.3, None)
