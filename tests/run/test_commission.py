import pytest
from pydantic import ValidationError

from hustings.llm.voices import Voice
from hustings.run.commission import Commission, Inheritance
from hustings.run.registry import find_protocol
from hustings.run.staging import plan, set_stage
from hustings.store.caps import Caps

AT = "2026-01-01T00:00:00.000Z"


def commission(**more):
    debate = plan(find_protocol("structured"), "Why?")
    return Commission(
        **{"run_id": "r-1", "lineage": "r-1", "debate": debate, "model_specs": {}, "created_at": AT, **more}
    )


def test_it_survives_being_written_down():
    voice = Voice(provider="openai", model="m", key="OPENAI_API_KEY", extra={"top_k": 3})
    made = commission(model_specs={"pro": voice}, caps=Caps(money=3, seconds=1.5), above=("owner:a",), seed=4)
    assert Commission.model_validate(made.model_dump(mode="json")) == made


@pytest.mark.parametrize("run_id", ["", "a b", "../x", "ü", "a" * 200])
def test_a_run_has_an_id_that_can_stand_anywhere(run_id):
    with pytest.raises(ValidationError):
        commission(run_id=run_id)


@pytest.mark.parametrize("caps", [{"money": -1}, {"tokens": -1}, {"calls": -1}, {"seconds": 0}], ids=str)
def test_no_cap_is_below_nothing(caps):
    with pytest.raises(ValidationError):
        Caps(**caps)


def test_nothing_is_capped_unless_it_is_said():
    assert set(Caps().model_dump().values()) == {None}


def test_caps_are_given_in_dollars_and_minutes():
    assert Caps.of(dollars=0.25, calls=3, minutes=1.5) == Caps(money=250_000, calls=3, seconds=90)


def test_a_commission_does_not_change():
    with pytest.raises(ValidationError):
        commission().seed = 5


def test_an_ancestors_answer_counts_before_its_wave_and_not_from_there_on():
    made = commission(inherits=(Inheritance(lineage="near", before_wave=1), Inheritance(lineage="far", before_wave=0)))
    performance, _ = set_stage(made.debate, "r", AT, made.metadata)
    assert [made.ancestors(call) for call in performance.calls] == [("near",), ("near",)]


def test_its_budget_bears_its_name():
    assert commission().budget_id == "run:r-1"


def test_a_performed_transcript_says_so_and_names_its_seed():
    assert (commission(seed=9).metadata.generation_mode, commission(seed=9).metadata.seed) == ("performed", 9)
