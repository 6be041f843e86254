"""Counts the words of a text in any language, and cuts a text to a number of words.

Scripts without spaces do not show their words: there the count is an estimate from the number of letters, and
`LETTERS_PER_WORD` says how many make one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from math import inf

SIGNS = 8_192
"""Characters whose kind is kept: a text uses few of them, and each many times."""


def count_words(text: str) -> int:
    """Count words as a person does: `don't`, `well-known` and `3.5` are one each, punctuation does not count."""
    if text.isascii():  # most texts, and many times faster
        return len(ASCII_WORD.findall(text))
    return sum(1 for _ in _starts(text))


def shortened(text: str, words: int) -> str:
    """The text itself if it has at most `words` words, else its beginning and an ellipsis."""
    cut = next(islice(_starts(text), max(words, 0), None), None)
    if cut is None:
        return text
    while cut and not _is_inside_words(text[cut - 1]):
        cut -= 1
    return text[:cut] + "…"


def called(name: str) -> str:
    """An id as a name: `pro_2` is Pro 2."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def _starts(text: str) -> Iterator[int]:
    """Where each word begins. Later text never moves a start, so a longer text never counts less."""
    if text.isascii():
        yield from (word.start() for word in ASCII_WORD.finditer(text))
        return
    run, letters = None, 0
    for place, sign in enumerate(text):
        if not sign.isalnum():
            if not (_is_mark(sign) or _joins(text, place)):
                run = None
            continue
        per_word = _letters_per_word(sign)
        if per_word != run:
            run, letters = per_word, 0
        if letters % per_word == 0:
            yield place
        letters += 1


def _joins(text: str, place: int) -> bool:
    """Whether the character at this place joins two parts of one word."""
    around = text[max(place - 1, 0)], text[place + 1 : place + 2]
    if text[place] in JOINS_DIGITS:
        return all(sign.isdigit() for sign in around)
    return text[place] in JOINS_LETTERS and all(map(_is_inside_words, around))


def _is_inside_words(sign: str) -> bool:
    return sign.isalnum() or _is_mark(sign)


@lru_cache(maxsize=SIGNS)
def _is_mark(sign: str) -> bool:
    """Accents, vowel signs and invisible joiners belong to the letter before them."""
    return sign in INVISIBLE or (sign > "\u02ff" and unicodedata.category(sign).startswith("M"))


@lru_cache(maxsize=SIGNS)
def _letters_per_word(sign: str) -> float:
    if sign < UNSPACED[0][0]:
        return inf
    return next((letters for first, last, letters in UNSPACED if first <= sign <= last), inf)


ASCII_WORD = re.compile(r"[0-9A-Za-z]+(?:(?:['_-](?=[0-9A-Za-z])|(?<=[0-9])[.,:](?=[0-9]))[0-9A-Za-z]+)*")
JOINS_LETTERS = frozenset("'’-‐‑_·")
JOINS_DIGITS = frozenset(".,:")
INVISIBLE = frozenset("\u00ad\u200c\u200d\u2060")

LETTERS_PER_WORD = {"Han": 1, "Kana": 2, "Thai": 4, "Lao": 4, "Burmese": 4, "Khmer": 4}
"""Rules of thumb, marks not counted; Japanese mixes Han and kana, and each run counts by itself."""

UNSPACED = tuple(
    (first, last, LETTERS_PER_WORD[script])
    for first, last, script in (
        ("\u0e00", "\u0e7f", "Thai"),
        ("\u0e80", "\u0eff", "Lao"),
        ("\u1000", "\u109f", "Burmese"),
        ("\u1780", "\u17ff", "Khmer"),
        ("\u3005", "\u3007", "Han"),
        ("\u3040", "\u30ff", "Kana"),
        ("\u31f0", "\u31ff", "Kana"),
        ("\u3400", "\u4dbf", "Han"),
        ("\u4e00", "\u9fff", "Han"),
        ("\ua9e0", "\ua9ff", "Burmese"),
        ("\uaa60", "\uaa7f", "Burmese"),
        ("\uf900", "\ufaff", "Han"),
        ("\uff66", "\uff9f", "Kana"),
        ("\U00020000", "\U0003ffff", "Han"),
    )
)
"""First and last character of each script without spaces, in order, and its letters per word."""
