"""DT-G: the file is the one that was written, and its text shows all it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hustings.transcript.canonical import ALGORITHM, CANONICALIZATION, digest

from .index import Index, rule
from .rulebook import Found, quoted


@rule("DT-G001", "error", "the integrity block names an unknown algorithm or canonical form")
def unknown_digest(index: Index) -> Iterator[Found]:
    block = index.document.get("integrity")
    if block is not None and not _is_ours(block):
        named = (block.get("algorithm"), block.get("canonicalization"))
        yield Found("/integrity", f"{quoted(named[0])}, {quoted(named[1])}")


@rule("DT-G002", "error", "the file was changed after its digest was taken")
def changed(index: Index) -> Iterator[Found]:
    block = index.document.get("integrity")
    if block is not None and _is_ours(block) and block.get("digest") != (actual := digest(index.document)):
        yield Found("/integrity/digest", f"{quoted(block.get('digest'), 20)}, it is {quoted(actual, 20)}")


@rule("DT-G003", "warning", "the text holds characters that do not show")
def invisible(index: Index) -> Iterator[Found]:
    for attempt in index.attempts:
        if mark := _INVISIBLE.search(attempt.body["content"]):
            yield Found(attempt.at("content"), f"U+{ord(mark[0]):04X} at character {mark.start()}")


def _is_ours(block: dict[str, str]) -> bool:
    return (block.get("algorithm"), block.get("canonicalization")) == (ALGORITHM, CANONICALIZATION)


# Controls except tab, newline and CR LF; embeddings, overrides and isolates; interlinear marks; tags.
# Direction marks and joiners are allowed: honest text needs them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0000-\U000e007f]|\r(?!\n)"
)
