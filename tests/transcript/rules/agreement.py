"""Whether the schema and the rules of structure refuse the same files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from jsonschema import Draft202012Validator

from hustings.transcript.rules import Finding, check
from hustings.transcript.schema import closed_schema, open_schema

OPEN, CLOSED = Draft202012Validator(open_schema()), Draft202012Validator(closed_schema())
STRUCTURE = {"DT-S001", "DT-S002", "DT-S003", "DT-S004"}


def is_whole(finding: Finding, document: Any) -> bool:
    """The one wanted difference: JSON Schema takes 1.0 for an integer."""
    if not finding.message.endswith("instead of integer"):
        return False
    for part in finding.pointer.split("/")[1:]:
        document = document[int(part)] if isinstance(document, list) else document.get(part)
    return isinstance(document, float) and document.is_integer()


def differences(files: Iterable[bytes]) -> list[bytes]:
    """Files that only one of the two refuses."""
    out: list[bytes] = []
    for raw in files:
        document, found = json.loads(raw), [finding for finding in check(raw) if finding.code in STRUCTURE]
        refused = any(not is_whole(finding, document) for finding in found)
        if refused == OPEN.is_valid(document):
            out.append(raw)
    return out
