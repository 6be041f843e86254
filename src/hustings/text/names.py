"""Finds the seats that a text names, each with the sentence that names it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from .words import UNSPACED


def mentions(text: str, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Each seat that the text names, with the sentence that names it first, in order of appearance.

    `names` maps what people say (a display name, a seat id) to the seat meant.
    """
    # The longest name first: "Ada Lovelace" does not mean the other Ada.
    known = sorted((name for name in names if name.strip()), key=lambda name: (-len(name), name))
    if not known:
        return []
    text = unicodedata.normalize("NFC", text)
    cuts = [0, *(cut.end() for cut in SENTENCE_END.finditer(text)), len(text)]
    found: dict[str, str] = {}
    for name, span in _found(text, known):
        if (seat := names[name]) not in found:
            found[seat] = _sentence(text, cuts, span)
    return list(found.items())


def is_one_line(name: str) -> bool:
    """Whether a name may stand where prompts and pages show names: no character ends its line or controls a display."""
    return not any(unicodedata.category(sign) in BREAKS or sign in TURNING for sign in name)


def _found(text: str, known: list[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Names as whole words, from left to right, and where each stands; of two that begin alike, the first in `known`.

    Edges are checked by code: a pattern with them stands for thousands of letters and takes milliseconds to compile,
    and there is a new one for every turn of a debate.
    """
    known = _at_hand(text, known)
    if not known:
        return
    words = [SPACE.join(map(re.escape, unicodedata.normalize("NFC", name).split())) for name in known]
    any_of_them, at = re.compile("|".join(f"({word})" for word in words), re.IGNORECASE), 0
    while match := any_of_them.search(text, at):
        at, first = match.start() + 1, (match.lastindex or 1) - 1
        # A longer name that is part of a longer word may begin with a shorter one.
        for name, word in zip(known[first:], words[first:], strict=True):
            one = re.compile(word, re.IGNORECASE).match(text, match.start())
            if one and _stands_alone(text, *one.span()):
                yield name, one.span()
                at = one.end()
                break


def _at_hand(text: str, known: list[str]) -> list[str]:
    """Names whose first word is somewhere in the text; few of the ids of a long debate are."""
    if LIKE_LATIN.intersection(text):
        return known
    lower = text.lower()
    return [name for name in known if not name.isascii() or name.split()[0].lower() in lower]


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a name is a whole word; it may touch letters where its or their script has no spaces."""
    begins = not start or not (ONE_LETTER.match(text, start - 1) and ONE_LETTER.match(text, start))
    return begins and not (ONE_LETTER.match(text, end - 1) and GOES_ON.match(text, end))


def _sentence(text: str, cuts: list[int], span: tuple[int, int]) -> str:
    """From the last cut before the name to the first one after it, so that "J. Smith" is not cut in two."""
    start = max(cut for cut in cuts if cut <= span[0])
    end = min(cut for cut in cuts if cut >= span[1])
    return text[start:end].strip()


# Korean has spaces, but attaches its particles to the name.
_TOUCHING = "".join(f"{first}-{last}" for first, last, _ in UNSPACED) + "\uac00-\ud7a3"

BREAKS = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories of characters that end a line or control a terminal, and of half a character."""
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of the text after them."""

SPACE = r"\s+"
LETTER = rf"[^\W_{_TOUCHING}]"
"""A letter or digit that, next to a name, makes it a longer word."""

LIKE_LATIN = frozenset("\u0130\u0131\u017f\u212a")
"""Letters that stand for i, s and k where case does not matter, and that lower case does not turn into them."""
ONE_LETTER, GOES_ON = re.compile(LETTER), re.compile(rf"(?<!_)_*+{LETTER}")

SENTENCE_END = re.compile(r"""(?<![.!?])[.!?]++["'”’»)\]*_]*+(?=\s|$)|[。！？؟।]+["'”’»」』）)]*|[\r\n\u2028\u2029]+""")
