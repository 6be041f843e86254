"""Data model of the score board of a competition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel


class Penalised(BaseModel, frozen=True, defer_build=True):
    rule: str
    seat: str
    team: str
    turn_id: str
    individual: int
    on_team: int
    found_by: Literal["rules", "panel"]
    families: tuple[str, ...] = ()


class Individual(BaseModel, frozen=True, defer_build=True):
    seat: str
    team: str
    speeches: Mapping[str, float | None]
    """Turn id to the panel's score; None is unscored."""
    penalties: int
    total: float
    per_speech: float | None
    """The mean: totals favour a debater who speaks more."""


class Team(BaseModel, frozen=True, defer_build=True):
    team: str
    speeches: float
    penalties: int
    """Of its members and its own."""
    total: float
    per_speech: float | None


class StageTotals(BaseModel, frozen=True, defer_build=True):
    """One part of a competition: each team's points, and what the judge at the table summed up."""

    label: str
    teams: Mapping[str, float]
    clashes: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


class Board(BaseModel, frozen=True, defer_build=True):
    """The score board of a competition."""

    individuals: tuple[Individual, ...]
    teams: tuple[Team, ...]
    penalties: tuple[Penalised, ...]
    stages: tuple[StageTotals, ...]
    best: tuple[str, ...]
    """Highest individual total; ties share."""
