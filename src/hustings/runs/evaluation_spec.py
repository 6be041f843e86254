"""Specs of evaluations, and the evaluation computed from the notes of one: it is made again whenever it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator

from hustings.db.caps import Caps
from hustings.errors import Unsuitable
from hustings.llm.model_spec import family
from hustings.script.debate import Proceedings
from hustings.transcript.models import Rung

from .judging_spec import JudgingRequest, Tier, audit, kin_of, panel, spec_from
from .spec import RunSpec

SCRIPT = "evaluation"
ScorerPart = Literal["crit", "rca", "t3", "synthesis"]
COUNTED_AS: Mapping[Tier, Tier] = {"quick": "quick", "standard": "standard", "strict": "standard"}
"""Tier of judging with as many judges: a strict evaluation has three, who read every list in both orders."""
ORDERS: Mapping[Tier, int] = {"quick": 1, "standard": 1, "strict": 2}
Options = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=40)], ...], Field(max_length=6)]


class EvaluationRequest(BaseModel):
    """How the user wants a debate evaluated."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    judges: tuple[str, ...] = Field(default=(), max_length=5)
    """Models. Empty: those that the environment names, else those of the debate itself."""
    tier: Tier | None = None
    parts: tuple[ScorerPart, ...] = ()
    """What is asked; empty: everything."""
    options: Options | None = None
    """Possible answers to the question; empty: it is open. None: yes and no."""
    rung: Rung | None = None
    """How far up the ladder of causes an answer must reach; None: as the debate says."""
    repeat: Annotated[int, Field(ge=1, le=3)] = 1
    settings: Mapping[str, JsonValue] = {}
    """Further settings of the audit, such as seed."""
    caps: Caps = Caps()
    seed: int | None = None
    seconds_per_call: Annotated[float, Field(gt=0)] | None = None

    @field_validator("options")
    @classmethod
    def _different(cls, options: Options | None) -> Options | None:
        if options and (len(options) == 1 or len(set(options)) < len(options)):
            raise ValueError("name two different options or more; none if the question is open")
        return options

    @property
    def as_judging(self) -> JudgingRequest:
        """The same panel and caps, for what judging and evaluation share."""
        tier = COUNTED_AS[self.tier] if self.tier else None
        return JudgingRequest(
            judges=self.judges, tier=tier, caps=self.caps, seed=self.seed, seconds_per_call=self.seconds_per_call
        )

    def chosen(self) -> dict[str, JsonValue]:
        """Settings that were chosen; the rest are those of the script."""
        given: dict[str, JsonValue] = {"parts": [*self.parts]} if self.parts else {}
        given |= {"options": [*self.options]} if self.options is not None else {}
        given |= {"rung": self.rung} if self.rung else {}
        given |= {"orders": ORDERS[self.tier]} if self.tier else {}
        given |= {"repeat": self.repeat} if self.repeat > 1 else {}
        return {**given, **self.settings}


def evaluation_spec(
    old: RunSpec, judged: Proceedings, request: EvaluationRequest, environment: Mapping[str, str]
) -> RunSpec:
    """Build the spec of an evaluation of a finished debate."""
    if old.debate.judged:
        cure = f"of {old.judged!r}: evaluate that one" if old.judged else "not a debate. Evaluate a finished debate"
        raise Unsuitable(f"{old.run_id!r} is a judging or comparison, {cure}")
    if fixed := sorted({"judges", "families", "debaters"} & request.settings.keys()):
        raise Unsuitable(f"{', '.join(fixed)} can't be set here", fix="choose judges with --judges and --tier")
    model_specs = panel(old, request.as_judging, environment)
    families: list[JsonValue] = [family(model_spec) for model_spec in model_specs]
    kin: list[JsonValue] = [*kin_of(old, judged)]
    settings: dict[str, JsonValue] = {"judges": len(model_specs), "families": families, "debaters": kin}
    if required := judged.transcript.debate_metadata.required_rung:
        settings["rung"] = required
    debate = audit(SCRIPT, old, judged, {**settings, **request.chosen()})
    # Reader and clerk are the first judge's model, each by itself.
    seated = {seat.id: model_specs[max(n - 2, 0)] for n, seat in enumerate(debate.seats)}
    return spec_from(old, debate, seated, request.as_judging)


AuditName = Literal["control", "judging", "summary", "evaluation"]
