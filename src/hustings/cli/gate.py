"""A protocol's own verdict as an exit code, for scripts that go on only if it is mild enough."""

from __future__ import annotations

from dataclasses import dataclass

from hustings.errors import Unsuitable
from hustings.runs.protocol_files import find_or_load
from hustings.runs.registry import protocols

from .commands.db import open_runs
from .execute import FINISHED
from .options import Place
from .terminal import show_event, talk

NO_VERDICT, TOO_STRICT = 5, 6
"""Exit codes. The first is also that of a judging with too few judges."""


@dataclass(frozen=True)
class VerdictGate:
    verdicts: tuple[str, ...]
    """Of the protocol, from the mildest."""
    fail_on: str
    """The mildest of them that ends in an exit code of its own."""

    def fails(self, verdict: str | None) -> bool:
        """Whether the verdict is as strict as that one; without a verdict it is not."""
        return verdict in self.verdicts[self.verdicts.index(self.fail_on) :]


def gate_for(protocol: str, fail_on: str, *, detached: bool) -> VerdictGate:
    """The gate that --fail-on asks for; refused before anything is paid for, if it could never be answered."""
    verdicts = find_or_load(protocol).verdicts
    if not verdicts:
        names = [name for name, known in protocols().items() if known.verdicts]
        fix = f"use --protocol {' or '.join(names)}, or drop --fail-on"
        raise Unsuitable(f"{protocol!r} gives no verdict to fail on", fix=fix)
    if fail_on not in verdicts[1:]:
        raise Unsuitable(f"{protocol!r} can't fail on {fail_on!r}", fix=f"use {' or '.join(verdicts[1:])}")
    if detached:
        raise Unsuitable("--fail-on waits for the verdict, and --detach does not", fix="drop one of them")
    return VerdictGate(verdicts, fail_on)


def gate_code(code: int, run_id: str, gate: VerdictGate | None, place: Place) -> int:
    """The exit code of a run whose verdict counts; one that did not finish keeps its own.

    A protocol's own verdict stands whether or not enough judges judged the debate afterwards.
    """
    if gate is None or code not in {FINISHED, NO_VERDICT}:
        return code
    with open_runs(place.database) as runs:
        proceedings = runs.proceedings(run_id)
    decision = proceedings.decision if proceedings else None
    verdict, reason = (decision.verdict, decision.reason) if decision else (None, "")
    fails = gate.fails(verdict)
    if place.as_json:
        event = {"run_id": run_id, "fail_on": gate.fail_on, "fails": fails, "verdict": verdict, "why": reason}
        show_event({"kind": "gate", **event})
    else:
        talk(f"Verdict: {verdict or 'none'}. {reason}".strip())
    return NO_VERDICT if verdict is None else TOO_STRICT if fails else code
