"""The transcript alone, sealed with its digest: a Debate Transcript 2.0.0 that `hustings validate` takes."""

from __future__ import annotations

from hustings.judging.dossier import Dossier
from hustings.script.background import background_of
from hustings.text.figures import as_json
from hustings.transcript.bare import bare
from hustings.transcript.canonical import sealed

FORMAT = "transcript"
SUFFIX = "transcript.json"


def render(dossier: Dossier) -> str:
    return as_json(dossier.proceedings.document(), indent=2) + "\n"


def render_bare(dossier: Dossier) -> str:
    """Only fields of the public schema; the document that came with the question is among the notes."""
    transcript = dossier.proceedings.transcript
    document = background_of(transcript.debate_metadata)
    notes = f"Background document: {document.title}\n\n{document.text}" if document else None
    return as_json(sealed(bare(transcript, notes)), indent=2) + "\n"
