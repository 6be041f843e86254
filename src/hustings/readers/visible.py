"""Takes out of a text what shows nothing: controls, direction overrides, tag characters."""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\x01-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""Controls, direction overrides and tag characters. Joiners and direction marks stay: scripts need them."""


def seen(text: str) -> str:
    """A text without characters that show nothing, and with one kind of line end."""
    return _UNSEEN.sub("", re.sub(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]", "\n", text))
