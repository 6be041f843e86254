"""The evaluation as a section of a finished debate: in its view, in reports, and as a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hustings.judging.dossier import DebateSection
from hustings.transcript.models import Transcript

from .report.evaluation_view import EvaluationView

if TYPE_CHECKING:
    from hustings.runs.queries import RunQueries

    from .artefact import Evaluation

VIEW = EvaluationView


def read_section(runs: RunQueries, run_id: str) -> DebateSection | None:
    """The section from an evaluation on record; None while it is not over."""
    from .evaluation_results import evaluation  # noqa: PLC0415  heavy, and most debates are not evaluated

    figures = evaluation(runs, run_id)
    return EvaluationSection(figures, runs.finished(figures.run_id).transcript) if figures else None


class EvaluationSection(DebateSection):
    name = "evaluation"
    title = "Evaluation"

    def __init__(self, evaluation: Evaluation, transcript: Transcript) -> None:
        self.data = evaluation.document()
        self._evaluation, self._transcript = evaluation, transcript

    @cached_property
    def _view(self) -> EvaluationView:
        from .report.evaluation_report import view_evaluation  # noqa: PLC0415  heavy

        return view_evaluation(self._evaluation, self._transcript)

    def view(self) -> EvaluationView:
        return self._view

    def markdown(self) -> Sequence[str]:
        from .report.evaluation_markdown import evaluation_parts  # noqa: PLC0415  heavy

        return list(evaluation_parts(self._view))

    def html(self) -> str:
        from .report.evaluation_html import render_section  # noqa: PLC0415  heavy

        return render_section(self._view, self._transcript)
