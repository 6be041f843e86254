"""Prints what judging found: a judgement, or the report on a judge, as Markdown or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from hustings.judging.judgement import Judgement
from hustings.lab.report.trial_text import render_judge_report
from hustings.lab.trials import judge_report_of
from hustings.report import judgement_markdown
from hustings.report.markdown import table
from hustings.report.result_sections import result_sections
from hustings.runs.dossiers import dossier

from .display import show_markdown
from .terminal import show_event, talk

if TYPE_CHECKING:
    from hustings.lab.gold_trial import GoldTrial
    from hustings.runs.queries import RunQueries


def show_judgement(runs: RunQueries, judging: str, depth: int, *, as_json: bool) -> Judgement | None:
    """Print the judgement of a judging, as text or JSON."""
    about = dossier(runs, judging)
    if (found := about.judgement) is None:
        return None
    if as_json:
        # Missing scores are null, not omitted: the line holds the complete judgement.
        show_event({"kind": "judgement", "run_id": judging, **found.model_dump(mode="json")})
        return found
    result = result_sections(about.proceedings, found)
    told = judgement_markdown.render_judgement(
        found, depth=_depth(depth), cost=about.cost, result=result, summary=about.summary
    )
    show_markdown(told)
    if depth < 3:
        talk(f"Read more: hustings show {judging} --briefing --depth 3")
    else:
        talk(f"Read what was said: hustings show {found.judged} --transcript")
    return found


def _depth(given: int) -> Literal[1, 2, 3]:
    return 1 if given == 1 else 2 if given == 2 else 3


def show_judge_report(runs: RunQueries, run_id: str, *, as_json: bool) -> None:
    """Print the report of a trial; nothing while the trial is not over."""
    if (proceedings := runs.proceedings(run_id)) is None:
        return
    found = judge_report_of(runs.spec(run_id), proceedings)
    if as_json:
        show_event({"kind": "card", "run_id": run_id, **found.model_dump(mode="json")})
        return
    show_markdown(render_judge_report(found))


def show_gold_trials(trials: Sequence[GoldTrial], *, as_json: bool) -> None:
    """Print how a judge compares with careful readers on gold debates."""
    if as_json:
        for trial in trials:
            show_event({"kind": "gold_trial", **trial.model_dump(mode="json")})
        return
    heads = ("Debate", "Same status as a reader", "Far off", "Outcome", "As the readers")
    rows = [
        [t.question, f"{t.right} of {t.arguments}", str(t.off_by_more), t.outcome, "yes" if t.outcome_right else "no"]
        for t in trials
    ]
    told = f"{sum(t.right for t in trials)} of {sum(t.arguments for t in trials)} arguments"
    show_markdown(f"## Beside careful readers\n\n{table(heads, rows)}\n\nThe judge agrees with a reader on {told}.\n")
