"""Everything in one JSON document: transcript, notes, judgement, sections of plug-ins, and what it took."""

from __future__ import annotations

from hustings.judging.dossier import Dossier
from hustings.report.result_sections import result_sections
from hustings.text.figures import as_json

FORMAT = "json"
SUFFIX = "json"
VERSION = "1.0.0"


def render(dossier: Dossier) -> str:
    proceedings, judgement = dossier.proceedings, dossier.judgement
    document = {
        "dossier_version": VERSION,
        "run_id": proceedings.transcript.run_id,
        "transcript": proceedings.document(),
        "notes": proceedings.notes_document(),
        "result": proceedings.result,
        **({"decision": proceedings.decision.model_dump(mode="json")} if proceedings.decision else {}),
        "result_sections": [
            section.model_dump(mode="json", exclude_none=True) for section in result_sections(proceedings, judgement)
        ],
        "ending": proceedings.ending.model_dump(mode="json"),
        # What could not be scored is null, and not left out.
        "judgement": judgement and judgement.model_dump(mode="json"),
        **({"summary": dossier.summary.model_dump(mode="json")} if dossier.summary else {}),
        **{section.name: section.data for section in dossier.sections},
        "expenses": [expense.model_dump(mode="json") for expense in dossier.expenses],
    }
    return as_json(document, indent=2) + "\n"
