"""The transcript alone, sealed with its digest: a Debate Transcript 2.0.0 that `hustings validate` takes."""

from __future__ import annotations

from hustings.judging.dossier import Dossier
from hustings.text.figures import as_json

FORMAT = "transcript"
SUFFIX = "transcript.json"


def render(dossier: Dossier) -> str:
    return as_json(dossier.proceedings.document(), indent=2) + "\n"
