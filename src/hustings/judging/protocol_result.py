"""Applies what a protocol's own result says about an argument to its row."""

from __future__ import annotations

from hustings.script.protocol_result import ProtocolResult

from .explanation import WORDS
from .judgement import ArgumentResult


def ruled(row: ArgumentResult, decision: ProtocolResult) -> ArgumentResult:
    """An argument with the standing that the protocol gave it; the scores stay as they are."""
    ruling = decision.rulings.get(row.id)
    if ruling is None or row.standing == "withdrawn":
        return row
    return row.model_copy(
        update={
            "standing": ruling.standing,
            "reason": f"{WORDS[ruling.standing]}: {ruling.reason.rstrip('.')}.",
            "examined": ruling.happened,
            "guards": ("checked",),
            "interval": None,
            "shares": {},
            "certainty": None,
            "flip": None,
        }
    )
