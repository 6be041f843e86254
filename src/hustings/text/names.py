"""Finds the seats that a text names, each with the sentence that names it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

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
    for match in re.finditer(_pattern(known), text):
        seat = names[known[(match.lastindex or 1) - 1]]
        if seat not in found:
            found[seat] = _sentence(text, cuts, match.span())
    return list(found.items())


def is_one_line(name: str) -> bool:
    """Whether a name may stand where prompts and pages show names: no character ends its line or controls a display."""
    return not any(unicodedata.category(sign) in BREAKS or sign in TURNING for sign in name)


def _pattern(known: list[str]) -> str:
    """A name as a whole word; where its script, or its neighbour's, has no spaces, it may touch other letters.

    The case of names alone is folded. Folding that of the edges, which stand for thousands of letters, takes three
    times as long, and there is a new pattern for every turn of a debate.
    """
    words = (map(re.escape, unicodedata.normalize("NFC", name).split()) for name in known)
    names = "|".join(f"({SPACE.join(each)})" for each in words)
    return rf"(?:(?<!{LETTER})|(?!{LETTER}))(?i:{names})(?:(?<!{LETTER})|(?!_*{LETTER}))"


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

SENTENCE_END = re.compile(r"""[.!?]+["'”’»)\]*_]*(?=\s|$)|[。！？؟।]+["'”’»」』）)]*|[\r\n\u2028\u2029]+""")
