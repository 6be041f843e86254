"""Files that were damaged at random: values replaced, bytes put in."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from .valid import valid, valid_bytes

VALUES: tuple[Any, ...] = (
    *(None, True, 0, 1, -1, 2**53 - 1, 1.5, "", "x", "agent_0", "iv0", "2.0.0", "in_loop", "posthoc", "ok", "retry"),
    *("failed", "complete", "round", "turn", "attempt", "2026-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59"),
    *("9999-12-31T23:59:59-23:59", [], {}, [1], ["agent_0"], [[]], [{}], [None], {"intervention_id": "iv0"}),
)


PIECES = (b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\u", b"\\ud800", b"\xff", b"\x00", b"1e999", b"-", b"NaN")


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with every key or index."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def damaged(seed: int) -> bytes:
    """Some values replaced or left out."""
    rnd = random.Random(seed)
    document = valid(rnd.randrange(400))
    for _ in range(rnd.choice([1, 1, 2, 3, 6])):
        if spots := list(places(document)):
            node, key = rnd.choice(spots)
            if rnd.random() < 0.2:
                del node[key]
            else:
                node[key] = copy.deepcopy(rnd.choice(VALUES))
    return json.dumps(document).encode()


def mangled(seed: int) -> bytes:
    """Some bytes replaced, left out or put in."""
    rnd = random.Random(seed)
    raw = valid_bytes(rnd.randrange(400))
    for _ in range(rnd.choice([1, 2, 5])):
        at = rnd.randrange(len(raw))
        raw = raw[:at] + rnd.choice([b"", *PIECES]) + raw[at + rnd.choice([0, 1, 30]) :]
    return raw
