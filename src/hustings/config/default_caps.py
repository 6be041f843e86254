"""Checks before money is spent: a default budget, and no key sent to an address that a shared file chose."""

from __future__ import annotations

from hustings.llm.environment import Environment
from hustings.llm.model_spec import must_not_divert
from hustings.runs.spec import RunSpec

USUAL_BUDGET = 1_000_000
"""Budget in millionths of a dollar for a run that costs money and names no budget."""


def affordable(spec: RunSpec, known: Environment) -> RunSpec:
    """Return the run spec with a budget if it costs money and has none; refuse diverted keys."""
    for model_spec in spec.model_specs.values():
        must_not_divert(model_spec, known)
    caps = spec.caps
    if caps.money is not None or all(model_spec.free for model_spec in spec.model_specs.values()):
        return spec
    return spec.model_copy(update={"caps": caps.model_copy(update={"money": USUAL_BUDGET})})
