"""The dial of a controlled debate in a person's hand: what they may order, and how it is written down."""

from __future__ import annotations

import re

from hustings.errors import Unsuitable

HOLD, RELEASE, TONE = "hold", "release", "tone"


def dial_order(text: str) -> str:
    """The order as it is kept: `hold`, `release`, or `tone 0.5`."""
    said = " ".join(text.split()).casefold()
    if said in {HOLD, RELEASE}:
        return said
    tone = tone_of(said)
    if tone is None:
        raise Unsuitable(
            f"the dial knows no order {text[:40]!r}", fix="hold it, release it, or set a tone from 0 to 1: tone 0.5"
        )
    return f"{TONE} {tone:g}"


def tone_of(order: str) -> float | None:
    """The tone that an order sets; None if it sets none."""
    found = re.fullmatch(rf"{TONE} ((?:[0-9]*\.)?[0-9]+)", order)
    tone = float(found[1]) if found else None
    return round(tone, 6) if tone is not None and tone <= 1 else None
