"""What is seen to before anything is paid: a cap, and that no key goes to an address somebody else chose."""

from __future__ import annotations

from hustings.llm.environment import Environment
from hustings.llm.model_spec import must_not_divert
from hustings.runs.spec import RunSpec

USUAL_BUDGET = 1_000_000
"""Millionths of a dollar, where nothing was said and something is paid."""


def affordable(spec: RunSpec, known: Environment) -> RunSpec:
    """The same commission, with a cap if it costs money."""
    for model_spec in spec.model_specs.values():
        must_not_divert(model_spec, known)
    caps = spec.caps
    if caps.money is not None or all(model_spec.free for model_spec in spec.model_specs.values()):
        return spec
    return spec.model_copy(update={"caps": caps.model_copy(update={"money": USUAL_BUDGET})})
