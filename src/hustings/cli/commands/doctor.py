"""`hustings doctor`: check the installation; its output is ready to paste into an issue."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated

import typer

from hustings.cli.options import AsJson, DatabaseOption
from hustings.cli.terminal import show_json, show_line, talk
from hustings.config.checkup import CheckResult, check_up, fault
from hustings.config.models import INVENTED, configured_models
from hustings.config.prepare import must_be_there
from hustings.config.variables import variables
from hustings.errors import HustingsError, Unreachable
from hustings.llm.environment import Environment
from hustings.llm.local_servers import LocalServer, find
from hustings.llm.model_spec import ModelSpec

FAULTY = 1


def examine(
    *,
    online: Annotated[
        bool, typer.Option("--online", help="Also make one cheap call to each configured model.")
    ] = False,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Check the installation and show how to fix problems. Exit code: 0 fine, 1 something failed."""
    servers = find()
    found = [*check_up(database, servers), *_model_specs(servers, online=online)]
    faults = sum(finding.state == "FAIL" for finding in found)
    if as_json:
        show_json([asdict(finding) for finding in found])
    else:
        for finding in found:
            cure = f"  → {finding.cure}" if finding.cure else ""
            show_line(f"{finding.state:<5} {finding.about:<13} {finding.said}{cure}")
    talk(_next(faults, online=online))
    raise typer.Exit(FAULTY if faults else 0)


def _model_specs(servers: tuple[LocalServer, ...], *, online: bool) -> list[CheckResult]:
    """Check the configured models, else the default one; with `online`, whether they answer."""
    try:
        known = variables()
        return _told(servers, known, online=online)
    except HustingsError:
        return []  # `check_up` has already reported the settings


def _told(servers: tuple[LocalServer, ...], known: Environment, *, online: bool) -> list[CheckResult]:
    found: list[CheckResult] = []
    there: dict[str, ModelSpec] = {}
    for speaker in configured_models(known, servers):
        if speaker.problem is not None:
            told = fault("model", speaker.problem)
            found.append(
                told
                if known.set_up
                else CheckResult(
                    "warn",
                    "model",
                    told.said,
                    f"hustings demo needs none. Or {INVENTED}. See what is available: hustings models",
                )
            )
        elif (model_spec := speaker.model_spec) is not None:
            try:
                must_be_there([model_spec])
            except Unreachable as error:
                absent = fault("model", error)
                found.append(replace(absent, said=f"{speaker.name}: {absent.said}"))
                continue
            key = f", key {model_spec.key} from {known.place_of(model_spec.key)}" if model_spec.key else ""
            found.append(CheckResult("ok", "model", f"{speaker.name}: {model_spec.label}{key}"))
            there[model_spec.model_dump_json()] = model_spec
    if online:
        from hustings.config.checkup import called  # noqa: PLC0415  heavy

        found += called(list(there.values()), known)
    return found


def _next(faults: int, *, online: bool) -> str:
    if faults:
        return f"{faults} failed: see the fix on each line, then run hustings doctor again"
    return 'Next: hustings "QUESTION"' if online else "Next, call each model once: hustings doctor --online"
