"""What was commissioned: a debate, the voices in its seats, who pays and how much at most. All a run goes by.

It holds the names of keys, never a key, and it never changes: whoever carries the run out, on
whatever machine, reads the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, Field

from hustings.db.caps import Caps
from hustings.llm.model_spec import ModelSpec
from hustings.script.calls import Call, wave_of
from hustings.script.debate import DebateSpec
from hustings.transcript.models import SAFE_ID, RunMetadata

DAY = 86_400.0


class Inheritance(BaseModel, frozen=True):
    """What a fork takes over: the answers another lineage had before a wave."""

    lineage: str
    before_wave: int


class RunSpec(BaseModel, frozen=True):
    run_id: Annotated[str, Field(pattern=f"^{SAFE_ID}$")]
    lineage: str
    """Answers are kept under it: runs of one lineage never pay for the same call twice."""
    inherits: tuple[Inheritance, ...] = ()
    debate: DebateSpec
    model_specs: Mapping[str, ModelSpec]
    """Seat id to the voice that speaks there; people and shipped actors need none."""
    created_at: str
    owner: str = "local"
    batch: str = ""
    caps: Caps = Caps()
    above: tuple[str, ...] = ()
    """Budgets of owner and day in which its cap in money is held while the debate runs."""
    forked_from: str = ""
    judged: str = ""
    """The run that an audit is about."""
    seed: int | None = None
    seconds_per_call: Annotated[float, Field(gt=0)] = 120.0
    days_for_people: Annotated[float, Field(gt=0)] = 7.0
    """How long a seat held by a person waits for its words."""

    @property
    def budget_id(self) -> str:
        return f"run:{self.run_id}"

    def ancestors(self, call: Call) -> tuple[str, ...]:
        """Lineages whose answer to a call counts here."""
        wave = wave_of(call.address)
        return tuple(kin.lineage for kin in self.inherits if wave < kin.before_wave)

    @property
    def metadata(self) -> RunMetadata:
        return RunMetadata(generation_mode="performed", seed=self.seed)
