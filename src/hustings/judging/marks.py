"""Reads a panel's marks, flags and readings of the seats' stances back from the notes of a judging."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Any

from hustings.script.forms import OBJECTIONS
from hustings.transcript.notes import Note

from .arguments import Argumentation
from .judgement import Flag

Key = tuple[str, int]
"""A judge, and one order of presentation."""


@dataclass(frozen=True)
class Observation:
    """Everything that one judge said in one order of presentation."""

    judge: str
    order: int
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict[str, Mapping[str, float]])
    """Item (a claim, a response, a turn) to dimension to 1..10; what was not scored, or not grounded, is absent."""
    shown: tuple[str, ...] = ()
    """Items in the order in which the judge saw them."""
    same_point: Mapping[str, str] = field(default_factory=dict[str, str])
    """Response to the response that makes the same point."""
    quotes: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    reasons: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """As `scores`: the words that a mark rests on, and why."""


def observations(notes: Iterable[Note]) -> list[Observation]:
    """Join all sheets of one judge in one order into one observation."""
    found: dict[Key, Observation] = {}
    # In planned order: a sheet that was retried arrived later, but was not shown later.
    for body in sorted(_bodies(notes, "marks"), key=lambda body: body["sheet"]):
        key = (body["judge"], body["order"])
        before = found.get(key, Observation(*key))
        rows: Mapping[str, Any] = body["items"]
        scores = {i: {d: float(s) for d, s in row["scores"].items() if s is not None} for i, row in rows.items()}
        same = {i: row["same_point_as"] for i, row in rows.items() if row["same_point_as"]}
        found[key] = Observation(
            *key,
            scores={**before.scores, **scores},
            shown=(*before.shown, *body["shown"]),
            same_point={**before.same_point, **same},
            quotes={**before.quotes, **_told(rows, "quotes")},
            reasons={**before.reasons, **_told(rows, "reasons")},
        )
    return [found[key] for key in sorted(found)]


def _told(rows: Mapping[str, Any], what: str) -> dict[str, Mapping[str, str]]:
    """Quotes or reasons by item."""
    return {item: row[what] for item, row in rows.items() if row[what]}


def unfounded(notes: Iterable[Note]) -> int:
    """Count the marks that were dropped because their quotes were not found."""
    rows = (row for body in _bodies(notes, "marks") for row in body["items"].values())
    return sum(len(row.get("unfounded", ())) for row in rows)


def accepted(notes: Iterable[Note]) -> Counter[Key]:
    """Count usable sheets by judge and order; a sheet of marks needs at least one score that rests on words."""
    notes = list(notes)
    marked = [body for body in _bodies(notes, "marks") if any(_scored(row) for row in body["items"].values())]
    return Counter((body["judge"], body["order"]) for body in (*marked, *_bodies(notes, "stances")))


def _scored(row: Mapping[str, Any]) -> bool:
    return any(score is not None for score in row["scores"].values())


def flags(notes: Iterable[Note], family_of: Mapping[str, str], seat_of: Mapping[str, str]) -> list[Flag]:
    """Merge flags of the same kind about the same item, with the families that gave them."""
    found: dict[tuple[str, str], tuple[str, set[str]]] = {}
    for body in _bodies(notes, "marks"):
        for item, row in body["items"].items():
            for flag in row["flags"]:
                _, families = found.setdefault((item, flag["kind"]), (flag["quote"], set()))
                families.add(family_of[body["judge"]])
    return [
        Flag(kind=kind, about=item, seat=seat_of[item], quote=quote, families=tuple(sorted(families)))
        for (item, kind), (quote, families) in sorted(found.items())
    ]


def ballots(notes: Iterable[Note], seats: Sequence[str], heard: Iterable[Key]) -> dict[str, str | None]:
    """Where each seat ended, as more than half of the observations that count read its last words."""
    read: dict[Key, Mapping[str, str | None]] = {
        (body["judge"], body["order"]): body["stances"] for body in _bodies(notes, "stances")
    }
    readings = [read.get(key, {}) for key in heard]
    return {seat: _majority([some.get(seat) for some in readings]) for seat in seats}


def readings(notes: Iterable[Note], what: str, heard: Iterable[Key]) -> dict[str, list[str]]:
    """What the observations that count say of each seat besides its stance: condition, began, moved_by, quote."""
    read = {(body["judge"], body["order"]): body.get(what, {}) for body in _bodies(notes, "stances")}
    found: dict[str, list[str]] = {}
    for key in heard:
        for seat, words in read.get(key, {}).items():
            found.setdefault(seat, []).append(words or "")
    return found


def _majority(readings: Sequence[str | None]) -> str | None:
    option, count = Counter(readings).most_common(1)[0] if readings else (None, 0)
    return option if 2 * count > len(readings) else None


def without_answers(
    seen: Sequence[Observation], case: Argumentation, weights: Mapping[str, float]
) -> list[Observation]:
    """Fill in the answering mark of claims without objections: nothing could be answered, so the other marks decide."""
    unexamined = {claim.id for claim in case.claims} - {r.target for r in case.responses if r.kind in OBJECTIONS}
    rest = {name: share for name, share in weights.items() if name != ANSWERING}
    if ANSWERING not in weights or not unexamined:
        return list(seen)
    return [
        replace(
            one,
            scores={item: _filled(marks, rest) if item in unexamined else marks for item, marks in one.scores.items()},
        )
        for one in seen
    ]


def _filled(marks: Mapping[str, float], rest: Mapping[str, float]) -> dict[str, float]:
    """The weighted mean of the other marks changes no total."""
    known = {name: mark for name, mark in marks.items() if name != ANSWERING}
    if not rest.keys() <= known.keys():
        return known
    return {**known, ANSWERING: fsum(known[name] * share for name, share in rest.items()) / fsum(rest.values())}


def _bodies(notes: Iterable[Note], kind: str) -> Iterator[Mapping[str, Any]]:
    return (note.body for note in notes if note.kind == kind and "judge" in note.body)


ANSWERING = "responsiveness"
"""The mark for how an argument's author answered what was said against it."""
