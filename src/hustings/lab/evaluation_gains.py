"""Two evaluated debates side by side: what the second has over the first in depth, points, confidence and cost."""

from __future__ import annotations

from pydantic import BaseModel

from .artefact import DebateFigures, Evaluation
from .debate_metrics import Gains, Measured, gains, points_at_length

ONE_PAIR = "one pair proves nothing"


class EvaluatedPair(BaseModel, frozen=True, defer_build=True):
    """Figures of two debates, and what the second has over the first. Null where one of them is not known."""

    evaluations: tuple[str, str]
    """Ids of the evaluating runs."""
    reasoning_depth: tuple[float | None, float | None]
    argument_diversity: tuple[float | None, float | None]
    points_at_equal_length: tuple[float | None, float | None]
    """Distinct points to expect in as many claims as the shorter debate has."""
    decision_confidence: tuple[float | None, float | None]
    tokens: tuple[int | None, int | None]
    dollars: tuple[float | None, float | None]
    gains: Gains
    caveats: tuple[str, ...]


def evaluated_pair(first: Evaluation, second: Evaluation) -> EvaluatedPair:
    one, other = first.x_hustings.metrics, second.x_hustings.metrics
    length = min(sum(one.points.values()), sum(other.points.values()))
    return EvaluatedPair(
        evaluations=(first.x_hustings.evaluation_run_id, second.x_hustings.evaluation_run_id),
        reasoning_depth=(one.reasoning_depth, other.reasoning_depth),
        argument_diversity=(one.argument_diversity, other.argument_diversity),
        points_at_equal_length=(points_at_length(one.points, length), points_at_length(other.points, length)),
        decision_confidence=(one.decision_confidence, other.decision_confidence),
        tokens=(one.tokens, other.tokens),
        dollars=(one.cost, other.cost),
        gains=gains(_measured(other), _measured(one)),
        caveats=tuple(_caveats(first, second)),
    )


def _measured(figures: DebateFigures) -> Measured:
    """What is compared; a debate that cost nothing has no price to multiply."""
    return Measured(
        depth=figures.reasoning_depth,
        points=figures.points,
        confidence=figures.decision_confidence,
        tokens=figures.tokens,
        cost=figures.cost or None,
    )


def _caveats(first: Evaluation, second: Evaluation) -> list[str]:
    found = [ONE_PAIR]
    models = [sorted(judge.model for judge in one.x_hustings.judges) for one in (first, second)]
    if models[0] != models[1]:
        found.append("different judges evaluated them")
    if first.x_hustings.prompt_versions != second.x_hustings.prompt_versions:
        found.append("the judges were asked in different words")
    return found
