"""A report as one HTML file: verdict, trace, scores, map and transcript; no script, nothing from elsewhere."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from hustings.judging.dossier import Dossier
from hustings.lab.report.quote_places import pieces
from hustings.report import argument_map, record_view, scores_view, support_text, wording
from hustings.report.view import for_export, view
from hustings.text.figures import listed, visible
from hustings.text.words import shortened

if TYPE_CHECKING:
    from jinja2 import Template

FORMAT = "html"
SUFFIX = "html"


def render(dossier: Dossier) -> str:
    shown = for_export(view(dossier))
    turns = iter(shown.speeches)
    return _report().render(
        view=shown,
        speeches={speech.id: speech for speech in shown.speeches},
        chairs={chair.id: chair for chair in shown.seats},
        rounds=[(head, list(islice(turns, len(head.speeches)))) for head in shown.rounds],
        claims={claim.id: claim for claim in shown.claims},
        replies={reply.id: reply for reply in shown.replies if not reply.source},
        notes=record_view.notes(dossier.proceedings),
        map=argument_map.draw(shown),
    )


@cache
def _report() -> Template:
    """Loaded when the first report is written: listing the formats needs no templates."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415

    environment = Environment(
        loader=PackageLoader("hustings.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filters: dict[str, Any] = environment.filters
    filters.update(place=place, heat=scores_view.heat, shortened=shortened, listed=listed)
    known: dict[str, Any] = environment.globals
    known.update(
        pieces=pieces,
        wording=wording,
        support_text=support_text,
        signs=argument_map.SIGNS,
        box_width=argument_map.WIDTH,
    )
    return environment.get_template("report.html.j2")


def _shown(value: Any) -> Any:
    """Make control characters visible; autoescaping follows. Markup is the template's own and passes unchanged."""
    return visible(value) if type(value) is str else value


def place(name: str, kind: str) -> str:
    """Return a unique anchor for a name, whatever characters it contains."""
    return f"{kind}-" + UNSAFE.sub(lambda found: f"_{ord(found.group()):x}_", name)


UNSAFE = re.compile(r"[^A-Za-z0-9.:-]")
