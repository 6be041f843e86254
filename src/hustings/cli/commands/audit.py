"""`hustings audit`: try a model as a judge, and print the report on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hustings.cli.execute import execute
from hustings.cli.markdown_view import show_markdown
from hustings.cli.options import CapOptions, Place
from hustings.cli.terminal import show_event
from hustings.config.default_caps import affordable
from hustings.config.variables import variables
from hustings.report import judge_report_markdown
from hustings.runs.judging_spec import JudgingRequest, judge_report_of, probing_spec

from .db import open_runs
from .rehearse import setting

if TYPE_CHECKING:
    from hustings.runs.queries import RunQueries


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
    request = JudgingRequest(settings=dict(setting(text) for text in settings or ()), caps=caps.given)
    spec = affordable(probing_spec(model, request, known), known)
    code = execute(spec, place)
    if not place.detach:
        with open_runs(place.database) as runs:
            tell_card(runs, spec.run_id, as_json=place.as_json)
    raise typer.Exit(code)


def tell_card(runs: RunQueries, run_id: str, *, as_json: bool) -> None:
    """Print the report of a trial; nothing while the trial is not over."""
    if (proceedings := runs.proceedings(run_id)) is None:
        return
    found = judge_report_of(runs.spec(run_id), proceedings)
    if as_json:
        show_event({"kind": "card", "run_id": run_id, **found.model_dump(mode="json")})
        return
    show_markdown(judge_report_markdown.render(found))
