"""What was commissioned: a debate, the voices in its seats, who pays and how much at most. All a run goes by.

It holds the names of keys, never a key, and it never changes: whoever carries the run out, on
whatever machine, reads the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, Field

from hustings.core.calls import Call, wave_of
from hustings.core.debate import Debate
from hustings.core.transcript import SAFE_ID, RunMetadata
from hustings.llm.voices import Voice

DAY = 86_400.0


class Purse(BaseModel, frozen=True):
    """Hard caps; None is no cap of that kind."""

    money: Annotated[int, Field(ge=0)] | None = None
    """In millionths of a dollar."""
    tokens: Annotated[int, Field(ge=0)] | None = None
    calls: Annotated[int, Field(ge=0)] | None = None
    seconds: Annotated[float, Field(gt=0)] | None = None
    """From the first call on; what was begun by then is finished."""

    def after(self, *, money: int, tokens: int, calls: int) -> Purse:
        """What is left when so much was taken: a cap holds for all that one wish leads to."""
        taken = {"money": money, "tokens": tokens, "calls": calls}
        left = {kind: max(0, cap - taken[kind]) for kind in taken if (cap := getattr(self, kind)) is not None}
        return self.model_copy(update=left)


class Inheritance(BaseModel, frozen=True):
    """What a fork takes over: the answers another lineage had before a wave."""

    lineage: str
    before_wave: int


class Commission(BaseModel, frozen=True):
    run_id: Annotated[str, Field(pattern=f"^{SAFE_ID}$")]
    lineage: str
    """Answers are kept under it: runs of one lineage never pay for the same call twice."""
    inherits: tuple[Inheritance, ...] = ()
    debate: Debate
    voices: Mapping[str, Voice]
    """Seat id to the voice that speaks there; people and shipped actors need none."""
    created_at: str
    owner: str = "local"
    batch: str = ""
    purse: Purse = Purse()
    above: tuple[str, ...] = ()
    """Budgets of owner and day in which the whole purse is held while the debate runs."""
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
