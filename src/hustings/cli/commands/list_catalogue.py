"""`hustings catalogue`: list the personalities, lenses and topics that can be chosen by name."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated, Literal

import typer

from hustings.cli.options import AsJson
from hustings.cli.terminal import show, show_json, talk
from hustings.config.own_catalogue import KINDS, own_catalogue
from hustings.script.catalogue import Catalogue

Kind = Literal["personalities", "lenses", "topics"]


def list_catalogue(
    kind: Annotated[
        Kind | None, typer.Argument(metavar="KIND", help="personalities, lenses or topics; otherwise all of them.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """List personalities, lenses and topics to choose from, your own included."""
    known, kinds = own_catalogue(), [kind] if kind else [*KINDS]
    if as_json:
        show_json({each: [entry.model_dump(mode="json") for entry in getattr(known, each)] for each in kinds})
        return
    for each in kinds:
        show(f"{each.capitalize()}\n{'-' * len(each)}")
        for line in LINES[each](known):
            show(line)
        show()
    talk("A way to argue: --persona SEAT=NAME. A topic: hustings topic:NAME. Your own: hustings.toml (hustings init)")


def _personalities(known: Catalogue) -> list[str]:
    width = max(len(entry.id) for entry in known.personalities)
    return [f"  {entry.id:<{width}}  {entry.style}" for entry in known.personalities]


def _lenses(known: Catalogue) -> list[str]:
    """By field, in the order of the fields."""
    fields = [domain.id for domain in known.domains]
    ordered = sorted(known.lenses, key=lambda lens: fields.index(lens.domain))
    width = max(len(lens.id) for lens in ordered)
    found: list[str] = []
    for field, lenses in groupby(ordered, key=lambda lens: lens.domain):
        found.append(f"  {known.domain(field).name}")
        found += [f"    {lens.id:<{width}}  {lens.name}{' (contrarian)' if lens.contrarian else ''}" for lens in lenses]
    return found


def _topics(known: Catalogue) -> list[str]:
    width = max(len(topic.id) for topic in known.topics)
    return [f"  {topic.id:<{width}}  {topic.text}" for topic in known.topics]


LINES = {"personalities": _personalities, "lenses": _lenses, "topics": _topics}
