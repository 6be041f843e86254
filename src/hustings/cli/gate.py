"""The verdict of a critique as an exit code, for scripts that go on only if a document may."""

from __future__ import annotations

from typing import Literal

from hustings.errors import Unsuitable
from hustings.runs.own_verdict import GIVES_A_VERDICT, OwnVerdict, own_verdict

from .commands.db import open_runs
from .execute import FINISHED
from .options import Place
from .terminal import show_event, talk

FailOn = Literal["revise", "reject"]
NO_VERDICT, TOO_STRICT = 5, 6
"""Exit codes. The first is also that of a judging with too few judges."""


def must_have_a_verdict(protocol: str, fail_on: FailOn | None, *, detached: bool) -> None:
    """Refuse --fail-on before anything is paid for, if it could never be answered."""
    if fail_on and protocol not in GIVES_A_VERDICT:
        names = " or ".join(GIVES_A_VERDICT)
        raise Unsuitable(f"{protocol!r} gives no verdict to fail on", fix=f"use --protocol {names}, or drop --fail-on")
    if fail_on and detached:
        raise Unsuitable("--fail-on waits for the verdict, and --detach does not", fix="drop one of them")


def gate_code(code: int, run_id: str, fail_on: FailOn | None, place: Place) -> int:
    """The exit code of a run whose verdict counts; one that did not finish keeps its own.

    The verdict of a critique stands whether or not enough judges judged it afterwards.
    """
    if fail_on is None or code not in {FINISHED, NO_VERDICT}:
        return code
    with open_runs(place.database) as runs:
        proceedings = runs.proceedings(run_id)
    found = own_verdict(proceedings.result) if proceedings else OwnVerdict()
    fails = found.at_least(fail_on)
    if place.as_json:
        show_event({"kind": "gate", "run_id": run_id, "fail_on": fail_on, "fails": fails, **found.model_dump()})
    else:
        talk(f"Verdict: {found.verdict or 'none'}. {found.why}".strip())
    return NO_VERDICT if found.verdict is None else TOO_STRICT if fails else code
