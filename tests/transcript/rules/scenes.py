"""Small scenes in which a rule must speak, and their neighbours in which it must not."""

from __future__ import annotations

from collections.abc import Iterator

from . import scenes_play, scenes_text
from .cases import Case, dump


def scenes() -> Iterator[Case]:
    for part in (*scenes_text.PARTS, *scenes_play.PARTS):
        for i, (document, *expected) in enumerate(part()):
            raw = document if isinstance(document, bytes) else dump(document)
            yield Case(f"{part.__name__} {i}", raw, tuple(expected))
