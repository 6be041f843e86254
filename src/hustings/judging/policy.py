"""The constants that turn marks into standings: every report names the policy it was made under."""

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

    # What a response weighs, times how effective the panel found it.
    refute: float = 1.0
    challenge: float = 0.7
    partial: float = 0.5
    """Its objection to the extent of an argument."""
    support: float = 0.5
    answer: float = 1.0
    """Times how adequate the panel found it."""

    # What a response weighs whatever the panel thinks of it.
    core: float = 0.3
    """What a partial response grants."""
    concede: float = 0.8
    give_up: float = 0.9
    """Against an argument whose owner concedes it."""

    # From which strength on an argument belongs to a class.
    upheld: float = 0.60
    refuted: float = 0.35
    scope: float = 0.15
    """An objection to its extent that is still so strong keeps an argument from being upheld in full."""

    # How often redrawn panels must agree on a class.
    certain: float = 0.70
    certain_if_unreliable: float = 0.85
    draws: int = 1000


POLICIES: Mapping[str, StandingPolicy] = {"standing-1": StandingPolicy("standing-1")}
