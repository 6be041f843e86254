"""Names that judges must not see: finds a person by first name, surname, role or initials, however inflected.

A display name is "Name Surname" or "Name Surname, role". Where a script inflects names or joins words to them, the
joined form is found as well.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from hustings.text.names import LETTER


def person_pattern(people: Mapping[str, str]) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Build one pattern for all display names in `people`, with a group each, and the covers of the groups."""
    forms = [(form, cover) for name, cover in people.items() for form in dict.fromkeys(spellings(name))]
    forms.sort(key=lambda pair: (pair[0].joined, -len(pair[0].pattern)))
    whole, joined = (
        "|".join(f"({form.pattern})" for form, _ in forms if form.joined is kind) or "(?!)" for kind in (False, True)
    )
    # The edges stand once for all names: the class of letters is large, and compiling it takes longest.
    pattern = rf"(?<!{LETTER})(?:{whole})(?!{LETTER})|{joined}"
    return re.compile(pattern), tuple(cover for _, cover in forms)


class Spelling(NamedTuple):
    """A pattern for one form of a name."""

    pattern: str
    joined: bool = False
    """In scripts without spaces a name may touch other letters."""


def spellings(display_name: str) -> Iterator[Spelling]:
    """Every form in which the name may occur."""
    name, _, role = (part.strip() for part in unicodedata.normalize("NFC", display_name).partition(","))
    parts = [part for part in re.split(r"[\s·・]+", name) if _is_name(part)]
    joined = _unspaced(name)
    yield Spelling(_spaced(display_name), joined)
    yield Spelling(_spaced(name), joined)
    for part in dict.fromkeys(chain(parts, *(part.split("-") for part in parts if "-" in part))):
        if _is_name(part):
            yield Spelling(_inflected(part), _unspaced(part))
            yield Spelling(_inflected(part.upper()), _unspaced(part))
    if len(parts) > 1:
        initials = [re.escape(part[0]) for part in parts if part[0].isupper()]
        if len(initials) > 1:
            yield Spelling(r"\.[\s-]?".join(initials) + r"\.?")
            yield Spelling("".join(initials))
            yield Spelling(rf"{initials[0]}\.\s?{_inflected(parts[-1])}")
    elif joined and len(name) > 2:
        yield Spelling(re.escape(name[-2:]), joined)
    for each in (role, *re.split(r"(?<!\s)\s++(?:and|&|/)\s+", role)) if role else ():
        yield Spelling(f"(?i:{_spaced(each)})", _unspaced(each))


def _spaced(words: str) -> str:
    """The words with any white space between them."""
    return r"\s+".join(map(re.escape, words.split()))


def _is_name(part: str) -> bool:
    """A part that names a person: no title, no initial, no lower-case particle such as "von"."""
    return len(part) > 1 and not part.endswith(".") and not part.islower()


def _inflected(part: str) -> str:
    """The part with the endings that its script gives to names."""
    if INFLECTING.fullmatch(part):
        stem = part[:-1] if len(part) > 3 and part[-1].casefold() in ENDINGS else part
        return rf"{re.escape(stem)}\w{{0,4}}"
    if ARABIC.fullmatch(part):
        return rf"[وفبلكس]?(?:ال)?{re.escape(part)}"
    return re.escape(part) if _unspaced(part) else rf"{re.escape(part)}s?"


def _unspaced(name: str) -> bool:
    return UNSPACED_NAME.fullmatch(name) is not None


INFLECTING = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff\u0400-\u04ff-]+")
"""Greek and Cyrillic: languages in these scripts decline names."""
ENDINGS = frozenset("аеиоуыэюяйьίηαοςυωεή")
ARABIC = re.compile(r"[\u0600-\u06ff]+")
UNSPACED_NAME = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]+")
"""Han, kana and Thai."""
