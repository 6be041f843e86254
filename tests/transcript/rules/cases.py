"""Exact cases: small files, the limits they are checked with, and precisely the findings they must give."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hustings.transcript.rules import SizeLimits, check
from hustings.transcript.rules.reader import PUBLISHED

from .valid import Obj

Path_ = tuple[str | int, ...]
Places = tuple[tuple[str, str], ...]
SCHEMA = json.loads((Path(__file__).parents[3] / "schema" / "transcript-2.0.0.json").read_text(encoding="utf-8"))
"""The published schema, not the models: so that the table is not made by what it tests."""


@dataclass(frozen=True)
class Case:
    title: str
    raw: bytes
    expected: Places = ()
    """Codes and pointers, in order."""
    limits: SizeLimits = PUBLISHED

    @property
    def found(self) -> Places:
        return tuple((finding.code, finding.pointer) for finding in check(self.raw, limits=self.limits))


def fields() -> Iterator[Case]:
    """Each field of each object: missing, null, of each wrong type, outside its enumeration."""
    for name, path in PLACES.items():
        model = SCHEMA if name == "Transcript" else SCHEMA["$defs"][name]
        pointer = "".join(f"/{step}" for step in path)
        if path:
            yield case(f"{name} is no object", changed(path[:-1], path[-1], 3), ("DT-S002", pointer))
        for field, schema in model["properties"].items():
            yield from field_cases(
                path, field, schema, required=field in model["required"] if "required" in model else False
            )
    for scope, field in SCOPED:
        for value in ((), (None,)):
            document = changed(("intervention_log", 0), field, *value)
            document["intervention_log"][0]["scope"] = scope
            yield case(f"{scope} without {field}", document, ("DT-S001", f"/intervention_log/0/{field}"))


def field_cases(path: Path_, field: str, schema: Obj, *, required: bool) -> Iterator[Case]:
    at = "".join(f"/{step}" for step in (*path, field))
    (form,) = [option for option in schema.get("anyOf", [schema]) if option.get("type") != "null"]
    form = {"type": "object"} if "$ref" in form else form
    if required:
        yield case(f"{at} missing", changed(path, field), ("DT-S001", at))
        yield case(f"{at} null", changed(path, field, None), ("DT-S002", at))
    for kind, wrong in WRONG.items():
        if kind not in ACCEPTED[form["type"]]:
            yield case(f"{at} is {kind}", changed(path, field, wrong), ("DT-S002", at))
    if "enum" in form:
        yield case(f"{at} unknown", changed(path, field, "zzz"), ("DT-S003", at))
        yield case(f"{at} empty", changed(path, field, ""), ("DT-S003", at))
    if form.get("items") == {"type": "string"}:
        yield case(f"{at} of numbers", changed(path, field, ["a", 1]), ("DT-S002", f"{at}/1"))
        yield case(f"{at} of null", changed(path, field, [None]), ("DT-S002", f"{at}/0"))
    if "$ref" in form.get("items", {}) and field != "llm_calls":
        yield case(f"{at} of null", changed(path, field, [None]), ("DT-S002", f"{at}/0"))


def at_the_limits() -> Iterator[Case]:
    """The same file when each limit is just kept, and when it is just not."""
    raw = dump(sample())
    for name, (count, code, pointer) in COUNTS.items():
        size = len(raw) if name == "size" else count
        yield Case(f"{name} just kept", raw, (), replace(SizeLimits(), **{name: size}))
        yield Case(f"{name} exceeded", raw, ((code, pointer),), replace(SizeLimits(), **{name: size - 1}))


def odd_limits() -> Iterator[Case]:
    """Where counting before parsing and parsing itself could disagree."""
    for raw, name, limit, expected in (
        (b"1", "depth", 0, ("DT-S002", "")),
        (b'"x"', "values", 0, ("DT-S002", "")),
        (b'"""', "values", 0, ("DT-P007", "")),
        (b'["""""""', "values", 1, ("DT-P007", "")),
        (b'{"a":"b"}', "values", 0, ("DT-P007", "")),
        (dump(changed((), "rounds", 3)), "rounds", 0, ("DT-S002", "/rounds")),
    ):
        yield Case(f"{raw[:9]!r} with {name} {limit}", raw, (expected,), replace(SizeLimits(), **{name: limit}))
    nothing = dump(changed((), "rounds", "x" * 9))
    yield Case("a string is no long list", nothing, (("DT-S002", "/rounds"),), replace(SizeLimits(), rounds=3))


def case(title: str, document: Obj, *expected: tuple[str, str]) -> Case:
    return Case(title, dump(document), expected)


def changed(path: Path_, field: str | int, *value: Any) -> Obj:
    """The sample with one field set, or left out."""
    document = sample()
    node: Any = document
    for step in path:
        node = node[step]
    if value:
        node[field] = copy.deepcopy(value[0])
    else:
        node.pop(field, None)
    return document


def dump(document: Obj) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def sample() -> Obj:
    """A small valid in_loop file in which every object of the schema occurs."""
    return copy.deepcopy(SAMPLE)


