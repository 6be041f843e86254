"""A report as one HTML file: verdict, trace, scores, map and transcript; no script, nothing from elsewhere."""

from __future__ import annotations

from hustings.core.dossier import Dossier
from hustings.export.page import report

FORMAT = "html"
SUFFIX = "html"


def render(dossier: Dossier) -> str:
    return report.render(dossier)
