"""Tells whether words given as a quote were really said in one of several texts, and if not, why not."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from .quote_check import Finding, Text, check, stands


def is_quoted(quote: str, texts: Iterable[str]) -> bool:
    """Whether the quote stands in one of the texts, word for word or with a slip that changes no word."""
    return found_in(quote, texts).accepted


def is_verbatim(quote: str, text: str) -> bool:
    """Whether the quote stands in the text word for word, apart from typography and case."""
    return _checked(quote, text).verdict == "verbatim"


def has_words(quote: str, text: str) -> bool:
    """Whether the words of the quote stand in the text, even if what was cut off turns their sense."""
    return _checked(quote, text).verdict in {"verbatim", "clipped"}


def found_in(quote: str, texts: Iterable[str]) -> Finding:
    """The best that can be said of a quote that may come from any of these texts."""
    every = list(texts)
    # Comparing words takes long, looking them up does not: most quotes stand word for word in one of the texts.
    for text in every:
        if stands(quote, _folded(text)) and (finding := _checked(quote, text)).verdict == "verbatim":
            return finding
    found = (_checked(quote, text) for text in every)
    return min(found, key=lambda one: ORDER[one.verdict], default=NO_TEXT)


def complaint(quote: str, finding: Finding) -> str:
    """What to tell the author of a quote that does not count."""
    shown = repr(quote[:80])
    if finding.verdict == "short":
        return f"{shown} is too short to prove anything: quote three words or more, word for word"
    if finding.verdict == "absent":
        return f"not found in the text: {shown}; quote word for word"
    return f"{shown} is not what the text says: {finding.why}; quote word for word"


@lru_cache(maxsize=2_048)
def _checked(quote: str, text: str) -> Finding:
    """Kept, because a script asks for the same quote many times while its debate goes on."""
    return check(quote, _folded(text))


@lru_cache(maxsize=128)
def _folded(text: str) -> Text:
    return Text(text)


NO_TEXT = Finding("absent", why="there is no text to quote from")
ORDER = {"verbatim": 0, "near": 1, "clipped": 2, "altered": 3, "short": 4, "absent": 5}
