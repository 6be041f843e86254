"""What the controller of a debate saw, decided and told, in sentences for terminal and reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hustings.script.oversight import CONTROLLED
from hustings.transcript.models import Intervention, Transcript
from hustings.transcript.notes import RULES, Note

PERSON = "human_override"
EXPERIMENTAL = "Control while a debate runs is experimental: no gain on real models is known."


def looks_of(notes: Iterable[Note]) -> list[Mapping[str, Any]]:
    """What the controller noted, in order; orders of people at the dial are among it."""
    return [note.body for note in notes if note.kind == CONTROLLED and note.by == RULES]


def look_line(body: Mapping[str, Any]) -> str:
    """One look, or one order, in a line."""
    if order := body.get("dial"):
        return f"a person took the dial: {order}; tone {body['beta']:.2f}"
    marks = [
        f"reasoning {_figure(body['rho'])} (target 0.80)",
        *([f"divergence {_figure(body['js'])}"] if body["js"] is not None else []),
        *([f"common ground {_figure(body['ov'])}"] if body["ov"] is not None else []),
        *(["agreement is hollow"] if body["alarm"] else []),
        f"tone {body['beta']:.2f}{' held' if body['held'] else ' frozen' if body['frozen'] else ''}",
        f"evidence gate {body['gate']}",
    ]
    return f"the controller looked: {', '.join(marks)}"


def told_line(told: Intervention) -> str:
    """What a seat was told, and by whom."""
    by_person = told.trigger == PERSON and told.controller_snapshot is None
    who = "from the chair" if by_person else f"the controller tells {told.speaker_id} ({told.trigger})"
    return f"{who}: {told.instruction_sent}"


def control_summary(transcript: Transcript, notes: Iterable[Note]) -> str:
    """What a reader of the report has to know of the controller; empty if there was none."""
    looks = looks_of(notes)
    if not looks:
        return ""
    count = sum(one.controller_snapshot is not None for one in transcript.intervention_log or ())
    path = " → ".join(["0.50", *(f"{body['beta']:.2f}" for body in looks)])
    told = f"It gave {count} {'instruction' if count == 1 else 'instructions'}."
    return f"A controller (law {looks[0]['law']}) watched this debate; tone {path}. {told} {EXPERIMENTAL}"


def _figure(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"
