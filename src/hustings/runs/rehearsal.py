"""Rehearse a debate in memory, without engine or event loop: for tests, dry runs and estimates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hustings.errors import SeatError
from hustings.script.calls import Call, Reply
from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.driver import Driver
from hustings.transcript.events import RecordEvent
from hustings.transcript.models import RunMetadata

from .staging import proceedings_of, set_stage

Actor = Callable[[Call], Reply | SeatError]
"""Answers a call: a built-in actor, or any function of a call."""


@dataclass(frozen=True)
class Rehearsal:
    """Everything that happened in a rehearsal."""

    debate: DebateSpec
    waves: tuple[tuple[Call, ...], ...]
    proceedings: Proceedings
    events: tuple[RecordEvent, ...]

    @property
    def choreography(self) -> list[list[str]]:
        """The addresses of every wave."""
        return [[call.address for call in wave] for wave in self.waves]


def rehearse(debate: DebateSpec, actor: Actor, *, seed: int | None = None, how: str = "improvised") -> Rehearsal:
    metadata = RunMetadata(generation_mode=how, seed=seed)
    driver, stage = set_stage(debate, f"rehearsal-{debate.debate_id}", START, metadata)
    waves = play_out(driver, actor)
    return Rehearsal(debate, tuple(waves), proceedings_of(driver, stage), tuple(driver.events))


def play_out(driver: Driver[Any], actor: Actor) -> list[tuple[Call, ...]]:
    """Let an actor answer every call until none are left."""
    waves: list[tuple[Call, ...]] = []
    while calls := driver.calls:
        waves.append(tuple(calls))
        driver.resume([actor(call) for call in calls])
    return waves


START = "2026-01-01T00:00:00.000Z"
