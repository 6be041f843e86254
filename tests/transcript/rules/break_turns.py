"""Breakers for attempts, mode, interventions, integrity and text (A, M, I, G)."""

from __future__ import annotations

import random

from hustings.transcript.canonical import sealed

from .breaking import (
    FAR_OFF,
    LONG_AGO,
    aimed,
    any_attempt,
    any_intervention,
    any_turn,
    at,
    attempts,
    breaks,
    in_loop,
    on,
    posthoc,
    put,
    retried,
    some,
    turns,
    whole,
)
from .valid import Obj


def ok_attempt(document: Obj, rnd: random.Random) -> Obj | None:
    return some(rnd, [attempt for attempt in attempts(document) if attempt["status"] == "ok"])


def lost_for_good(turn: Obj) -> None:
    turn["attempts"][0].update(status="ok", content="y")
    for attempt in turn["attempts"][1:]:
        attempt["status"] = "failed"


def contradict(turn: Obj) -> None:
    turn["turn_outcome"] = "timeout" if turn["attempts"][-1]["status"] == "ok" else "success"


# A
on("DT-A001", any_turn, put("attempts", []))
on("DT-A002", any_attempt, lambda a, rnd, _: a.update(attempt_index=a["attempt_index"] + rnd.choice([1, -1, 4])))
on("DT-A003", retried, lambda t, rnd, _: t["attempts"][0].update(status="ok", content="again"))
on("DT-A004", retried, lambda t, rnd, _: lost_for_good(t))
on("DT-A005", in_loop(any_turn), lambda t, rnd, _: t["attempts"][-1].update(status="retry"))
on("DT-A006", any_turn, lambda t, rnd, _: t.update(final_attempt_index=len(t["attempts"]) - rnd.choice([0, 2, -8])))
on("DT-A006", any_turn, lambda t, rnd, _: contradict(t))
on("DT-A007", any_turn, lambda t, rnd, _: t.update(retry_count=len(t["attempts"]) + rnd.choice([0, 1, -2])))
on(
    "DT-A007",
    in_loop(any_attempt),
    lambda a, rnd, _: a.update(control_state={"retry_count": a["attempt_index"] + rnd.choice([1, -1])}),
)
on("DT-A008", ok_attempt, put("content", "", " \n\t", "\u3000"))


@breaks("DT-A009")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    picked = in_loop(lambda d, rnd: some(rnd, turns(d)))(document, rnd)
    if picked is None:
        return None
    round_, turn = picked
    turn["attempts"][-1]["status"], round_["round_status"] = "failed", "complete"
    return document


# M
LOGGED = {"intervention_id": "iv1", "scope": "global", "trigger": "human_override", "instruction_sent": "x"}
on("DT-M001", posthoc(any_turn), lambda t, rnd, _: t["attempts"].append(t["attempts"][0] | {"attempt_index": 1}))
on("DT-M002", posthoc(any_attempt), put("status", "retry", "failed"))
on("DT-M003", posthoc(any_attempt), put("control_state", {"k_p": 1}, {}))
on("DT-M004", posthoc(any_attempt), put("interventions_applied", [{"intervention_id": "iv1"}]))
on("DT-M005", posthoc(whole), lambda d, rnd, _: d.update(intervention_log=[LOGGED | {"timestamp": d["created_at"]}]))


@breaks("DT-M006")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    silent = [t for _, t in turns(document) if any(not a.get("interventions_applied") for a in t["attempts"][1:])]
    if not silent:
        return None
    for attempt in rnd.choice(silent)["attempts"]:
        attempt.pop("diagnostics", None)
    return document


# I
def other(values: list[object], than: object, rnd: random.Random) -> object:
    return some(rnd, [value for value in values if value != than])


def other_speaker(entry: Obj, rnd: random.Random, document: Obj) -> None:
    entry["speaker_id"] = other([p["agent_id"] for p in document["participants"]], entry["speaker_id"], rnd)


def other_round(entry: Obj, rnd: random.Random, document: Obj) -> bool:
    entry["round_index"] = other([r["round_index"] for r in document["rounds"]], entry["round_index"], rnd)
    return entry["round_index"] is not None


