"""Tries a judge on gold debates: what it would make of each argument, beside two careful readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from hustings.db.instants import instant
from hustings.runs.judging_spec import JudgingRequest, judgement_of, judging_spec
from hustings.runs.spec import RunSpec, new_fence
from hustings.script.debate import Proceedings

from .gold import GoldDebate, gold_debates, played, score


class GoldTrial(BaseModel, frozen=True, defer_build=True):
    """How one judge did on one gold debate."""

    debate: str
    question: str
    right: int
    """Arguments with a standing that a reader gave too."""
    arguments: int
    off_by_more: int
    """Arguments more than one class away from both readers."""
    outcome: str
    outcome_right: bool


def chosen(count: int) -> Sequence[GoldDebate]:
    """The first gold debates whose arguments are numbered: there a judge's standings compare with the readers'."""
    return [gold for gold in gold_debates().values() if gold.protocol == "structured"][:count]


def gold_trial_spec(gold: GoldDebate, model: str, request: JudgingRequest, environment: Mapping[str, str]) -> RunSpec:
    """Build the spec of a judging of a gold debate by one judge."""
    held = played(gold)
    run_id = f"gold-{gold.name.replace('_', '-')}"
    old = RunSpec(
        run_id=run_id, lineage=run_id, debate=held.debate, model_specs={}, created_at=instant(), fence=new_fence()
    )
    alone = request.model_copy(update={"judges": (model,), "settings": {}})
    return judging_spec(old, held.proceedings, alone, environment).model_copy(update={"judged": ""})


def gold_trial(gold: GoldDebate, spec: RunSpec, proceedings: Proceedings) -> GoldTrial | None:
    """How a finished trial compares with the readers; None if it was not a judging."""
    found = judgement_of(spec.debate, proceedings)
    if found is None:
        return None
    compared = score(gold, found)
    return GoldTrial(
        debate=gold.name,
        question=gold.topic.partition("\n")[0],
        right=sum(compared.exact),
        arguments=len(compared.exact),
        off_by_more=len(compared.off_by_more),
        outcome=compared.outcome[0],
        outcome_right=compared.right_outcome,
    )
