"""A report in Markdown: the briefing at all its depths, then everything that was said."""

from __future__ import annotations

from hustings.judging.dossier import Dossier
from hustings.report import judgement_markdown, markdown
from hustings.report.result_sections import result_sections

FORMAT = "md"
SUFFIX = "md"


def render(dossier: Dossier) -> str:
    title, *record = markdown.parts(dossier.proceedings, result=dossier.judgement is None)
    added = [block for section in dossier.sections for block in section.markdown()]
    if dossier.judgement:
        result = result_sections(dossier.proceedings, dossier.judgement)
        report = judgement_markdown.render_judgement(
            dossier.judgement, cost=dossier.cost, result=result, summary=dossier.summary
        )
        return "\n\n".join([report.rstrip("\n"), *added, "# Transcript", *record]) + "\n"
    cost = [f"- **Cost:** {dossier.cost}"] if dossier.cost else []
    said = [*added, "# Transcript", *record] if added else record
    return "\n\n".join([title, UNJUDGED, *cost, *said]) + "\n"


UNJUDGED = "**Not judged yet.** This is what was said."