def follow(attempt: Obj, name: str) -> None:
    attempt["interventions_applied"] = [*(attempt.get("interventions_applied") or []), {"intervention_id": name}]


on("DT-I001", at("round"), put("round_index", 999, 0))
on("DT-I001", at("global"), put("round_index", 999))
on("DT-I002", at("turn"), put("turn_id", "nope", ""))
on("DT-I002", at("attempt"), put("attempt_index", 50, -1))
on("DT-I002", at("turn"), put("attempt_index", 50, -1))
on("DT-I003", at("turn"), other_speaker)
on("DT-I003", at("turn", "attempt"), other_round)
on("DT-I004", lambda d, rnd: aimed(d)[1:], lambda rest, rnd, _: rest[-1].update(timestamp=LONG_AGO))
on("DT-I005", in_loop(any_attempt), lambda a, rnd, _: follow(a, "iv_unknown"))
on("DT-I007", any_intervention, lambda _, rnd, d: d["intervention_log"][-1].update(timestamp=FAR_OFF))
on("DT-I010", any_intervention, lambda v, rnd, d: [follow(a, v["intervention_id"]) for a in followers(d, v)])


def followers(document: Obj, entry: Obj) -> list[Obj]:
    return [a for a in attempts(document) if {"intervention_id": entry["intervention_id"]} in applied(a)]


def applied(attempt: Obj) -> list[Obj]:
    return attempt.get("interventions_applied") or []


@breaks("DT-I006")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    entry = some(rnd, aimed(document, "turn", "attempt", "round"))
    key = "round_index" if entry and entry["scope"] == "round" else "turn_id"
    others = [turn for _, turn in turns(document) if entry and turn[key] != entry[key]]
    if not others:
        return None
    follow(rnd.choice(others)["attempts"][-1], entry["intervention_id"])
    return document


@breaks("DT-I006")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    entry = some(rnd, aimed(document, "attempt"))
    same = [t for _, t in turns(document) if entry and t["turn_id"] == entry["turn_id"] and len(t["attempts"]) > 1]
    if not same:
        return None
    entry["attempt_index"] = other(list(range(len(same[0]["attempts"]))), entry["attempt_index"], rnd)
    return document


@breaks("DT-I008")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    entry = some(rnd, aimed(document))
    if not entry:
        return None
    for attempt in followers(document, entry):
        attempt["interventions_applied"] = []
    return document


@breaks("DT-I009")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    entries = aimed(document, "turn")
    if len({entry["turn_id"] for entry in entries}) < 2:
        return None
    for key in ("turn_id", "round_index", "speaker_id"):
        entries[0][key], entries[-1][key] = entries[-1][key], entries[0][key]
    return document


@breaks("DT-I009")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    entries = aimed(document, "round")
    if len({entry["round_index"] for entry in entries}) < 2:
        return None
    entries[0]["round_index"], entries[-1]["round_index"] = entries[-1]["round_index"], entries[0]["round_index"]
    return document


# G
UNKNOWN = (
    {"algorithm": "md5", "canonicalization": "RFC8785", "digest": "0"},
    {"algorithm": "sha256", "canonicalization": "none", "digest": "0"},
    {"algorithm": "sha256", "digest": "0"},
    {"sha256": "0" * 64},
    {},
)
MARKS = ("\x1b[2J", "\u202e", "\x9b", "\x00", "\U000e0041", "\u2066", "\x7f", "\r", "\ufff9", "\x0b", "\x0c")
on("DT-G001", whole, put("integrity", *UNKNOWN))
on("DT-G003", any_attempt, lambda a, rnd, _: a.update(content=a["content"] + rnd.choice(MARKS)))


@breaks("DT-G002")
def _(document: Obj, rnd: random.Random) -> Obj:
    document = sealed(document)
    if attempts(document) and rnd.random() < 0.5:
        rnd.choice(attempts(document))["content"] += "."
    else:
        document["integrity"]["digest"] = rnd.choice(["0" * 64, None, document["integrity"]["digest"].upper()])
    return document
