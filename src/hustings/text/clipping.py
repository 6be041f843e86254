"""Finds words cut off before or after a quote, or left out of it, that turn its sense."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .folding import DASHES, Text
from .turning_words import (
    ABBREVIATIONS,
    AND_WORDS,
    BREAKS,
    CLAUSE_NEGATIONS,
    DENIALS,
    EXCEPTIONS,
    EXCUSED,
    EXCUSED_AFTER,
    FIGURE_LIMITS,
    FIGURE_SIGNS,
    LATE_NEGATIONS,
    LIMITS,
    LINKS,
    NEAR_NEGATIONS,
    NUMBERS,
    OMITTED,
    ONLY,
    OPENERS,
    OR_WORDS,
    PARTICLES,
    REFUSALS,
    SCALES,
    TOO_FOR,
)


def cut_before(source: Text, first: int) -> str:
    """A negation that stands before the quote in its clause, as the text has it; empty if nothing does."""
    listed = False
    n = first
    while n > max(first - REACH, 0):
        gap = source.gap(n)
        if gap.strip() == ")":
            n = _before_bracket(source, n)
        elif _is_boundary(source, n):
            if "," not in gap or _ends_sentence(source, n):
                return ""
            if not (listed or source.words[n] in LINKS or _ends_phrase(source, n, REFUSALS)):
                return _before_aside(source, n)
        n -= 1
        if n < 0:
            return ""
        word = source.words[n]
        if word in BREAKS and not _ends_phrase(source, n + 1, NEAR_NEGATIONS):
            return ""
        if word in AND_WORDS and source.words[n + 1] in OPENERS:
            return ""
        listed = listed or word in OR_WORDS
        if found := _turning(source, n, first):
            return source.raw(n, n + found)
    return ""


def _turning(source: Text, n: int, first: int) -> int:
    """How many words from this one turn what follows, up to the quote; 0 if they do not."""
    far = first - n - 1
    if size := _negation(source, n, first):
        return size
    if size := _starting(source, n, _NEAR):
        return size if far - size < NEAR_REACH else 0
    if size := _starting(source, n, _REFUSALS):
        return size
    goal = TOO_FOR.get(source.words[n])
    return far if goal and goal in source.words[n + 1 : first + 1] else 0


def _negation(source: Text, n: int, first: int = -1) -> int:
    """How many words from this one are a negation of their clause; 0 if none, or if the next words take it back.

    A quote that begins with such a word does not show what it takes back.
    """
    word = source.words[n]
    if word.endswith("n't"):
        return 1
    excused = n + 1 != first and any(tuple(source.words[n : n + k]) in EXCUSED for k in (2, 3))
    return 0 if excused else _starting(source, n, _CLAUSE)


def cut_after(source: Text, last: int) -> str:
    """What stands behind the quote in its clause and takes it back: an exception, "not only", a late negation."""
    if last == len(source):
        return ""
    word = source.words[last]
    if not _ends_sentence(source, last) and word in EXCEPTIONS:
        return source.raw(last, last + 1)
    # A quote that ends in "and" shows that more was said, and what follows is a statement of its own.
    if _is_boundary(source, last) or source.words[last - 1] in AND_WORDS:
        return ""
    if size := _starting(source, last, _DENIALS):
        return source.raw(last, last + size)
    denied = _negation(source, last) and word not in OR_WORDS
    if denied or word in ONLY or (_starting(source, last - 1, _CLAUSE) and word in LIMITS):
        return source.raw(last, last + 1)
    for n in range(last, min(last + LATE_REACH, len(source))):
        word = source.words[n]
        if _is_boundary(source, n) or word in BREAKS or word in AND_WORDS or word in OR_WORDS:
            break
        if word in LATE_NEGATIONS and _negation(source, n):
            return source.raw(n, n + 1)
    return ""


def cut_inside(source: Text, first: int, last: int) -> str:
    """The figure or compound that the quote cuts in two; empty if it cuts none."""
    words = source.words
    if first:
        low = first
        if words[first] in NUMBERS or words[first].lstrip("-")[:1].isdigit():
            low = _figure_start(source, first)
        elif _is_hyphen(source, first):
            low = first - 1
        if low < first:
            return source.raw(low, first + 1)
    if last < len(source) and (_goes_on(source, last) or _is_hyphen(source, last)):
        return source.raw(last - 1, last + 1)
    return ""


def _figure_start(source: Text, first: int) -> int:
    """Where a figure begins, with the words and signs that limit it."""
    words = source.words
    before = words[first - 1]
    if before in FIGURE_SIGNS and not source.gap(first).strip():
        return first - 1
    if _is_boundary(source, first):
        return first
    if words[first] in NUMBERS and before in NUMBERS:
        return first - 1
    if before == "y" and words[first] in NUMBERS and words[max(first - 2, 0)] in NUMBERS:
        return first - 2
    for phrase in FIGURE_LIMITS:
        if tuple(words[max(first - len(phrase), 0) : first]) == phrase:
            return first - len(phrase)
    return first


def _goes_on(source: Text, n: int) -> bool:
    """Whether the word at this place belongs to a figure, or a unit, that begins before it."""
    word, before = source.words[n], source.words[n - 1]
    if word[0] == "^":
        return not source.gap(n)
    figure = before[-1].isdigit() or before in NUMBERS or before in SCALES
    if not figure or _is_boundary(source, n):
        return False
    if word == "-":
        return n + 1 < len(source) and source.words[n + 1][0].isdigit()
    number = word in NUMBERS and not before[-1].isdigit()
    return word in SCALES or number or (word == "y" and n + 1 < len(source) and source.words[n + 1] in NUMBERS)


def _is_hyphen(source: Text, n: int) -> bool:
    """Whether a token hangs on the one before it: what is risk-free is no risk."""
    return source.gap(n) in _HYPHENS


def left_out(source: Text, first: int, last: int) -> str:
    """Why these tokens may not be left out between two parts of a quote; empty if they may."""
    ends = [n for n in range(first, last + 1) if _ends_sentence(source, n)]
    if ends:
        if ends[-1] != last:
            return "makes one sentence of two"
        turned = cut_after(source, first)
        return f"leaves out '{turned}'" if turned else ""
    for n in range(first, last):
        size = _negation(source, n) or max(_starting(source, n, listed) for listed in (_NEAR, _REFUSALS, _OMITTED))
        if size and tuple(source.words[n : n + 2]) not in EXCUSED and source.raw(n, n + 1) != "May":
            return f"leaves out '{source.raw(n, min(n + size, last))}'"
    return ""


def _ends_phrase(source: Text, n: int, phrases: Iterable[tuple[str, ...]]) -> bool:
    """Whether one of the phrases ends before this token."""
    return any(tuple(source.words[max(n - len(phrase), 0) : n]) == phrase for phrase in phrases)


def _before_bracket(source: Text, n: int) -> int:
    """The token before which a bracket opens that closes before this one."""
    for at in range(n - 1, max(n - REACH, 0), -1):
        if "(" in source.gap(at):
            return at
    return 0


def _before_aside(source: Text, n: int) -> str:
    """A negation before an aside between two commas: "is not, as they say, safe"."""
    for at in range(n - 1, max(n - ASIDE, 0), -1):
        if _is_boundary(source, at):
            word = source.words[at - 1]
            return source.raw(at - 1, at) if word in PARTICLES and source.gap(at).strip() == "," else ""
    return ""


def _is_boundary(source: Text, n: int) -> bool:
    """Whether a clause ends before this token."""
    gap = source.gap(n)
    return (bool(_CLAUSE_END.search(gap)) and (not gap.startswith(".") or _ends_sentence(source, n))) or _is_new_line(
        source, n
    )


def _ends_sentence(source: Text, n: int) -> bool:
    """Whether a sentence, a heading or an item of a list ends before this token."""
    gap = source.gap(n)
    if not _SENTENCE_END.search(gap):
        return _is_new_line(source, n)
    return not (gap.startswith(".") and source.words[n - 1] in ABBREVIATIONS)


def _is_new_line(source: Text, n: int) -> bool:
    """Whether a new paragraph, item or, after a heading, a first sentence begins with this token."""
    gap = source.gap(n)
    if "\n" not in gap:
        return False
    if _NEW_ITEM.search(gap):
        return True
    cut, start = source.ends[n - 1], source.starts[n]
    before = cut - (source.text.rfind("\n", 0, cut) + 1)
    after = source.text.find("\n", start)
    size = (len(source.text) if after < 0 else after) - start
    return source.text[start : start + 1].isupper() and before * 2 < size


def _starting(source: Text, n: int, listed: dict[str, list[tuple[str, ...]]]) -> int:
    """The length of the longest listed phrase that begins here; 0 if the word before it makes it harmless."""
    if n and (source.words[n - 1], source.words[n]) in EXCUSED_AFTER:
        return 0
    phrases = listed.get(source.words[n], ())
    return max((len(p) for p in phrases if tuple(source.words[n : n + len(p)]) == p), default=0)


def _by_first(phrases: Iterable[tuple[str, ...]]) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        found.setdefault(phrase[0], []).append(phrase)
    return found


_CLAUSE, _NEAR = _by_first(CLAUSE_NEGATIONS), _by_first(NEAR_NEGATIONS)
_REFUSALS, _OMITTED, _DENIALS = _by_first(REFUSALS), _by_first(OMITTED), _by_first(DENIALS)
_HYPHENS = frozenset(DASHES) - {"–", "−"}
_CLAUSE_END = re.compile(r"[,;:.!?…—()（）、。，；：！？]|\s[-–]\s")
_SENTENCE_END = re.compile(r"[.!?…](?=[\s\"'”’»)\]*_]|$)|[。！？]")
_NEW_ITEM = re.compile(r"\n[ \t\r]*+\n|\n[^\S\n]*+(?:[-*•#|]|\(?\d+[.)]\s)|^\s*\|")

REACH, NEAR_REACH, LATE_REACH, ASIDE = 24, 3, 16, 10
"""How far, in tokens, a word can turn others."""
