"""Breakers for parsing and structure (P, S)."""

from __future__ import annotations

import copy
import random
from typing import Any

from .breaking import (
    SMALL,
    any_attempt,
    any_intervention,
    any_round,
    any_turn,
    at,
    breaks,
    dump,
    on,
    put,
    some,
    state,
    turns,
    whole,
)
from .valid import Obj

# P


def extra(document: Obj, text: bytes) -> bytes:
    """The file with one more field, whose value is written as given."""
    return dump(document)[:-1] + b', "x_more": ' + text + b"}"


NUMBERS = (
    b"NaN",
    b"-Infinity",
    b"Infinity",
    b"1e400",
    b"-1e400",
    b"9" * 5000,
    b"9007199254740992",
    b"-9007199254740992",
)
SURROGATES = (b'"\\ud800"', b'"\\udfff"', b'"a\\udbffb"', b'{"\\uDC00": 1}', b'[["\\ud83e"]]')

breaks("DT-P001")(lambda d, rnd: dump(d)[: rnd.randrange(1, len(dump(d)) - 1)])
breaks("DT-P001")(lambda d, rnd: dump(d).replace(b'"rounds"', b'"rou\xff\xfe"', 1))
breaks("DT-P001")(lambda d, rnd: b"\xef\xbb\xbf" + dump(d))
breaks("DT-P001")(lambda d, rnd: dump(d).decode().encode("utf-16"))
breaks("DT-P001")(lambda d, rnd: dump(d) + rnd.choice([b"]", b"}", b"1", b'"', b"{}"]))
breaks("DT-P002")(lambda d, rnd: dump(d)[:-1] + b', "mode": "posthoc"}')
breaks("DT-P002")(lambda d, rnd: extra(d, b'[{"a": 1, "b": 2, "\\u0061": 1}]'))
breaks("DT-P003")(lambda d, rnd: extra(d, rnd.choice(NUMBERS)))
breaks("DT-P005")(lambda d, rnd: dump(d) + b" " * SMALL.size)
breaks("DT-P006")(lambda d, rnd: extra(d, rnd.choice(SURROGATES)))
breaks("DT-P007")(lambda d, rnd: extra(d, b'"' + b"x" * (SMALL.string + 1) + b'"'))
breaks("DT-P007")(lambda d, rnd: extra(d, b'{"' + b"x" * (SMALL.string + 1) + b'": 1}'))
breaks("DT-P007")(lambda d, rnd: extra(d, b"[" + b"1," * SMALL.values + b"1]"))
breaks("DT-P007")(lambda d, rnd: extra(d, b"[" + b'"",' * SMALL.values * 2 + b'""]'))
on("DT-P007", whole, lambda d, rnd, _: d["participants"].extend({"agent_id": f"p{i}"} for i in range(20)))


@breaks("DT-P004")
def _(document: Obj, rnd: random.Random) -> bytes:
    depth = rnd.randrange(SMALL.depth, 9_000)
    return extra(document, b"[" * depth + b"]" * depth)


# S
ROOT = ("schema_version", "debate_id", "run_id", "mode", "created_at")
PARTS = ("run_metadata", "debate_metadata", "participants", "rounds")
REQUIRED: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (whole, (*ROOT, *PARTS)),
    (lambda d, rnd: rnd.choice(d["participants"]), ("agent_id",)),
    (any_round, ("round_index", "turns")),
    (any_turn, ("turn_id", "round_index", "turn_index_in_round", "speaker_id", "attempts")),
    (any_attempt, ("attempt_index", "timestamp", "status", "content")),
    (any_intervention, ("intervention_id", "timestamp", "scope", "trigger", "instruction_sent")),
    (lambda d, rnd: some(rnd, state(d)), ("timestamp", "agent_id", "event_type")),
)


def mistype(node: Obj, name: str, rnd: random.Random) -> None:
    wrong = [None, True, 1.0, 3.5, "1", [], {}, [1]]
    node[name] = rnd.choice([value for value in wrong if type(value) is not type(node[name])])


for pick, names in REQUIRED:
    on("DT-S001", pick, lambda node, rnd, _, names=names: node.pop(rnd.choice(names)))
    on("DT-S002", pick, lambda node, rnd, _, names=names: mistype(node, rnd.choice(names), rnd))
on("DT-S001", at("round"), lambda v, rnd, _: v.pop("round_index"))
on("DT-S001", at("turn", "attempt"), put("turn_id", None))
on("DT-S001", at("attempt"), lambda v, rnd, _: v.pop("attempt_index"))
on("DT-S002", any_round, put("planned_speaking_order", [3], [[]], [None], ["agent_0", {}]))
on("DT-S002", whole, put("raud_it", [], "x", 1))
breaks("DT-S002")(lambda d, rnd: rnd.choice([b"[]", b"null", b"3", b'"2.0.0"', b"true", b'[{"schema_version": "1"}]']))
on("DT-S003", any_attempt, put("status", "OK", "accepted", "error", ""))
on("DT-S003", whole, put("mode", "post_hoc", "live", ""))
on("DT-S003", any_round, put("transcript_visibility", "none", "FULL"))
on("DT-S003", any_intervention, put("scope", "debate", ""))
on(
    "DT-S004",
    whole,
    put("schema_version", "1.9.0", "3.0.0", "2", "v2.0.0", "2.0", "", "2.0.0\n", "2.0.0-rc1", "12.0.0"),
)
on("DT-S004", whole, lambda d, rnd, _: (d.clear(), d.update(schema_version="1.0.0", other="shape")))
on("DT-S005", whole, put("schema_version", "2.1.0", "2.9.3", "2.10.0"))

UNSAFE = ("", "../../etc/passwd", "a/b", "a\x1b[2J", "x" * 129, "a\n", "\u202eabc", "con cat", ".hidden", "-rf", "é")
on("DT-S006", whole, put("debate_id", *UNSAFE))
on("DT-S006", whole, put("run_id", *UNSAFE))
on("DT-S006", any_turn, put("turn_id", *UNSAFE))
on("DT-S006", any_intervention, put("intervention_id", *UNSAFE))
on("DT-S006", whole, lambda d, rnd, _: d["participants"].append({"agent_id": rnd.choice(UNSAFE), "role": "judge"}))


@breaks("DT-S007")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    if len(turns(document)) < 2:
        return None
    first, second = rnd.sample([turn for _, turn in turns(document)], 2)
    second["turn_id"] = first["turn_id"]
    return document


on(
    "DT-S008",
    any_intervention,
    lambda v, rnd, d: d["intervention_log"].append(copy.deepcopy(d["intervention_log"][-1])),
)
on("DT-S009", whole, lambda d, rnd, _: d["participants"].append(copy.deepcopy(rnd.choice(d["participants"]))))
on("DT-S010", any_turn, put("speaker_id", "ghost"))
on("DT-S010", any_intervention, put("speaker_id", "ghost"))
on(
    "DT-S011",
    whole,
    lambda d, rnd, _: [p.update(role=rnd.choice(["judge", "moderator"])) for p in d["participants"][1:]],
)
on("DT-S011", whole, put("participants", [], [{"agent_id": "agent_0"}]))
on("DT-S012", lambda d, rnd: d["rounds"][0], put("round_index", -1, -7))
on("DT-S012", any_turn, put("round_index", -1))
on("DT-S012", any_intervention, put("round_index", -1))
on("DT-S012", lambda d, rnd: some(rnd, state(d)), put("round_index", -1))
on("DT-S013", whole, put("rounds", []))
