"""Portable random numbers: a small generator seeded by words, the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1


class Rng:
    """SplitMix64: a counter and three mixing steps, short and good enough for drawing judges."""

    def __init__(self, *seed: object) -> None:
        words = "\x1f".join(map(str, seed))
        self._state = int.from_bytes(sha256(words.encode()).digest()[:8])

    def below(self, bound: int) -> int:
        """A whole number from 0 to below `bound`; the skew for small bounds is less than one in 2⁵⁰."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((mixed ^ (mixed >> 31)) * bound) >> 64

    def choice(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Fisher–Yates shuffle."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
