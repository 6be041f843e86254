"""Formats text for people: figures with few decimals, lists, and untrusted text with its control characters escaped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any


def decimal(value: float, places: int = 1) -> str:
    text = f"{value:.{places}f}"
    return text.replace("-", "−") if text.strip("-0.") else text.lstrip("-")


def signed(value: float, places: int = 1) -> str:
    """A change, with its sign unless it is zero."""
    text = decimal(value, places)
    return text if text.startswith("−") or not text.strip("0.") else f"+{text}"


def span(interval: tuple[float, float], places: int = 1) -> str:
    low, high = interval
    return f"{decimal(low, places)} to {decimal(high, places)}"


def of_ten(score: float | None) -> str:
    return "not scored" if score is None else f"{decimal(score)} of 10"


def percent(share: float) -> str:
    """A whole percentage; 0% and 100% only if the share is exactly that."""
    whole = round(100 * share)
    if whole == 100 and share < 1:
        return "over 99%"
    return "under 1%" if whole == 0 and share > 0 else f"{whole}%"


def call_count(counts: Iterable[tuple[str, int]]) -> str:
    """Calls of a debate, and apart from them those of each thing that followed it: `6 calls + 8 for judging`."""
    (what, many), *more = counts
    first = f"{many:,} call{'' if many == 1 else 's'}" + ("" if what == DEBATE else f" for {what}")
    return " + ".join([first, *(f"{count:,} for {name}" for name, count in more)])


DEBATE = "debate"


def token_count(tokens: int, held: int) -> str:
    """Tokens in words: those known, and those booked because nobody counted them."""
    return f"{tokens:,} tokens" + (f" and {held:,} booked uncounted" if held else "")


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: a, b and c."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def visible(text: str) -> str:
    """The same text; line breaks and tabs stay, every other control character is shown by its number."""
    return STEERING.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", text)


def on_one_line(text: str) -> str:
    return visible(" ".join(text.split()))


def as_json(value: Any, *, indent: int | None = None) -> str:
    """JSON that is readable in any language and parses back to the same value; control characters are escaped."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False))


def escaped(text: str) -> str:
    """Escape control characters in the source of JSON or a script, so that its quoted strings keep their values."""
    return STEERING.sub(lambda found: json.dumps(found.group())[1:-1], text)


STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ue000-\uf8ff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f\U000f0000-\U0010ffff]"
)
"""Control and format characters, surrogates and private use: they steer a display, or hide what is there.

The joiners U+200C and U+200D stay, since Persian, Indian scripts and emoji need them.
"""


def dollars(amount: float, places: int = 2) -> str:
    """An amount that was counted: four places below a cent, six where four read as nothing."""
    least = places if not amount or abs(amount) >= 0.01 else max(places, 4)
    text = f"{amount:,.{least}f}"
    return text if not amount or text.strip("-0.") else f"{amount:.6f}"


def limit_in_dollars(amount: float) -> str:
    """An amount that a person set, whole: `5.00`, `0.004`."""
    whole, point, rest = f"{amount:,.6f}".partition(".")
    return f"{whole}{point}{rest.rstrip('0'):0<2}"


def held_text(held: float, calls: int) -> str:
    """What is set aside and may come back: `$0.1764 held for 8 calls that may have been billed`."""
    return (
        f"${dollars(held, 4)} held for {calls} call{'' if calls == 1 else 's'} that may have been billed"
        if held
        else ""
    )
