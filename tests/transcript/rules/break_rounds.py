"""Breakers for rounds, references and time (R, X, T)."""

from __future__ import annotations

import copy
import random
from typing import Any

from .breaking import (
    FAR_OFF,
    LONG_AGO,
    any_attempt,
    any_intervention,
    any_round,
    any_turn,
    attempts,
    breaks,
    event,
    on,
    put,
    retried,
    several,
    some,
    state,
    turns,
    whole,
)
from .valid import Obj

# R


def renumber(round_: Obj, number: int) -> None:
    round_["round_index"] = number
    for turn in round_["turns"]:
        turn["round_index"] = number


def last_of_several(document: Obj, _: random.Random) -> Obj | None:
    return document["rounds"][-1] if len(document["rounds"]) > 1 else None


on("DT-R001", last_of_several, lambda r, rnd, d: renumber(r, rnd.choice([d["rounds"][-2]["round_index"], 0])))
on("DT-R002", any_turn, lambda t, rnd, _: t.update(round_index=t["round_index"] + rnd.choice([-1, 1, 7])))
on("DT-R003", any_turn, lambda t, rnd, _: t.update(turn_index_in_round=t["turn_index_in_round"] + rnd.choice([1, -9])))
on("DT-R003", several, lambda r, rnd, _: r["turns"].reverse())


def spoken(document: Obj, rnd: random.Random) -> Obj | None:
    return some(rnd, [round_ for round_ in document["rounds"] if round_["turns"]])


def speak_twice(round_: Obj, status: str | None) -> None:
    again = copy.deepcopy(round_["turns"][-1])
    again |= {"turn_id": again["turn_id"] + "x", "turn_index_in_round": len(round_["turns"]), "addresses": None}
    round_["turns"].append(again)
    round_["round_status"] = status


def was_complete(document: Obj, rnd: random.Random) -> Obj | None:
    return some(rnd, [round_ for round_ in document["rounds"] if round_.get("round_status") == "complete"])


on("DT-R004", spoken, lambda r, rnd, _: speak_twice(r, "complete"))
on("DT-R004", was_complete, lambda r, rnd, _: speak_twice(r, None))
on("DT-R012", spoken, lambda r, rnd, _: speak_twice(r, rnd.choice(["partial", "aborted"])))


def lose_one(round_: Obj, document: Obj, status: str) -> Any:
    placed = [entry.get("round_index") for entry in state(document)]
    if None in placed or round_["round_index"] in placed or round_.get("round_status") == "aborted":
        return False
    return round_["turns"].pop() and round_.update(round_status=status)


def all_ok(round_: Obj) -> bool:
    return all(turn["attempts"][-1]["status"] == "ok" for turn in round_["turns"])


on("DT-R005", several, lambda r, rnd, d: lose_one(r, d, "complete"))
on("DT-R006", any_round, lambda r, rnd, _: r.update(turns=[], round_status=rnd.choice([None, "complete"])))
on("DT-R011", several, lambda r, rnd, d: not state(d) and all_ok(r) and lose_one(r, d, "partial"))


@breaks("DT-R007")
def _(document: Obj, rnd: random.Random) -> Obj:
    for round_ in document["rounds"][rnd.randrange(len(document["rounds"])) :]:
        renumber(round_, round_["round_index"] + rnd.choice([3, 1]) * 2)
    return document


on("DT-R007", lambda d, rnd: d["rounds"][0], lambda r, rnd, _: renumber(r, 0))
on(
    "DT-R008",
    several,
    lambda r, rnd, _: r.update(planned_speaking_order=[turn["speaker_id"] for turn in r["turns"]][::-1]),
)
on("DT-R008", spoken, put("planned_speaking_order", []))
on("DT-R009", any_round, put("planned_speaking_order", ["ghost"], ["agent_0", "agent_0"], ["agent_1", "ghost"]))


def full_rounds(document: Obj) -> list[Obj]:
    speaking = [p for p in document["participants"] if p["role"] not in {"judge", "moderator"}]
    return [round_ for round_ in document["rounds"] if len(round_["turns"]) == len(speaking)]


