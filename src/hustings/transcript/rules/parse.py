"""DT-P: what cannot be read at all, or only at the reader's risk."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .fields import Spot, field_rule
from .reader import SURROGATE, Document, reading_rule, strings
from .rulebook import Found, quoted


@reading_rule("DT-P001", "error", "the file is not UTF-8 JSON")
def not_json(reading: Document) -> Iterator[Found]:
    if reading.why == "syntax":
        yield Found("", reading.detail)


@reading_rule("DT-P002", "error", "an object has the same key twice")
def duplicate_key(reading: Document) -> Iterator[Found]:
    if reading.why == "duplicate":
        yield Found("", reading.detail)


@reading_rule("DT-P003", "error", "a number cannot be kept exactly (NaN, infinite, or an integer beyond 2^53 - 1)")
def unsafe_number(reading: Document) -> Iterator[Found]:
    if reading.why == "number":
        yield Found("", reading.detail)


@reading_rule("DT-P004", "error", "the file is nested too deeply")
def too_deep(reading: Document) -> Iterator[Found]:
    if reading.why == "depth":
        yield Found("", reading.detail)


@reading_rule("DT-P005", "error", "the file is too large")
def too_large(reading: Document) -> Iterator[Found]:
    if reading.why == "size":
        yield Found("", reading.detail)


@reading_rule("DT-P006", "error", "half of a surrogate pair stands alone")
def lone_surrogate(reading: Document) -> Iterator[Found]:
    # Only an escape can produce one, and most files have no such escape.
    if ESCAPED_SURROGATE.search(reading.raw):
        for pointer, text in strings(reading.document, lambda text: SURROGATE.search(text) is not None):
            yield Found(pointer, f"in {quoted(text)}")


@reading_rule("DT-P007", "error", "more than the limit allows")
def too_many_values(reading: Document) -> Iterator[Found]:
    if reading.why == "values":
        yield Found("", reading.detail)


@reading_rule("DT-P007", "error", "more than the limit allows")
def long_string(reading: Document) -> Iterator[Found]:
    most = reading.limits.string
    if len(reading.raw) > most:
        for pointer, text in strings(reading.document, lambda text: len(text) > most):
            yield Found(pointer, f"{len(text)} characters, {most} are allowed")


@field_rule("DT-P007", "error", "more than the limit allows")
def long_list(spot: Spot) -> str | None:
    most = getattr(spot.limits, spot.name, None)
    too_long = most is not None and spot.entries > most
    return f"{spot.entries} entries, {most} are allowed" if too_long else None


ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
