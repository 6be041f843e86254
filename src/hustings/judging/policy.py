"""Policies: the constants that turn marks into standings; every report names the policy it used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hustings.errors import NotFound


def find_policy(name: str) -> StandingPolicy:
    if name not in POLICIES:
        raise NotFound(f"no policy {name!r}", fix=f"choose one of {', '.join(sorted(POLICIES))}")
    return POLICIES[name]


@dataclass(frozen=True)
class StandingPolicy:
    id: str

    # Weight of a response, times how effective the panel found it.
    refute: float = 1.0
    challenge: float = 0.7
    partial: float = 0.5
    """Its objection to the extent of an argument."""
    support: float = 0.5
    answer: float = 1.0
    """Times how adequate the panel found it."""

    # Weight of a response, whatever the panel thinks of it.
    core: float = 0.3
    """What a partial response grants."""
    concede: float = 0.8
    give_up: float = 0.9
    """Against an argument whose owner concedes it."""

    # Thresholds of strength for the classes.
    upheld: float = 0.60
    refuted: float = 0.35
    scope: float = 0.15
    """An objection to its extent of at least this strength keeps an argument from being upheld in full."""

    # How often resampled panels must agree on a class.
    certain: float = 0.70
    certain_if_unreliable: float = 0.85
    draws: int = 1000


POLICIES: Mapping[str, StandingPolicy] = {"standing-1": StandingPolicy("standing-1")}