@breaks("DT-R010")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    rounds = full_rounds(document)
    if document["run_metadata"].get("order_regime") != "rotating" or len(rounds) < 2 or state(document):
        return None
    names = [turn["speaker_id"] for turn in rounds[-1]["turns"]]
    names[0], names[1] = names[1], names[0]
    for turn, name in zip(rounds[-1]["turns"], names, strict=True):
        turn["speaker_id"] = name
    rounds[-1]["planned_speaking_order"] = rnd.choice([names, None])
    return document


# X


def address(turn: Obj, turn_id: str | None, agent: str = "agent_0") -> None:
    turn["addresses"] = [*(turn.get("addresses") or []), {"target_agent_id": agent, "target_turn_id": turn_id}]


def within(round_: Obj, regime: str, shown: list[str] | None = None) -> None:
    """The last turn of a round addresses its first."""
    round_["transcript_visibility"] = regime
    round_["turns"][-1]["metadata"] = {"context_turn_ids": shown}
    address(round_["turns"][-1], round_["turns"][0]["turn_id"])


on("DT-X001", any_turn, lambda t, rnd, _: address(t, "nope"))
on("DT-X002", any_turn, lambda t, rnd, _: address(t, t["turn_id"]))
on("DT-X002", lambda d, rnd: turns(d)[1:], lambda rest, rnd, d: address(turns(d)[0][1], rnd.choice(rest)[1]["turn_id"]))
on("DT-X003", any_turn, lambda t, rnd, _: address(t, None, "ghost"))
on("DT-X004", several, lambda r, rnd, _: within(r, rnd.choice(["isolated", "prior_round_only"])))
on("DT-X004", several, lambda r, rnd, _: within(r, "partial", rnd.choice([[], ["another"]])))


@breaks("DT-X004")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    rounds = document["rounds"]
    if len(rounds) < 3 or not rounds[0]["turns"] or not rounds[2]["turns"]:
        return None
    rounds[2]["transcript_visibility"] = "prior_round_only"
    address(rounds[2]["turns"][-1], rounds[0]["turns"][0]["turn_id"])
    return document


on("DT-X005", whole, lambda d, rnd, _: event(d, "ghost", rnd.choice(["timeout", "dropped"]), rnd.choice([1, None])))
on("DT-X006", any_turn, lambda t, rnd, d: event(d, t["speaker_id"], "dropped", t["round_index"]))


@breaks("DT-X006")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    known = {entry["agent_id"] for entry in state(document)}
    new = [turn for _, turn in turns(document) if turn["speaker_id"] not in known]
    if not new:
        return None
    turn = rnd.choice(new)
    event(document, turn["speaker_id"], "joined", turn["round_index"] + 1)
    return document


# T
BAD_TIMES = (
    "2026-11-14T12:00:00",
    "2026-11-14",
    "yesterday",
    "",
    "2026-13-40T99:00:00Z",
    "2026-02-29T00:00:00Z",
    "1763121600",
    "2026-11-14 12:00:00Z",
    "2026-11-14T12:00:00Z\n",
    "٢٠٢٦-11-14T12:00:00Z",
    "2026-11-14T12:00:00+24:01",
)
on("DT-T001", any_attempt, put("timestamp", *BAD_TIMES))
on("DT-T001", whole, put("created_at", *BAD_TIMES))
on("DT-T001", any_intervention, put("timestamp", *BAD_TIMES))
on("DT-T001", lambda d, rnd: some(rnd, state(d)), put("timestamp", *BAD_TIMES))
on("DT-T002", retried, lambda t, rnd, _: t["attempts"][-1].update(timestamp=LONG_AGO))
on("DT-T002", retried, lambda t, rnd, _: t["attempts"][0].update(timestamp=FAR_OFF))


@breaks("DT-T003")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    round_ = several(document, rnd)
    if not round_ or round_.get("transcript_visibility") == "isolated":
        return None
    round_["turns"][0]["attempts"][-1]["timestamp"] = FAR_OFF
    return document


@breaks("DT-T004")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    later = [round_ for round_ in document["rounds"] if round_["turns"]][1:]
    if not later:
        return None
    rnd.choice(rnd.choice(later)["turns"])["attempts"][0]["timestamp"] = LONG_AGO
    return document


@breaks("DT-T005")
def _(document: Obj, rnd: random.Random) -> Obj | None:
    if len(attempts(document)) < 3:
        return None
    attempts(document)[0]["timestamp"], attempts(document)[-1]["timestamp"] = LONG_AGO, FAR_OFF
    return document
