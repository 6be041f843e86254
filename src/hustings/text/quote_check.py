"""Checks whether a quote stands in a text, where, and what was changed. `aligning` says which slips count as near.

A quote is never weighed by likeness. It is the text's words, or it differs in a way that is on a short list: an
article, a word written as two, a slip that makes no other word. Everything else is another statement, and the finding
says which words made it so.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from typing import Literal

from .aligning import Alignment, closest, is_harmless, is_near, told
from .clipping import cut_after, cut_before, cut_inside, left_out
from .folding import Folded, Text

__all__ = ["Finding", "Text", "Verdict", "check", "stands"]

Verdict = Literal["verbatim", "near", "clipped", "altered", "absent", "short"]


@dataclass(frozen=True)
class Finding:
    """What can be said of a quote."""

    verdict: Verdict
    start: int = -1
    """Where it stands in the text, in characters; -1 if nowhere."""
    end: int = -1
    why: str = ""

    @property
    def accepted(self) -> bool:
        return self.verdict in {"verbatim", "near"}


def check(quote: str, source: Text) -> Finding:
    """The best that can be said of a quote."""
    if len(quote) > MAX_QUOTE:
        return Finding("absent", why=f"has more than {MAX_QUOTE} characters, too many to check")
    plain = EDITED.sub(r"\1", quote)
    whole = Folded(plain, source.decimal)
    if len(whole) < MIN_TOKENS:
        if whole.words and whole.words == source.words:
            return _found("verbatim", source, 0, len(source))
        return Finding("short", why=f"has fewer than {MIN_TOKENS} words, which prove nothing")
    cuts = [bisect_left(whole.starts, mark.start()) for mark in ELISION.finditer(plain)]
    parts = [(first, last) for first, last in pairwise([0, *cuts, len(whole)]) if first < last]
    if len(parts) == 1 or _places(whole, source):
        return _one(whole, source)
    if len(parts) > MAX_PARTS:
        return Finding("absent", why=f"has more than {MAX_PARTS} parts")
    return _several([whole.part(first, last) for first, last in parts], source)


def stands(quote: str, source: Text) -> bool:
    """Whether the words of a quote stand in the text in one piece, which says nothing about what was cut off."""
    if len(quote) > MAX_QUOTE:
        return False
    words = _words(quote, source.decimal)
    return bool(words) and next(source.places(words), None) is not None


@lru_cache(maxsize=256)
def _words(quote: str, decimal: str) -> Sequence[str]:
    """Kept, because a quote is looked for in one text after the other."""
    return Folded(EDITED.sub(r"\1", quote), decimal).words


def _places(quote: Folded, source: Text) -> list[int]:
    """Where the words of a quote stand; the longer it is, the fewer places are looked at."""
    return list(islice(source.places(quote.words), max(MAX_PLACES // len(quote), 4)))


def _one(quote: Folded, source: Text) -> Finding:
    clipped: Finding | None = None
    for first in _places(quote, source):
        last = first + len(quote)
        why = _clipped(source, first, last)
        if not why:
            return _found("verbatim", source, first, last)
        clipped = clipped or _found("clipped", source, first, last, why)
    return clipped or (_near(quote, source) if len(quote) <= MAX_COMPARED else _long(quote, source))


def _clipped(source: Text, first: int, last: int) -> str:
    if why := _cut_figure(source, first, last):
        return why
    if before := cut_before(source, first):
        return f"cuts off '{before}' before it"
    after = cut_after(source, last)
    return f"cuts off '{after}' after it" if after else ""


def _cut_figure(source: Text, first: int, last: int) -> str:
    cut = cut_inside(source, first, last)
    return f"cuts '{cut}' in two" if cut else ""


def _near(quote: Folded, source: Text) -> Finding:
    """The closest place: near if all differences are harmless, else what was changed."""
    places = closest(quote, source)
    for place in places:
        if is_near(quote, source, place):
            why = _clipped(source, place.first, place.last)
            said = "; ".join(told(change, quote, source) for change in place.changes)
            return _found("clipped" if why else "near", source, place.first, place.last, why or said)
    if not places:
        return Finding("absent", why="is nowhere in the text, nor anything like it")
    return _found("altered", source, places[0].first, places[0].last, _changed(places[0], quote, source))


def _changed(place: Alignment, quote: Folded, source: Text) -> str:
    grave = [change for change in place.changes if not is_harmless(change, quote, source)] or place.changes
    return "; ".join(told(change, quote, source) for change in grave[:MAX_TOLD])


def _long(quote: Folded, source: Text) -> Finding:
    """A quote too long to compare must be exact; the first piece that is not tells what was changed."""
    for start in range(0, len(quote), MAX_COMPARED - MIN_TOKENS):
        piece = quote.part(start, start + MAX_COMPARED)
        if next(source.places(piece.words), None) is None:
            found = _near(piece, source)
            return found if found.verdict == "absent" else Finding("altered", found.start, found.end, found.why)
    return Finding("absent", why="has pieces that do not stand together in the text")


def _several(parts: Sequence[Folded], source: Text) -> Finding:
    """Every part word for word, in order, close together, and nothing left out that turns the sense."""
    if any(len(part) < MIN_TOKENS for part in parts):
        return Finding("short", why=f"has a part of fewer than {MIN_TOKENS} words")
    places = [_places(part, source) for part in parts]
    for part, found in zip(parts, places, strict=True):
        if not found:
            return _not_verbatim(_one(part, source))
    best: Finding | None = None
    for chain in _chains(parts, places):
        first, last = chain[0][0], chain[-1][1]
        why = _why_not(chain, source)
        if not why:
            return _found("verbatim", source, first, last, "leaves words out")
        best = best or _found("altered", source, first, last, why)
    return best or Finding("altered", *_span(source, places[0][0], len(parts[0])), "has its parts in another order")


def _not_verbatim(found: Finding) -> Finding:
    """Beside an omission no other difference is forgiven."""
    return Finding("altered", found.start, found.end, found.why) if found.accepted else found


def _chains(parts: Sequence[Folded], places: Sequence[Sequence[int]]) -> list[list[tuple[int, int]]]:
    """The places where the parts follow one another, the closest together first."""
    chains: list[list[tuple[int, int]]] = []
    for first in places[0]:
        chain = [(first, first + len(parts[0]))]
        for part, found in zip(parts[1:], places[1:], strict=True):
            at = bisect_left(found, chain[-1][1])
            if at == len(found):
                break
            chain.append((found[at], found[at] + len(part)))
        if len(chain) == len(parts):
            chains.append(chain)
    chains.sort(key=lambda chain: chain[-1][1] - chain[0][0])
    return chains[:MAX_CHAINS]


def _why_not(chain: Sequence[tuple[int, int]], source: Text) -> str:
    """Why these places do not make a quote; empty if they do."""
    gaps = [(end, start) for (_, end), (start, _) in pairwise(chain)]
    if any(start - end > MAX_GAP for end, start in gaps):
        return "has parts that do not stand close together"
    first, last = chain[0][0], chain[-1][1]
    before, after = cut_before(source, first), cut_after(source, last)
    reasons: Iterator[str] = (
        reason
        for reason in (
            *(left_out(source, end, start) for end, start in gaps),
            *(_cut_figure(source, *part) for part in chain),
            before and f"cuts off '{before}' before it",
            after and f"cuts off '{after}' after it",
        )
        if reason
    )
    return next(reasons, "")


def _found(verdict: Verdict, source: Text, first: int, last: int, why: str = "") -> Finding:
    return Finding(verdict, *_span(source, first, last - first), why)


def _span(source: Text, first: int, size: int) -> tuple[int, int]:
    return source.starts[first], source.ends[first + size - 1]


ELISION = re.compile(r"\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.{3,}|…+|⋯+")
EDITED = re.compile(r"\[(\w)\](?=[\w'’])|\s\[sic\]")
"""What editors do to a quote: "[T]he plan", "[sic]"."""

MIN_TOKENS = 3
"""Fewer words stand in a text by chance."""
MAX_COMPARED = 400
"""A longer quote must be exact."""
MAX_QUOTE, MAX_PLACES, MAX_PARTS, MAX_CHAINS, MAX_TOLD = 32_000, 600, 8, 20, 3
MAX_GAP = 120
"""Tokens that one omission may leave out."""
