"""Words for small scenes: a debate in letters, events, interventions."""

from __future__ import annotations

from itertools import count
from typing import Any

from .cases import T0, sample
from .valid import Obj

ATTEMPT = ("rounds", 0, "turns", 0, "attempts", 1)
AT = "/rounds/0/turns/0/attempts/1"
"""The ok attempt of the sample's first turn."""


def debate(*rounds: str, people: str = "abc", **more: Any) -> Obj:
    """An in_loop file with one letter for each turn; all times rise."""
    clock = count()
    return {
        **{key: sample()[key] for key in ("schema_version", "debate_id", "run_id", "mode", "created_at")},
        "run_metadata": {},
        "debate_metadata": {},
        "participants": [{"agent_id": name} for name in people],
        "rounds": [
            {"round_index": i + 1, "turns": [turn(i, j, name, next(clock)) for j, name in enumerate(speakers)]}
            for i, speakers in enumerate(rounds)
        ],
        **more,
    }


def turn(i: int, j: int, name: str, second: int) -> Obj:
    attempt = {"attempt_index": 0, "timestamp": f"2026-01-01T01:00:{second:02}Z", "status": "ok", "content": "c"}
    place = {"turn_id": f"r{i + 1}.t{j}", "round_index": i + 1, "turn_index_in_round": j}
    return {**place, "speaker_id": name, "attempts": [attempt]}


def event(name: str, kind: str, number: int | None = None) -> Obj:
    return {"timestamp": T0, "agent_id": name, "event_type": kind, "round_index": number}


def entry(scope: str, **more: Any) -> Obj:
    words = {"trigger": "crit_fail", "instruction_sent": "i"}
    return {"intervention_id": "iv", "timestamp": T0, "scope": scope, **words, **more}
