"""An estimate counts the calls of a controller, and its worst case is one."""

import pytest

from hustings.cli.estimate_text import line
from hustings.errors import Unsuitable
from hustings.runs.estimate import estimate
from hustings.runs.registry import find_protocol, protocols
from hustings.runs.request import DebateRequest, build_spec, laid
from hustings.runs.spec import RunSpec, instant
from hustings.script.seats import CONTROLLER

from .test_estimate_bounds import COUNTED, TOPIC, USUAL, Anybody, Stubborn, rooms_of, taken

CONTROLLABLE = [name for name in protocols() if find_protocol(name).takes_controller]


def spec_of(protocol):
    debate = laid(DebateRequest(protocol=protocol, topic=TOPIC, controller="p"))
    seated = {seat.id: USUAL for seat in debate.asked}
    return RunSpec(run_id="r", lineage="r", debate=debate, model_specs=seated, created_at=instant())


@pytest.mark.parametrize("protocol", CONTROLLABLE)
def test_no_controlled_debate_takes_more_than_the_worst(protocol):
    spec = spec_of(protocol)
    found, room = estimate(spec), rooms_of(spec)
    assert CONTROLLER.id in {row.seat for row in found.parts[0].seats}
    for actor in (Anybody(1, 0, room), Anybody(1, 0.3, room), Stubborn(1, spec.debate.retries, room)):
        took = taken(spec, actor)
        assert all(getattr(took, name) <= getattr(found.worst, name) for name in COUNTED), (took, found.worst)


def test_the_estimate_of_a_roundtable_names_the_readings():
    steps = {step.name: step.calls for step in estimate(spec_of("roundtable"), bounds=False).parts[0].steps}
    assert (steps["stance of a turn"], steps["claims and grounds"], steps["crit levels"]) == (6, 6, 6)


# -- which model reads ---------------------------------------------------------------------


def drawn(environment=None, **more):
    return build_spec(DebateRequest(protocol="roundtable", topic=TOPIC, controller="p", **more), environment or {})


def test_a_controller_has_the_model_of_all_seats_unless_it_is_named():
    assert drawn(model="improviser").model_specs[CONTROLLER.id].label == "improviser"
    seats = {"panelist": "improviser", "controller": "ollama/reader"}
    assert drawn(seats=seats).model_specs[CONTROLLER.id].label == "ollama/reader"
    assert drawn(seats=seats).model_specs[CONTROLLER.id].temperature == 0.2


def test_a_controller_has_the_model_of_a_seat_where_only_seats_are_named():
    assert drawn(seats={"panelist": "improviser"}).model_specs[CONTROLLER.id].label == "improviser"


def test_a_controller_has_the_model_that_the_environment_names_for_it():
    known = {"CONTROLLER_LLM_PROVIDER": "improviser"}
    assert drawn(known, seats={"panelist": "ollama/m"}).model_specs[CONTROLLER.id].label == "improviser"


def test_a_person_is_no_controller():
    with pytest.raises(Unsuitable, match="a person can't be the controller"):
        drawn(model="human")


def test_an_estimate_needs_no_key_for_a_controller():
    request = DebateRequest(protocol="roundtable", topic=TOPIC, controller="pid", model="openai/gpt-4o-mini")
    assert CONTROLLER.id in build_spec(request, {}, for_estimate=True).model_specs
    assert "calls" in line(estimate(build_spec(request, {}, for_estimate=True), bounds=False))


def test_the_transcript_tells_the_temperature_that_the_speakers_share():
    spec = drawn(seats={"panelist": "ollama/m", "controller": "ollama/n"})
    warm = {seat: one.model_copy(update={"temperature": 0.7}) for seat, one in spec.model_specs.items()}
    warm[CONTROLLER.id] = spec.model_specs[CONTROLLER.id]
    assert spec.model_copy(update={"model_specs": warm}).metadata.temperature == 0.7
