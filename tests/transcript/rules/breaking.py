"""The words that breakers are written in. A breaker changes a valid file, or says that the file does not suit."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from hustings.transcript.canonical import sealed
from hustings.transcript.rules import SizeLimits

from .valid import Obj, valid

Change = Callable[[Any, random.Random, Obj], Any]
Pick = Callable[[Obj, random.Random], Any]
Breaker = Callable[[Obj, random.Random], Obj | bytes | None]

BREAKERS: dict[str, list[Breaker]] = {}
LONG_AGO, FAR_OFF = "2001-01-01T00:00:00Z", "2099-01-01T00:00:00Z"
SMALL = replace(SizeLimits(), size=200_000, values=20_000, string=2_000, participants=12, attempts=20)
"""Limits that valid files keep and breakers reach at little cost."""
SELF_SEALED = {"DT-G001", "DT-G002"}


def broken(code: str, seed: int) -> bytes | None:
    """One broken file; its digest is made right again, so that only the intended rule is at stake."""
    options = BREAKERS[code]
    document = options[seed % len(options)](valid(seed + 10**6), random.Random(seed * 7919))
    if isinstance(document, dict) and isinstance(document.get("integrity"), dict) and code not in SELF_SEALED:
        document = sealed(document)
    return dump(document) if isinstance(document, dict) else document


def all_broken(code: str, count: int) -> Iterator[tuple[int, bytes]]:
    """The first files that suit, with their seeds."""
    for seed in range(1, 300 * count):
        if (raw := broken(code, seed)) is not None:
            yield seed, raw
            count -= 1
        if not count:
            return
    raise AssertionError(f"{code}: {count} files are wanting, its breakers suit too few of them")


def breaks(code: str) -> Callable[[Breaker], Breaker]:
    def register(breaker: Breaker) -> Breaker:
        BREAKERS.setdefault(code, []).append(breaker)
        return breaker

    return register


def on(code: str, pick: Pick, change: Change) -> None:
    """A breaker that picks something and changes it in place."""

    @breaks(code)
    def breaker(document: Obj, rnd: random.Random) -> Obj | None:
        picked = pick(document, rnd)
        return document if picked and change(picked, rnd, document) is not False else None


def put(key: str, *values: Any) -> Change:
    return lambda picked, rnd, _: picked.__setitem__(key, copy.deepcopy(rnd.choice(values)))


def dump(document: Obj) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def some(rnd: random.Random, items: list[Any]) -> Any:
    return rnd.choice(items) if items else None


def whole(document: Obj, _: random.Random) -> Obj:
    return document


def any_round(document: Obj, rnd: random.Random) -> Obj:
    return rnd.choice(document["rounds"])


def any_turn(document: Obj, rnd: random.Random) -> Obj | None:
    return some(rnd, [turn for _, turn in turns(document)])


def any_attempt(document: Obj, rnd: random.Random) -> Obj | None:
    return some(rnd, attempts(document))


def any_intervention(document: Obj, rnd: random.Random) -> Obj | None:
    return some(rnd, aimed(document))


def in_loop(pick: Pick) -> Pick:
    return lambda document, rnd: pick(document, rnd) if document["mode"] == "in_loop" else None


def posthoc(pick: Pick) -> Pick:
    return lambda document, rnd: pick(document, rnd) if document["mode"] == "posthoc" else None


def turns(document: Obj) -> list[tuple[Obj, Obj]]:
    return [(round_, turn) for round_ in document["rounds"] for turn in round_["turns"]]


def attempts(document: Obj) -> list[Obj]:
    return [attempt for _, turn in turns(document) for attempt in turn["attempts"]]


def retried(document: Obj, rnd: random.Random) -> Obj | None:
    """A turn that succeeded at a later attempt."""
    return some(rnd, [t for _, t in turns(document) if len(t["attempts"]) > 1 and t["attempts"][-1]["status"] == "ok"])


def several(document: Obj, rnd: random.Random) -> Obj | None:
    """A round of several turns."""
    return some(rnd, [round_ for round_ in document["rounds"] if len(round_["turns"]) > 1])


def state(document: Obj) -> list[Obj]:
    document["participant_state_log"] = document.get("participant_state_log") or []
    return document["participant_state_log"]


def aimed(document: Obj, *scopes: str) -> list[Obj]:
    return [entry for entry in document.get("intervention_log") or [] if not scopes or entry["scope"] in scopes]


def at(*scopes: str) -> Pick:
    return lambda document, rnd: some(rnd, aimed(document, *scopes))


def event(document: Obj, name: str, kind: str, number: int | None) -> None:
    entry = {"timestamp": document["created_at"], "agent_id": name, "event_type": kind, "round_index": number}
    state(document).append(entry)