T0, T1, T2 = "2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z", "2026-01-01T02:02:00.5+02:00"
GAINS = {"e_t": 0.1, "u_t": 0.2, "k_p": 0.8, "k_i": 0.2, "k_d": 0.1}
DRAFT = {
    "attempt_index": 0,
    "timestamp": T0,
    "status": "retry",
    "content": "draft",
    "diagnostics": {"error_type": "form"},
}
CLAIM = {
    "attempt_index": 1,
    "timestamp": T1,
    "status": "ok",
    "content": "a claim of twenty-six signs",
    "interventions_applied": [{"intervention_id": "iv1", "notes": "n"}],
    "control_state": {**GAINS, "retry_count": 1, "beta": 0.5},
}
OPENING = {
    "turn_id": "t1",
    "round_index": 1,
    "turn_index_in_round": 0,
    "speaker_id": "a",
    "attempts": [DRAFT, CLAIM],
    "metadata": {"model_name": "m", "seed": 1},
    "final_attempt_index": 1,
    "retry_count": 1,
}
REPLY = {
    "turn_id": "t2",
    "round_index": 1,
    "turn_index_in_round": 1,
    "speaker_id": "b",
    "attempts": [{"attempt_index": 0, "timestamp": T1, "status": "ok", "content": "no"}],
    "addresses": [{"target_agent_id": "a", "target_turn_id": "t1", "target_claim_id": "A-1", "move": "refute"}],
}
INTERVENTION = {
    "intervention_id": "iv1",
    "timestamp": T0,
    "scope": "attempt",
    "trigger": "crit_fail",
    "instruction_sent": "i",
    "round_index": 1,
    "turn_id": "t1",
    "speaker_id": "a",
    "attempt_index": 1,
    "controller_snapshot": GAINS,
}
SAMPLE = {
    "schema_version": "2.0.0",
    "debate_id": "d",
    "run_id": "r",
    "mode": "in_loop",
    "created_at": T0,
    "run_metadata": {"generation_mode": "live"},
    "debate_metadata": {"task_type": "open"},
    "participants": [{"agent_id": "a", "role": "pro"}, {"agent_id": "b"}, {"agent_id": "c"}],
    "participant_state_log": [{"timestamp": T0, "agent_id": "c", "event_type": "dropped", "round_index": 1}],
    "rounds": [
        {
            "round_index": 1,
            "round_status": "complete",
            "planned_speaking_order": ["a", "b", "c"],
            "turns": [OPENING, REPLY],
        }
    ],
    "intervention_log": [INTERVENTION],
    "integrity": None,
}
PLACES: dict[str, Path_] = {
    "Transcript": (),
    "RunMetadata": ("run_metadata",),
    "DebateMetadata": ("debate_metadata",),
    "Participant": ("participants", 0),
    "ParticipantState": ("participant_state_log", 0),
    "Round": ("rounds", 0),
    "Turn": ("rounds", 0, "turns", 0),
    "TurnMetadata": ("rounds", 0, "turns", 0, "metadata"),
    "Address": ("rounds", 0, "turns", 1, "addresses", 0),
    "Attempt": ("rounds", 0, "turns", 0, "attempts", 0),
    "ControlState": ("rounds", 0, "turns", 0, "attempts", 1, "control_state"),
    "Diagnostics": ("rounds", 0, "turns", 0, "attempts", 0, "diagnostics"),
    "AppliedIntervention": ("rounds", 0, "turns", 0, "attempts", 1, "interventions_applied", 0),
    "Intervention": ("intervention_log", 0),
    "ControllerSnapshot": ("intervention_log", 0, "controller_snapshot"),
}
"""Where each object of the schema stands in the sample; Integrity has its own cases."""
SCOPED = (("round", "round_index"), ("turn", "turn_id"), ("attempt", "turn_id"), ("attempt", "attempt_index"))
WRONG: dict[str, Any] = {
    "boolean": True,
    "fraction": 1.5,
    "whole": 1.0,
    "string": "x",
    "integer": 7,
    "list": [],
    "object": {},
}
ACCEPTED = {
    "string": ("string",),
    "integer": ("integer",),
    "number": ("integer", "fraction", "whole"),
    "boolean": ("boolean",),
    "array": ("list",),
    "object": ("object",),
}
COUNTS: dict[str, tuple[int, str, str]] = {
    "size": (0, "DT-P005", ""),
    "depth": (9, "DT-P004", ""),
    "values": (102, "DT-P007", ""),
    "string": (27, "DT-P007", "/rounds/0/turns/0/attempts/1/content"),
    "rounds": (1, "DT-P007", "/rounds"),
    "turns": (2, "DT-P007", "/rounds/0/turns"),
    "addresses": (1, "DT-P007", "/rounds/0/turns/1/addresses"),
    "attempts": (2, "DT-P007", "/rounds/0/turns/0/attempts"),
    "participants": (3, "DT-P007", "/participants"),
    "participant_state_log": (1, "DT-P007", "/participant_state_log"),
    "intervention_log": (1, "DT-P007", "/intervention_log"),
}
"""What the sample has of everything, and what is found when it is one too many."""
