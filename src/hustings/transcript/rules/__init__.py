"""Validator of transcripts: every numbered rule is one small function in the file of its group.

Rules on the bytes run first, then rules on single fields, then all others: each stage needs the one before.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType

from . import attempts, integrity, interventions, mode, parse, references, rounds, structure, time
from .fields import field_rule, misfits
from .index import Index, rule
from .reader import PUBLISHED, SizeLimits, read, reading_rule
from .rulebook import Finding, Found, Rule, findings, place

__all__ = ["RULES", "Finding", "Rule", "SizeLimits", "check", "check_document"]


GROUPS = (parse, structure, rounds, attempts, mode, interventions, time, references, integrity)
"""Importing these modules registers their rules."""

_written = [written for book in (reading_rule, field_rule, rule) for written, _ in book.entries]
RULES: Mapping[str, Rule] = MappingProxyType({written.code: written for written in sorted(_written, key=place)})


def check(raw: bytes, *, limits: SizeLimits = PUBLISHED) -> list[Finding]:
    """Return everything that is wrong with a file. Never raises, whatever the bytes."""
    reading = read(raw, limits)
    return (
        findings(reading_rule, reading, limits.findings)
        or misfits(reading.document, limits)
        or findings(rule, Index(reading.document), limits.findings)
    )


def check_document(document: object, *, limits: SizeLimits = PUBLISHED) -> list[Finding]:
    """Check a document that is not yet written, as the bytes it would become."""
    try:
        raw = json.dumps(document).encode()
    except (TypeError, ValueError, RecursionError) as error:
        return [RULES["DT-P001"].finding(Found("", str(error)))]
    return check(raw, limits=limits)
