"""The evaluation as a section of an HTML report."""

from __future__ import annotations

from typing import Any

from jinja2 import ChoiceLoader, PackageLoader

from hustings.report.formats.html import environment
from hustings.transcript.models import Transcript

from .evaluation_view import EvaluationView
from .quote_places import pieces


def render_section(view: EvaluationView, transcript: Transcript) -> str:
    reports = environment()
    loaders = [PackageLoader("hustings.lab.report"), PackageLoader("hustings.report")]
    templates = reports.overlay(loader=ChoiceLoader(loaders))
    template: Any = templates.get_template("evaluation.html.j2", globals={"pieces": pieces})
    return template.module.evaluation_section(view, {turn.turn_id: turn.said for turn in transcript.turns})
