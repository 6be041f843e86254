"""`hustings audit`: try a model as a judge before it is trusted with a debate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hustings.export import card
from hustings.home.caution import affordable
from hustings.home.variables import variables
from hustings.run.judging import JudgingWish, card_of, commission_probing

from .database import open_runs
from .execute import execute
from .options import CapOptions, Place
from .rehearse import setting
from .terminal import show_event
from .typesetting import show_markdown

if TYPE_CHECKING:
    from hustings.run.queries import RunQueries


def audit_model(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="provider/model, provider/model@base_url or improviser.")
    ],
    *,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the trial; repeatable.")
    ] = None,
    caps: CapOptions,
    place: Place,
) -> None:
    """Try a model as a judge before it is trusted: the same again, sides swapped, padded, and so on."""
    known = variables()
    wish = JudgingWish(settings=dict(setting(text) for text in settings or ()), caps=caps.given)
    commission = affordable(commission_probing(model, wish, known), known)
    code = execute(commission, place)
    if not place.detach:
        with open_runs(place.database) as runs:
            tell_card(runs, commission.run_id, as_json=place.as_json)
    raise typer.Exit(code)


def tell_card(runs: RunQueries, run_id: str, *, as_json: bool) -> None:
    """The card that a trial came to; nothing while it is not over."""
    if (proceedings := runs.proceedings(run_id)) is None:
        return
    found = card_of(runs.commission(run_id), proceedings)
    if as_json:
        show_event({"kind": "card", "run_id": run_id, **found.model_dump(mode="json")})
        return
    show_markdown(card.render(found))
