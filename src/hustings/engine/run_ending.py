"""How a run ends before its script does: where it was stopped, and which answers of a wave end it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from hustings.runs.call_result import CallResult
from hustings.transcript.notes import BudgetStopped, Cancelled, Ending, Failed

ENDING: TypeAdapter[Ending] = TypeAdapter(Ending)


@dataclass(frozen=True)
class StoppedAt:
    """The wave at which a run stops, and why. It is decided once and stored."""

    wave: int
    ending: Ending

    def dump(self) -> str:
        return json.dumps({"wave": self.wave, "ending": self.ending.model_dump(mode="json")})

    @staticmethod
    def load(text: str) -> StoppedAt:
        value = json.loads(text)
        return StoppedAt(value["wave"], ENDING.validate_python(value["ending"]))


def ending_by(call_results: Sequence[CallResult], *, of_an_audit: bool) -> Ending | None:
    """An ending that the answers of a wave cause. In an audit, a judge whose model is rejected abstains instead."""
    for d in call_results:
        if d.kind == "called_off":
            return Cancelled(by=d.detail)
        if d.kind == "broke":
            return BudgetStopped(spent=d.spent, cap=d.cap, unit=d.unit)
        if d.kind == "rejected" and not of_an_audit:
            return Failed(code="rejected", reason=d.why())
    return None
