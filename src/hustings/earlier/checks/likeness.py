"""Checks quotes by likeness, as the first versions of our protocols did; runs that began under them still do.

In a quote typography, case and line breaks do not matter, and small slips are allowed; a changed figure is not.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import Match, SequenceMatcher
from functools import lru_cache
from itertools import combinations, islice
from typing import TypeVar

from hustings.script.forms import Form
from hustings.script.moves import Check
from hustings.script.rubric import Rubric
from hustings.text.words import count_words

F = TypeVar("F", bound=Form)
FEWEST = 3


def quoting(of: Callable[[F], Iterable[tuple[str, Sequence[str]]]]) -> Check[F]:
    """Each quote occurs in one of the texts it is said to come from, word for word or nearly so."""

    def check(answer: F) -> Sequence[str]:
        missing = [quote for quote, texts in of(answer) if not is_quoted(quote, texts)]
        return [
            f"{quote!r} is too short to prove anything: quote three words or more, word for word"
            if count_words(quote) < FEWEST
            else f"nobody said {quote[:80]!r}: quote word for word"
            for quote in missing
        ]

    return check


def grounded(texts: Sequence[str]) -> Check[Rubric]:
    """Every score and every flag quotes words of these texts: no quote, no score."""

    def grounds(marks: Rubric) -> Iterable[tuple[str, Sequence[str]]]:
        scored = [mark.quote for mark in marks.marks().values() if mark.score is not None]
        return [(quote, texts) for quote in (*scored, *(quote for _, quote in marks.flags()))]

    return quoting(grounds)


def is_quoted(quote: str, texts: Iterable[str]) -> bool:
    """Whether the quote occurs in one of the texts, word for word or nearly so."""
    sought = _folded(quote).strip(" .")
    words = count_words(sought)
    if not words:
        return False
    if words < MIN_WORDS and len(sought) < MIN_SIGNS:
        return any(sought == _folded(text).strip(" .") for text in texts)
    every = list(map(_folded, texts))
    # Exact search finds an honest quote at once; near comparison is expensive.
    return any(_stands_in(sought, said) for said in every) or any(_nearly_in(sought, said) for said in every)


@lru_cache(maxsize=256)
def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFC", text.casefold()).translate(TYPOGRAPHY)
    return re.sub(r"\s+", " ", plain)


def _stands_in(quote: str, said: str) -> bool:
    places = islice(_places(quote, said), MAX_PLACES)
    return any(_same_figures(quote, said, place, place + len(quote)) for place in places)


def _nearly_in(quote: str, said: str) -> bool:
    return len(quote) <= MAX_NEAR and any(_alike(quote, window) for window in _windows(quote, said))


def _windows(quote: str, said: str) -> Iterator[str]:
    """The few passages worth comparing in full: those where most pieces of the quote line up."""
    slack = len(quote) // 8 + 4
    lines = Counter(
        (place - offset) // slack
        for offset in range(0, len(quote) - PIECE + 1, PIECE)
        for place in islice(_places(quote[offset : offset + PIECE], said), MAX_PLACES)
    )
    for line, _ in lines.most_common(MAX_COMPARED // len(quote)):
        start = line * slack
        yield said[max(start - slack, 0) : max(start + len(quote) + 2 * slack, 0)]


def _places(piece: str, said: str) -> Iterator[int]:
    place = said.find(piece)
    while place >= 0:
        yield place
        place = said.find(piece, place + 1)


def _alike(quote: str, window: str) -> bool:
    """Whether the quote and the passage it covers agree in nine characters of ten, counted on the longer one."""
    blocks = [b for b in SequenceMatcher(None, window, quote, autojunk=False).get_matching_blocks() if b.size]
    if sum(block.size for block in blocks) < MIN_SIMILARITY * len(quote):
        return False
    same, start, end = _passage(blocks)
    return same >= MIN_SIMILARITY * max(len(quote), end - start) and _same_figures(quote, window, start, end)


def _passage(blocks: Sequence[Match]) -> tuple[int, int, int]:
    """Size, start and end of what agrees, without stray letters beside it that add less than the gap to them."""
    spans = [
        (sum(block.size for block in blocks[i:j]), blocks[i].a, blocks[j - 1].a + blocks[j - 1].size)
        for i, j in combinations(range(len(blocks) + 1), 2)
    ]
    return max(spans, key=lambda span: 2 * span[0] - (span[2] - span[1]))


def _same_figures(quote: str, text: str, start: int, end: int) -> bool:
    """Whether whole figures agree: "40 percent" is no quote from "140 percent"."""
    around = FIGURE.finditer(text, max(start - 20, 0), end + 20)
    return FIGURE.findall(quote) == [m.group() for m in around if m.end() > start and m.start() < end]


FIGURE = re.compile(r"\d+(?:[.,]\d+)*")

MIN_WORDS, MIN_SIGNS = 3, 12
"""A quote below both is found by chance, and proves nothing."""

MIN_SIMILARITY = 0.90
MAX_NEAR = 400
"""A quote longer than this must be exact: comparing costs the square of its length."""

PIECE = 6
"""Short enough that a quote with one character in ten changed keeps some pieces whole."""

MAX_PLACES, MAX_COMPARED = 2000, 2000
"""Bounds on the work for long texts: places of one piece or quote, and characters compared in full."""

TYPOGRAPHY = {
    **dict.fromkeys(map(ord, "'\"‘’‚‛“”„‟‹›«»「」『』`´*")),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    ord("…"): "...",
}
"""Removes quotation marks and emphasis; makes all dashes and all ellipses alike."""
