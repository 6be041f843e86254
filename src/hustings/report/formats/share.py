"""The pages of `hustings serve` as one HTML file with the debate inside: map, trace, scores, replay; works offline."""

from __future__ import annotations

from hustings.judging.dossier import Dossier
from hustings.report.sharing import share
from hustings.report.view import view

FORMAT = "share"
SUFFIX = "share.html"
PAGE = "web/_share/index.html"
"""Built by `make frontend`, and part of every wheel."""


def render(dossier: Dossier, page: str) -> str:
    return share(view(dossier), page)
