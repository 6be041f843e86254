"""Time limits of a run's seats as the settings are now, whatever named its models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hustings.llm.endpoints import BUILT_IN, COMMAND
from hustings.llm.environment import layered
from hustings.llm.model_spec import TIMEOUTS, ModelSpec, resolve
from hustings.script.seats import Seat

from .spec import RunSpec


def with_patience_of(spec: RunSpec, environment: Mapping[str, str]) -> RunSpec:
    """The same run with the time limits that the settings name for its seats; where they name none, its own stay."""
    if spec.debate.judged and spec.debate.protocol == "control":  # its models are speakers of the debate, as set there
        return spec
    seats = {seat.id: _as_judge(seat) if spec.debate.judged else seat for seat in spec.debate.seats}
    called = {name: one for name, one in spec.model_specs.items() if one.provider not in BUILT_IN and name in seats}
    timed = {name: _with(one, _today(seats[name], environment, one)) for name, one in called.items()}
    return spec.model_copy(update={"model_specs": {**spec.model_specs, **timed}})


def with_patience_like(spec: RunSpec, other: RunSpec) -> RunSpec:
    """The same run with the time limits of another one for the same seats; where it names none, its own stay."""
    limits = {seat: one.model_dump(include={*TIMEOUTS}) for seat, one in other.model_specs.items()}
    model_specs = {seat: _with(one, limits.get(seat, {})) for seat, one in spec.model_specs.items()}
    seconds = other.seconds_per_call or spec.seconds_per_call
    return spec.model_copy(update={"model_specs": model_specs, "seconds_per_call": seconds})


def without_patience(spec: RunSpec) -> RunSpec:
    """The same run without any time limit: what else it asks for can be compared."""
    model_specs = {seat: one.model_copy(update=dict.fromkeys(TIMEOUTS)) for seat, one in spec.model_specs.items()}
    return spec.model_copy(update={"model_specs": model_specs, "seconds_per_call": None})


def _today(seat: Seat, environment: Mapping[str, str], model_spec: ModelSpec) -> dict[str, Any]:
    """Time limits that the settings name for a seat with this model."""
    if model_spec.provider == COMMAND:
        return {"timeout": layered(environment).commands.get(model_spec.model, {}).get("timeout")}
    found = resolve(seat, environment).model_spec
    return {name: getattr(found, name) for name in TIMEOUTS}


def _as_judge(seat: Seat) -> Seat:
    """Every seat of an audit is a judge's: JUDGE_LLM_… holds for the clerk too."""
    return replace(seat, role="judge")


def _with(model_spec: ModelSpec, limits: Mapping[str, Any]) -> ModelSpec:
    named = {name: value for name, value in limits.items() if value is not None}
    return model_spec.model_copy(update=named)
