"""`hustings audit`: try a model as a judge, and print the report on it."""

from __future__ import annotations

from typing import Annotated

import typer

from hustings.cli.execute import execute
from hustings.cli.judgement_text import show_judge_report
from hustings.cli.options import CapOptions, Place, setting
from hustings.config.default_caps import affordable
from hustings.config.variables import variables
from hustings.runs.judging_spec import JudgingRequest, probing_spec

from .db import open_runs


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
            show_judge_report(runs, spec.run_id, as_json=place.as_json)
    raise typer.Exit(code)
