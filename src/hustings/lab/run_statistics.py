"""Reads the figures of many debates from a database: evaluations, ratings, cost, times of calls, real outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from hustings.runs.outcome_text import outcome_of
from hustings.runs.queries import EVERY

from .coordination import challenges_answered, gini_of_words, idle_share
from .evaluation_results import evaluation
from .labelled_runs import accord_of
from .many_runs import Grouping, RunFigures, Statistics, statistics_of

if TYPE_CHECKING:
    from hustings.runs.queries import RunQueries
    from hustings.runs.run_summary import RunSummary
    from hustings.script.debate import DebateSpec, Proceedings

    from .artefact import Evaluation

MOST_RUNS = 1_000
"""Debates that are read, the newest first: each is read whole."""


def read_statistics(
    runs: RunQueries, by: Grouping | None = None, *, since: str | None = None, most: int = MOST_RUNS
) -> Statistics:
    """Statistics of the debates that came to their end, of those that the reader may see."""
    figures, left_out = read_figures(runs, since=since, most=most)
    return with_people(runs, statistics_of(figures, by, since=since, left_out=left_out), figures)


def with_people(runs: RunQueries, told: Statistics, figures: Sequence[RunFigures]) -> Statistics:
    """The same statistics, with how far evaluations of these debates agree with people."""
    return told.model_copy(update={"people": accord_of(runs, [one.run_id for one in figures])})


def read_figures(
    runs: RunQueries, *, since: str | None = None, batch: str | None = None, most: int = MOST_RUNS
) -> tuple[list[RunFigures], int]:
    """Figures of each debate that came to its end, the oldest first, and how many older ones are left out."""
    found = [report for report in runs.latest(batch=batch, state="ended", most=EVERY) if _counts(report, since)]
    return [_figures(runs, report) for report in reversed(found[:most])], max(0, len(found) - most)


def _counts(report: RunSummary, since: str | None) -> bool:
    return report.is_debate and report.ending == "played" and (since is None or report.created_at >= since)


def _figures(runs: RunQueries, report: RunSummary) -> RunFigures:
    debate, proceedings = runs.spec(report.run_id).debate, runs.finished(report.run_id)
    found, assessment = evaluation(runs, report.run_id), _assessment(proceedings)
    own = found.x_hustings.metrics if found else None
    known: dict[str, float | None] = {
        **(_evaluated(found) if found else {}),
        "gini_of_words": gini_of_words(proceedings.transcript),
        "idle_share": idle_share(_calls(runs, report.run_id)),
        "tokens": report.tokens,
        "dollars": round(sum(one.spent for one in (report, *runs.audits(report.run_id))), 6),
        "rating": report.rating,
    }
    complexity = assessment.get("score")
    return RunFigures(
        run_id=report.run_id,
        question=debate.topic,
        groups=_groups(debate, assessment),
        figures={name: value for name, value in known.items() if value is not None},
        outcome=outcome_of(report),
        evaluated=found is not None,
        complexity=float(complexity) if isinstance(complexity, int | float) else None,
        decision=own.decision if own else None,
        happened=report.happened,
    )


def _evaluated(found: Evaluation) -> dict[str, float | None]:
    """What an evaluation measured, under the names of the statistics."""
    own, summary = found.x_hustings, found.run_summary
    return {
        "gamma_mean": summary.crit_summary.gamma_mean,
        "trace_consistency_rate": summary.rca_summary.trace_consistency_rate,
        "argument_diversity": own.metrics.argument_diversity,
        "reasoning_depth": own.metrics.reasoning_depth,
        "synthesis_quality": own.metrics.synthesis_quality,
        "balance": own.metrics.balance,
        "decision_confidence": own.metrics.decision_confidence,
        "cost_efficiency": own.metrics.cost_efficiency,
        "challenges_answered": challenges_answered(own.seats),
        "redundancy": own.metrics.redundancy,
    }


def _groups(debate: DebateSpec, assessment: Mapping[str, Any]) -> dict[Grouping, str]:
    models = sorted({player.model for player in debate.players.values() if player.model})
    task = debate.scenario.task_type if debate.scenario else None
    extent = ("extended" if assessment["extended"] else "standard") if "extended" in assessment else ""
    return {"protocol": debate.protocol, "task": task or debate.protocol, "model": ", ".join(models), "extent": extent}


def _assessment(proceedings: Proceedings) -> Mapping[str, Any]:
    """What an adaptive debate made of its question; empty for others."""
    match proceedings.result:
        case {"assessment": dict() as found}:
            return cast("Mapping[str, Any]", found)
        case _:
            return {}


def _calls(runs: RunQueries, run_id: str) -> Iterable[tuple[float, float]]:
    for _, sent, answered in runs.call_times(run_id):
        yield sent, datetime.fromisoformat(answered).timestamp()
