"""Scenes of bytes, text, names, time and digests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hustings.transcript.canonical import sealed

from .cases import T1, T2, changed, dump, sample
from .scene import AT, ATTEMPT, debate, entry


def texts() -> Iterator[tuple[Any, ...]]:
    for mark in "\x00\x08\x0b\x0c\x0e\x1f\x7f\x9f\u202a\u202e\u2066\u2069\ufff9\ufffb\U000e0000\U000e007f\r":
        yield changed(ATTEMPT, "content", f"a{mark}b"), ("DT-G003", f"{AT}/content")
    honest = "\t\n\r\n\x20\x7e\xa0\u2029\u202f\u2065\u206a\ufff8\ufffc\U000e0080 \u200d\u200f\u00ad"
    yield (changed(ATTEMPT, "content", honest),)
    yield changed(ATTEMPT, "content", "a\r\r\n"), ("DT-G003", f"{AT}/content")
    yield changed(ATTEMPT, "content", "\u2003\n"), ("DT-A008", f"{AT}/content")
    yield (changed(ATTEMPT, "content", "\u2003."),)
    yield (changed((*ATTEMPT[:-1], 0), "content", " "),)


def extra(text: bytes) -> bytes:
    return dump(sample())[:-1] + b', "x": ' + text + b"}"


def bytes_() -> Iterator[tuple[Any, ...]]:
    for fine in (
        b"9007199254740991",
        b"-9007199254740991",
        b"1e308",
        b"-0",
        b'"\\ud83e\\udd1d [[[ \\" ]"',
        b'"\\\\"',
        b'"{\\\\\\"}"',
        b'"\\" ]]"',
    ):
        yield (extra(fine),)
    for number in (
        b"9007199254740992",
        b"-9007199254740992",
        b"99999999999999999",
        b"9" * 400,
        b"9" * 5_000,
        b"1e309",
        b"-1e309",
        b"NaN",
    ):
        yield extra(number), ("DT-P003", "")
    for surrogate in (b'"\\ud800"', b'"\\uDFFF"', b'"\\udbff\\u0041"', b'"\\uDC00"'):
        yield extra(surrogate), ("DT-P006", "/x")
    yield (
        extra(b'{"a/b~c": ["", {"\\ud800": "\\udfff"}]}'),
        ("DT-P006", "/x/a~1b~0c/1"),
        ("DT-P006", "/x/a~1b~0c/1"),
    )
    yield extra(b'["\\ud83e\\udd1d", "\\ud83e", 1, null, "\\ud83e"]'), ("DT-P006", "/x/1"), ("DT-P006", "/x/4")
    deep = b'{"' + b"k" * 999 + b'": {"b": "\\ud800"}}'
    yield extra(deep), ("DT-P006", "/x")
    yield extra(b'{"' + b"k" * 998 + b'": "\\ud800"}'), ("DT-P006", "/x")
    yield extra(b'{"' + b"k" * 997 + b'": "\\ud800"}'), ("DT-P006", "/x/" + "k" * 997)


def syntax() -> Iterator[tuple[Any, ...]]:
    yield (extra(b"[" * 63 + b"]" * 63),)
    yield extra(b"[" * 64 + b"]" * 64), ("DT-P004", "")
    yield extra(b'{"a":' * 64 + b"1" + b"}" * 64), ("DT-P004", "")
    for text in (
        b"",
        b" ",
        b'"',
        b"[}",
        b"]",
        b"[",
        b"{",
        b'{"a"}',
        b"\xef\xbb\xbf{}",
        b'"\\',
        b"{}{}",
        b"\x00",
        b"[1,]",
        b"[X]",
        b"'a'",
    ):
        yield text, ("DT-P001", "")
    yield b'{"a": 1, "b": {"d": 0, "c": 1, "e": 0, "c": 2}}', ("DT-P002", "")
    for text in (b"1", b"null", b"[]", b'"x"', b"true"):
        yield text, ("DT-S002", "")


def versions() -> Iterator[tuple[Any, ...]]:
    for version in ("2.0.0\n", "1.0.0", "2.0", "2.x.0", "\u0662.0.0"):
        yield {"schema_version": version}, ("DT-S004", "/schema_version")
    yield changed((), "schema_version", "2.1.0"), ("DT-S005", "/schema_version")
    yield (changed((), "schema_version", "2.0.12"),)
    yield changed((), "schema_version", 2), ("DT-S002", "/schema_version")


def names() -> Iterator[tuple[Any, ...]]:
    for good in ("a", "0", "A" * 128, "a._:-", "9.x"):
        yield (changed((), "run_id", good),)
    for bad in ("", "-a", ".a", "A" * 129, "_a", "a b", "a\n", "ä", "a/b"):
        yield changed((), "run_id", bad), ("DT-S006", "/run_id")
    yield debate("ab", people="ab", debate_id="x/y"), ("DT-S006", "/debate_id")
    yield debate("ab", "ab", people="aba"), ("DT-S009", "/participants/2/agent_id")
    yield debate("a", people="a"), ("DT-S011", "/participants")
    unnamed = debate("ab", people="ab")
    unnamed["rounds"][0]["turns"][1]["turn_id"] = ""
    unnamed["intervention_log"] = [entry("global")]
    unnamed["rounds"][0]["turns"][0]["attempts"][0]["interventions_applied"] = [{"intervention_id": "iv"}]
    yield unnamed, ("DT-S006", "/rounds/0/turns/1/turn_id")


def clocks() -> Iterator[tuple[Any, ...]]:
    for good in ("2026-01-01T00:00:00.123456789-23:59", "0001-01-01T00:00:00+00:00", "2024-02-29T00:00:00Z"):
        yield (changed((), "created_at", good),)
    for bad in (
        "2026-01-01t00:00:00Z",
        "2026-01-01T00:00:00",
        "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00Z",
        "2026-02-29T00:00:00Z",
        "2026-01-01T00:00:00.1234567890Z",
        "2026-01-01T00:00:00+2:00",
        " 2026-01-01T00:00:00Z",
        "2026-01-01T24:00:01Z",
    ):
        yield changed((), "created_at", bad), ("DT-T001", "/created_at")
    stamps = debate("ab", "ab", people="ab")
    first, second, third, fourth = (turn["attempts"][0] for round_ in stamps["rounds"] for turn in round_["turns"])
    for created, *expected in (
        (first["timestamp"],),
        (fourth["timestamp"],),
        ("2026-01-01T02:00:03.5+01:00",),
        (second["timestamp"], ("DT-T005", "/created_at")),
        ("2026-01-01T02:00:00.1+01:00", ("DT-T005", "/created_at")),
    ):
        yield stamps | {"created_at": created}, *expected
    second["timestamp"] = "2026-01-01T00:59:00Z"
    yield stamps, ("DT-T003", "/rounds/0/turns/1")
    yield stamps | {"created_at": "2026-01-01T00:59:30Z"}, ("DT-T003", "/rounds/0/turns/1"), ("DT-T005", "/created_at")
    stamps["rounds"][0]["transcript_visibility"] = "isolated"
    yield (stamps,)
    third["timestamp"] = first["timestamp"]
    yield (stamps,)
    third["timestamp"] = "2026-01-01T00:59:59Z"
    yield stamps, ("DT-T004", "/rounds/1/turns/0")
    first["timestamp"] = "unknown"
    yield stamps, ("DT-T001", "/rounds/0/turns/0/attempts/0/timestamp")
    gap = debate("ab", "", "ab", people="ab")
    gap["rounds"][1]["round_status"] = "aborted"
    gap["rounds"][2]["turns"][1]["attempts"][0]["timestamp"] = T1
    yield gap, ("DT-T003", "/rounds/2/turns/1"), ("DT-T004", "/rounds/2/turns/1")
    again = sample()
    again["rounds"][0]["turns"][0]["attempts"][0]["timestamp"] = "2026-01-01T00:01:00.000001Z"
    yield again, ("DT-T002", "/rounds/0/turns/0")
    again["rounds"][0]["turns"][0]["attempts"][1]["timestamp"] = "?"
    yield again, ("DT-T001", f"{AT}/timestamp"), ("DT-T003", "/rounds/0/turns/1")
    late = changed(("participant_state_log", 0), "timestamp", "?")
    yield late, ("DT-T001", "/participant_state_log/0/timestamp")
    yield (changed((), "created_at", T2),)


def seals() -> Iterator[tuple[Any, ...]]:
    document = sealed(sample() | {"x": [1.5, 1e-7, 1e21, "é\n\x07", {"\uffee": 1, "🤝": 2, "b": None, "a": True}]})
    yield (document,)
    yield (json.dumps(document, indent=1, sort_keys=True).encode(),)
    yield document | {"x": 1}, ("DT-G002", "/integrity/digest")
    block = document["integrity"]
    for wrong in ({"digest": None}, {"digest": block["digest"].upper()}):
        yield document | {"integrity": block | wrong}, ("DT-G002", "/integrity/digest")
    for wrong in (
        {"algorithm": "SHA256"},
        {"algorithm": None},
        {"canonicalization": None},
        {"canonicalization": "rfc8785"},
    ):
        yield document | {"integrity": block | wrong}, ("DT-G001", "/integrity")
    yield document | {"integrity": {}}, ("DT-G001", "/integrity")
    for field in ("algorithm", "canonicalization", "digest"):
        yield document | {"integrity": block | {field: 1}}, ("DT-S002", f"/integrity/{field}")


PARTS = (texts, bytes_, syntax, versions, names, clocks, seals)
