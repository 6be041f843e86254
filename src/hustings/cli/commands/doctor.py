"""`hustings doctor`: check the installation; its output is ready to paste into an issue."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from hustings.cli.model_option import EndpointOption, ModelOption, named_model
from hustings.cli.options import AsJson, DatabaseOption
from hustings.cli.terminal import show_json, show_line, talk
from hustings.config import doctor
from hustings.llm.local_servers import find

FAULTY = 1


def examine(
    *,
    online: Annotated[
        bool, typer.Option("--online", help="Also make one cheap call to each configured model.")
    ] = False,
    model: ModelOption = "",
    endpoint: EndpointOption = "",
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Check the installation and show how to fix problems. Exit code: 0 fine, 1 something failed."""
    found = doctor.examine(database, find(), online=online, model=named_model(model, endpoint))
    faults = sum(finding.state == "FAIL" for finding in found)
    if as_json:
        show_json([asdict(finding) for finding in found])
    else:
        for finding in found:
            cure = f"  → {finding.cure}" if finding.cure else ""
            show_line(f"{finding.state:<5} {finding.about:<13} {finding.said}{cure}")
    talk(_next(faults, online=online))
    raise typer.Exit(FAULTY if faults else 0)


def _next(faults: int, *, online: bool) -> str:
    if faults:
        return f"{faults} failed: see the fix on each line, then run hustings doctor again"
    return 'Next: hustings "QUESTION"' if online else "Next, call each model once: hustings doctor --online"
