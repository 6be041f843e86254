"""What is seen to before anything is paid: a cap, and that no key goes to an address somebody else chose."""

from __future__ import annotations

from hustings.llm.environment import Environment
from hustings.llm.voices import must_not_divert
from hustings.run.commission import Commission

USUAL_BUDGET = 1_000_000
"""Millionths of a dollar, where nothing was said and something is paid."""


def affordable(commission: Commission, known: Environment) -> Commission:
    """The same commission, with a cap if it costs money."""
    for voice in commission.model_specs.values():
        must_not_divert(voice, known)
    caps = commission.caps
    if caps.money is not None or all(voice.free for voice in commission.model_specs.values()):
        return commission
    return commission.model_copy(update={"caps": caps.model_copy(update={"money": USUAL_BUDGET})})
