"""Finds the place of a text that comes closest to a quote, and which differences are harmless: a near quote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from .folding import Folded, Text
from .turning_words import ENGLISH_WORDS, LOOKALIKES, NUMBERS, PREFIXES, TURNERS


@dataclass(frozen=True)
class Change:
    """Tokens of the source from `a` to `b` for which the quote has its own from `c` to `d`."""

    a: int
    b: int
    c: int
    d: int


@dataclass(frozen=True)
class Alignment:
    """Tokens of the source from `first` to `last`, and what is different in the quote."""

    first: int
    last: int
    changes: tuple[Change, ...]
    same: int


def closest(quote: Folded, source: Text) -> list[Alignment]:
    """The few places that agree with most of the quote, the best one first."""
    found = [_compared(quote, source, first, last) for first, last in windows(quote, source)]
    close = [place for place in found if place.same >= LEAST * len(quote)]
    return sorted(close, key=lambda place: (sum(max(c.b - c.a, c.d - c.c) for c in place.changes), place.first))


def windows(quote: Folded, source: Text) -> Iterator[tuple[int, int]]:
    """Stretches of the source in which most pairs of the quote's words line up; rare pairs are searched for."""
    known = [word in source.counts for word in quote.words]
    pairs = [n for n, both in enumerate(pairwise(known)) if all(both)]
    pairs.sort(key=lambda n: source.counts[quote.words[n]] * source.counts[quote.words[n + 1]])
    width = min(len(quote) // 4 + 8, MAX_SLACK)
    lines: Counter[int] = Counter()
    for n in pairs[:MAX_PAIRS]:
        for place in islice(source.places(quote.words[n : n + 2]), MAX_PLACES):
            lines[(place - n) // width] += 1
    taken: list[int] = []
    for line in sorted(lines, key=lambda at: (-lines[at] - lines[at + 1], at)):
        if len(taken) == MAX_WINDOWS:
            break
        if all(abs(line - other) > 1 for other in taken):
            taken.append(line)
            start = line * width
            yield max(start - width, 0), min(start + len(quote) + 3 * width, len(source))


def _compared(quote: Folded, source: Text, first: int, last: int) -> Alignment:
    pairs, low, high = matches(source.code(quote.words), source.coded[first:last])
    ends = [(-1, low - 1), *pairs, (len(quote), high)]
    changes = tuple(
        Change(first + j + 1, first + q, i + 1, p) for (i, j), (p, q) in pairwise(ends) if (p, q) != (i + 1, j + 1)
    )
    return Alignment(first + low, first + high, changes, len(pairs))


def matches(sought: str, window: str) -> tuple[list[tuple[int, int]], int, int]:
    """Which letters agree where the window comes closest, and where that begins and ends; by the fewest edits.

    All rows of a column are computed at once, as the bits of one number: no input makes it slow.
    """
    size = len(sought)
    full, top = (1 << size) - 1, 1 << (size - 1)
    rows: dict[str, int] = {}
    for n, sign in enumerate(sought):
        rows[sign] = rows.get(sign, 0) | 1 << n
    up, down, score = full, 0, size
    best, high = size, 0
    columns: list[tuple[int, int]] = []
    for n, sign in enumerate(window, 1):
        here = rows.get(sign, 0)
        level = (((here & up) + up) ^ up) | here | down
        right, left = down | ~(level | up), level & up
        score += bool(right & top) - bool(left & top)
        columns.append((right, level))
        right, left = right << 1, left << 1
        up, down = (left | ~(level | right)) & full, right & level & full
        # A changed last word is better told as changed than as added.
        if score < best or (score == best and n == high + 1 and window[n - 2 : n - 1] != sought[-1]):
            best, high = score, n
    pairs: list[tuple[int, int]] = []
    i, j = size, high
    while i and j:
        right, level = columns[j - 1]
        bit = 1 << (i - 1)
        if sought[i - 1] == window[j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif right & bit:
            j -= 1
        elif not level & bit:
            i, j = i - 1, j - 1
        else:
            i -= 1
    return pairs[::-1], j, high


def is_near(quote: Folded, source: Text, place: Alignment) -> bool:
    """Whether all differences are on the list of harmless ones, and few."""
    if len(place.changes) > max(1, len(quote) // PER_CHANGE):
        return False
    joined = all(_is_joined(change, quote, source) for change in place.changes)
    return joined or (len(quote) >= MIN_NEAR and all(is_harmless(c, quote, source) for c in place.changes))


def is_harmless(change: Change, quote: Folded, source: Text) -> bool:
    """An article, a word written as two, or a slip that makes no other word."""
    return _is_article(change, quote, source) or _is_joined(change, quote, source) or _is_slip(change, quote, source)


def _is_article(change: Change, quote: Folded, source: Text) -> bool:
    """Articles of English only: others are also pronouns, or verbs, as the French "a" is."""
    words = [*zip(source.words[change.a : change.b], _written(source, change.a, change.b), strict=True)]
    words += zip(quote.words[change.c : change.d], _written(quote, change.c, change.d), strict=True)
    around = source.words[max(change.a - 20, 0) : change.b + 20]
    english = sum(word in ENGLISH_WORDS for word in around)
    # "Plan A" has no article.
    return all(word in ARTICLES and written != "A" for word, written in words) and english * 10 >= len(around)


def _written(text: Folded, first: int, last: int) -> list[str]:
    return [text.raw(n, n + 1) for n in range(first, last)]


def _is_joined(change: Change, quote: Folded, source: Text) -> bool:
    """Whether one word is written as two, or a figure with its thousands set apart."""
    there, here = source.words[change.a : change.b], quote.words[change.c : change.d]
    together = "".join(there)
    if together != "".join(here) or min(len(there), len(here)) != 1:
        return False
    text, first, last = (source, change.a, change.b) if len(there) > 1 else (quote, change.c, change.d)
    if together.isdecimal():
        one = quote.raw(change.c, change.d) if text is source else source.raw(change.a, change.b)
        return not one.isdecimal() and all(len(part) == 3 for part in text.words[first + 1 : last])
    if not together.isalpha():
        return False
    hyphens = all(text.gap(n) in HYPHENS for n in range(first + 1, last))
    return hyphens or not ({*text.words[first:last], together} & (TURNERS | PREFIXES))


def _is_slip(change: Change, quote: Folded, source: Text) -> bool:
    there, here = source.words[change.a : change.b], quote.words[change.c : change.d]
    return len(there) == len(here) == 1 and slipped(there[0], here[0]) and here[0] not in source.counts


def slipped(one: str, other: str) -> bool:
    """Whether, in a long word, a letter is doubled or single, exchanged with its neighbour or missing.

    A wrong letter is no slip, and in shorter words nothing is: too often they make another word, as in prescribed and
    proscribed, handled and handed, carries and caries.
    """
    short, long = sorted((one, other), key=len)
    if len(short) < MIN_SLIP or not (short.isalpha() and long.isalpha()):
        return False
    if {one, other} & (TURNERS | NUMBERS) or frozenset((one, other)) in LOOKALIKES:
        return False
    n = next((n for n, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    # Beginnings and ends carry the sense of a word: un-, in-, -s, -ed, -less.
    if n < 2 or n > len(short) - 2:
        return False
    if len(short) < len(long):
        return short[n:] == long[n + 1 :] and (long[n] == long[n - 1] or len(short) >= MIN_MISSING)
    exchanged = short[n : n + 2] == long[n + 1] + long[n] and short[n + 2 :] == long[n + 2 :]
    return exchanged and n + 2 < len(short)


def told(change: Change, quote: Folded, source: Text) -> str:
    """A difference in words, for the person or model who gave the quote."""
    there, here = _cut(source.raw(change.a, change.b)), _cut(quote.raw(change.c, change.d))
    if not here:
        return f"leaves out '{there}'"
    return f"adds '{here}'" if not there else f"says '{here}' where the text says '{there}'"


def _cut(words: str) -> str:
    return words if len(words) <= MAX_TOLD else f"{words[: MAX_TOLD - 1]}…"


ARTICLES = frozenset({"a", "an", "the"})
HYPHENS = frozenset("-‐‑")

LEAST = 0.6
"""The share of a quote's words that must stand at a place before it is called altered, not absent."""
MIN_NEAR, PER_CHANGE = 6, 8
MIN_SLIP, MIN_MISSING = 8, 10
"""Letters of a word in which a slip is forgiven, or a missing letter: the longer a word, the rarer its neighbours."""
MAX_PLACES, MAX_PAIRS, MAX_WINDOWS, MAX_SLACK, MAX_TOLD = 200, 10, 3, 64, 80
