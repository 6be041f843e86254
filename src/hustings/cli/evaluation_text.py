"""Prints an evaluation as a table or JSON, and writes its files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hustings.config.prepare import affordable
from hustings.errors import NotFound, Unsuitable
from hustings.lab.artefact import Evaluation
from hustings.lab.evaluation_results import evaluation, must_be_evaluated
from hustings.lab.report.evaluation_files import as_document, as_lines, as_rows
from hustings.lab.report.evaluation_table import evaluation_text, turn_text, worst_turn
from hustings.lab.report.trial_text import render_evaluator_report
from hustings.lab.trials import evaluator_report_of, evaluator_trial_spec
from hustings.runs.dossiers import latest_audit
from hustings.runs.evaluation_spec import SCRIPT

from .commands.db import open_runs
from .display import show_markdown
from .execute import execute
from .options import Place
from .terminal import show, show_event, show_line, talk

if TYPE_CHECKING:
    from hustings.llm.environment import Environment
    from hustings.runs.judging_spec import JudgingRequest
    from hustings.runs.queries import RunQueries

NOTHING_HEARD = 5
"""Exit code of an evaluation in which no judge answered."""


def show_evaluation(runs: RunQueries, run_id: str, *, as_json: bool) -> tuple[Evaluation, int] | None:
    """Print the evaluation of a debate; return it with the exit code, or None if it is not over."""
    found = evaluation(runs, run_id)
    if found is None:
        return None
    if as_json:
        show_event({"kind": "evaluation", **found.document()})
    else:
        show(evaluation_text(found).rstrip("\n"))
        turn = worst_turn(found)
        talk(f"Next: hustings show {found.run_id} --evaluation" + (f" --turn {turn}" if turn else ""))
    heard = any(judge.accepted for judge in found.x_hustings.judges)
    return found, 0 if heard else NOTHING_HEARD


def show_turn(runs: RunQueries, run_id: str, turn: str, *, as_json: bool) -> None:
    """Print what judges found in one turn."""
    found = must_be_evaluated(runs, run_id)
    text = turn_text(found, turn)
    if text is None:
        known = ", ".join(one.turn_id for one in found.turn_evaluations)
        raise NotFound(f"{turn!r} was not evaluated", fix=f"name one of {known}")
    if as_json:
        one = next(one for one in found.turn_evaluations if one.turn_id == turn)
        show_event({"kind": "turn_evaluation", "run_id": found.run_id, **one.model_dump(mode="json")})
        return
    for line in text.splitlines():
        show_line(line)


def audit_evaluator(model: str, request: JudgingRequest, known: Environment, place: Place) -> int:
    """Hold the trial of an evaluator, and print its report."""
    spec = affordable(evaluator_trial_spec(model, request, known), known)
    code = execute(spec, place)
    if not place.detach:
        with open_runs(place.database) as runs:
            show_evaluator_report(runs, spec.run_id, as_json=place.as_json)
    return code


def show_evaluator_report(runs: RunQueries, run_id: str, *, as_json: bool) -> None:
    """Print the report of a trial; nothing while the trial is not over."""
    if (proceedings := runs.proceedings(run_id)) is None:
        return
    found = evaluator_report_of(runs.spec(run_id), proceedings)
    if as_json:
        show_event({"kind": "evaluator_card", "run_id": run_id, **found.model_dump(mode="json")})
    else:
        show_markdown(render_evaluator_report(found))


def write_evaluation(runs: RunQueries, run_id: str, found: Evaluation, path: Path) -> None:
    """Write a file of the evaluation, by its suffix; the name - is stdout, as JSON."""
    if str(path) == "-":
        sys.stdout.write(as_document(found))
        return
    match path.suffix:
        case ".json":
            text = as_document(found)
        case ".csv":
            text = as_rows(found)
        case ".jsonl":
            name = latest_audit(runs, run_id, SCRIPT) or run_id
            text = as_lines(runs.finished(name).notes, found.run_id)
        case _:
            raise Unsuitable(f"no format for {path.name!r}", fix="use a name that ends with .json, .csv or .jsonl")
    path.write_bytes(text.encode())
    talk(f"Wrote {path}")
