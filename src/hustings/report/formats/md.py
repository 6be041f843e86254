"""A report in Markdown: the briefing at all its depths, then everything that was said."""

from __future__ import annotations

from hustings.judging.dossier import Dossier
from hustings.report import judgement_markdown, markdown

FORMAT = "md"
SUFFIX = "md"


def render(dossier: Dossier) -> str:
    title, *record = markdown.parts(dossier.proceedings)
    if dossier.judgement:
        report = judgement_markdown.render_judgement(dossier.judgement, cost=dossier.cost)
        return "\n\n".join([report.rstrip("\n"), "# The record", *record]) + "\n"
    cost = [f"- **Cost:** {dossier.cost}"] if dossier.cost else []
    return "\n\n".join([title, UNJUDGED, *cost, *record]) + "\n"


UNJUDGED = "**Not judged:** nobody has weighed what follows. It is what was said, and no verdict."
