"""Reads the steps of a controller back from the notes of its debate, for the evaluation and its plots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hustings.lab.artefact import ControlStep
from hustings.script.oversight import CONTROLLED
from hustings.transcript.notes import RULES, Note

TERMS = ("e_t", "u_t", "k_p", "k_i", "k_d", "beta", "gate", "tone", "rho", "js", "ov", "alarm", "frozen")


def control_steps(notes: Iterable[Note]) -> tuple[ControlStep, ...]:
    """One step for each look, in order. A person's order at the dial is no step; its tone shows in the next look."""
    bodies: list[Any] = [note.body for note in notes if note.kind == CONTROLLED and note.by == RULES]
    return tuple(
        ControlStep(
            round_index=body["round"],
            told=tuple(dict.fromkeys(one["trigger"] for one in body["told"])),
            **{name: body[name] for name in TERMS},
        )
        for body in bodies
        if "dial" not in body
    )
