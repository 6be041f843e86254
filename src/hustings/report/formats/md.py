"""A report in Markdown: the briefing at all its depths, then everything that was said."""

from __future__ import annotations

from hustings.judging.dossier import Dossier
from hustings.report import judgement_markdown, markdown
from hustings.report.evaluation.evaluation_markdown import evaluation_parts
from hustings.report.evaluation.evaluation_report import evaluation_of
from hustings.report.result_sections import result_sections

FORMAT = "md"
SUFFIX = "md"


def render(dossier: Dossier) -> str:
    title, *record = markdown.parts(dossier.proceedings, result=dossier.judgement is None)
    evaluated = _evaluated(dossier)
    if dossier.judgement:
        result = result_sections(dossier.proceedings, dossier.judgement)
        report = judgement_markdown.render_judgement(
            dossier.judgement, cost=dossier.cost, result=result, summary=dossier.summary
        )
        return "\n\n".join([report.rstrip("\n"), *evaluated, "# Transcript", *record]) + "\n"
    cost = [f"- **Cost:** {dossier.cost}"] if dossier.cost else []
    said = [*evaluated, "# Transcript", *record] if evaluated else record
    return "\n\n".join([title, UNJUDGED, *cost, *said]) + "\n"


def _evaluated(dossier: Dossier) -> list[str]:
    found = evaluation_of(dossier)
    return list(evaluation_parts(found)) if found else []


UNJUDGED = "**Not judged yet.** This is what was said."
