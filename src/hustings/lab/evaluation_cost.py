"""What an evaluation takes at most: calls from a formula, tokens from the length of our prompts."""

from __future__ import annotations

from collections.abc import Collection, Mapping

PARTS = ("crit", "rca", "t3")
SIZES: Mapping[str, tuple[int, int]] = {
    "reader": (440, 60),
    "clerk": (440, 250),
    "points": (450, 200),
    "crit": (900, 350),
    "rca": (440, 120),
    "t3": (800, 250),
}
"""Tokens of rules, task and form, and of an answer: characters of the prompts by four, answers by their examples."""
BESIDE = 270
"""Tokens of claims and critiques shown beside a turn."""


def most_calls(turns: int, judges: int, syntheses: int = 0, *, readers: int = 1, parts: Collection[str] = PARTS) -> int:
    """Readers and a clerk for each turn, same points for all but the first, then judges times parts.

    Where sides were assigned there are no readers.
    """
    return turns * (readers + 1) + max(0, turns - 1) + judges * (len(parts) * turns + syntheses)


def most_tokens(turns: int, length: int, judges: int) -> tuple[int, int]:
    """In and out, for turns of this many tokens, without any cache."""
    often = {"reader": turns, "clerk": turns, "points": max(0, turns - 1), **dict.fromkeys(PARTS, judges * turns)}
    beside = {part: 0 if part in ("reader", "clerk") else BESIDE for part in often}
    into = sum(n * (SIZES[part][0] + length + beside[part]) for part, n in often.items())
    return into, sum(n * SIZES[part][1] for part, n in often.items())
