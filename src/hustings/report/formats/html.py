"""A report as one HTML file: verdict, trace, scores, map and transcript; no script, nothing from elsewhere."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from hustings.judging.dossier import Dossier
from hustings.report import argument_map, record_view, scores_view, support_text, wording
from hustings.report.view import for_export, view
from hustings.text.figures import listed, visible
from hustings.text.words import shortened

if TYPE_CHECKING:
    from jinja2 import Environment

FORMAT = "html"
SUFFIX = "html"


def render(dossier: Dossier) -> str:
    shown = for_export(view(dossier))
    turns = iter(shown.speeches)
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            view=shown,
            speeches={speech.id: speech for speech in shown.speeches},
            chairs={chair.id: chair for chair in shown.seats},
            rounds=[(head, list(islice(turns, len(head.speeches)))) for head in shown.rounds],
            claims={claim.id: claim for claim in shown.claims},
            replies={reply.id: reply for reply in shown.replies if not reply.source},
            notes=record_view.notes(dossier.proceedings),
            map=argument_map.draw(shown),
            sections=[section.html() for section in dossier.sections],
            titles=[(section.name, section.title) for section in dossier.sections],
        )
    )


@cache
def environment() -> Environment:
    """Templates of reports. Loaded when the first is written: listing the formats needs none."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415

    made = Environment(
        loader=PackageLoader("hustings.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filters: dict[str, Any] = made.filters
    filters.update(place=place, heat=scores_view.heat, shortened=shortened, listed=listed)
    names: dict[str, Any] = made.globals
    names.update(
        wording=wording,
        support_text=support_text,
        signs=argument_map.SIGNS,
        box_width=argument_map.WIDTH,
    )
    return made


def _shown(value: Any) -> Any:
    """Make control characters visible; autoescaping follows. Markup is the template's own and passes unchanged."""
    return visible(value) if type(value) is str else value


def place(name: str, kind: str) -> str:
    """Return a unique anchor for a name, whatever characters it contains."""
    return f"{kind}-" + UNSAFE.sub(lambda found: f"_{ord(found.group()):x}_", name)


UNSAFE = re.compile(r"[^A-Za-z0-9.:-]")
