"""Size limits of a transcript file, so that no file can exhaust its reader."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SizeLimits:
    """The published limits. Limits of lists have the names of the fields they bound."""

    size: int = 64 * 2**20
    """Bytes of the file."""
    depth: int = 64
    values: int = 1_000_000
    string: int = 2**20
    """Characters of one string."""
    rounds: int = 10_000
    turns: int = 1_000
    addresses: int = 1_000
    attempts: int = 100
    participants: int = 1_000
    participant_state_log: int = 100_000
    intervention_log: int = 100_000
    findings: int = 1_000
    """Findings reported per rule; more of the same would say nothing new."""


PUBLISHED = SizeLimits()
