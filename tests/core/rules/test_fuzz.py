"""Whatever the bytes, findings come out and never an exception."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from hustings.core.rules import RULES, Finding, Limits, check
from tests.core.rules.breakers import SMALL
from tests.core.rules.valid import valid, valid_bytes

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


def resolves(finding: Finding, raw: bytes) -> bool:
    """The pointer leads to a place in the file, or to a field that is missing there."""
    if not finding.pointer:
        return True
    node, parts = json.loads(raw), finding.pointer.split("/")[1:]
    for part in parts[:-1]:
        node = node[int(part) if isinstance(node, list) else part]
    return isinstance(node, dict) or int(parts[-1]) < len(node)


def well_formed(finding: Finding, raw: bytes) -> bool:
    known = RULES[finding.code].severity == finding.severity
    plain = finding.message.isprintable() and len(finding.message) < 400
    return known and plain and finding.message.startswith(RULES[finding.code].title) and resolves(finding, raw)


@pytest.mark.parametrize("start", range(0, 1_000, 500))
def test_damaged_files_give_findings_and_never_an_exception(start: int) -> None:
    for seed in range(start, start + 500):
        raw = damaged(seed)
        assert all(well_formed(finding, raw) for finding in check(raw)), seed


def test_mangled_bytes_give_findings_and_never_an_exception() -> None:
    for seed in range(500):
        raw = mangled(seed)
        assert all(well_formed(finding, raw) for finding in check(raw, limits=SMALL)), seed


@pytest.mark.nightly("a hundred thousand files")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("start", range(10_000, 60_000, 5_000))
def test_very_many_damaged_files_give_findings_and_never_an_exception(start: int) -> None:
    for seed in range(start, start + 5_000):
        for raw in (damaged(seed), mangled(seed)):
            assert all(well_formed(finding, raw) for finding in check(raw)), seed


@pytest.mark.parametrize(
    "hostile",
    [
        b"[" * 2**20,
        b"]" * 2**20,
        b'"' * 2**20,
        b"\\" * 2**20,
        b'{"a":' * 2**18,
        b"[" + b"9" * 2**20 + b"]",
        b"\0" * 2**20,
    ],
    ids=lambda raw: repr(raw[:6]),
)
def test_hostile_bytes_are_refused(hostile: bytes) -> None:
    assert {finding.code[:4] for finding in check(hostile, limits=Limits(values=10_000))} == {"DT-P"}
