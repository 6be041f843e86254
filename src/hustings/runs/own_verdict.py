"""The verdict that a protocol itself gives on a document, read from its result."""

from __future__ import annotations

from pydantic import BaseModel, JsonValue, ValidationError

from hustings.protocols.critique import VERDICTS, CritiqueVerdict

GIVES_A_VERDICT = ("critique",)
"""Protocols whose result has a verdict."""


class OwnVerdict(BaseModel, frozen=True, defer_build=True):
    verdict: CritiqueVerdict | None = None
    why: str = ""

    def at_least(self, limit: CritiqueVerdict) -> bool:
        """Whether the verdict is this one or a stricter one; without a verdict it is not."""
        return self.verdict is not None and VERDICTS.index(self.verdict) >= VERDICTS.index(limit)


def own_verdict(result: JsonValue) -> OwnVerdict:
    """What a result says of the document; nothing if another version wrote something else there."""
    try:
        return OwnVerdict.model_validate(result)
    except ValidationError:
        return OwnVerdict()
