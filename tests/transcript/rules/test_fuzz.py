"""Whatever the bytes, findings come out and never an exception."""

from __future__ import annotations

import json

import pytest

from hustings.transcript.rules import RULES, Finding, SizeLimits, check

from .breakers import SMALL
from .damage import damaged, mangled


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


@pytest.mark.parametrize("start", [0, pytest.param(500, marks=pytest.mark.nightly("five hundred files more"))])
def test_damaged_files_give_findings_and_never_an_exception(start: int) -> None:
    for seed in range(start, start + 500):
        raw = damaged(seed)
        assert all(well_formed(finding, raw) for finding in check(raw)), seed


def test_mangled_bytes_give_findings_and_never_an_exception() -> None:
    for seed in range(500):
        raw = mangled(seed)
        assert all(well_formed(finding, raw) for finding in check(raw, limits=SMALL)), seed


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "start",
    [
        pytest.param(10_000, marks=pytest.mark.nightly("ten thousand files")),
        *(pytest.param(n, marks=pytest.mark.weekly("ninety thousand more")) for n in range(15_000, 60_000, 5_000)),
    ],
)
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
    assert {finding.code[:4] for finding in check(hostile, limits=SizeLimits(values=10_000))} == {"DT-P"}
