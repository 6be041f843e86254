"""Own brain: the caller plays the seats, and hustings keeps protocol, record, rules and verdict.

Each call is complete in itself and holds nothing between calls: the run is told again from the ledger, as far as
there are answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hustings.runs.request import DebateRequest

from .service import RunService

WaveState = Literal["open", "resting", "ended"]
"""`open`: questions wait. `resting`: a person paused it, or a provider must be waited for. `ended`: the run is over."""


@dataclass(frozen=True)
class OpenQuestion:
    """A question that waits for its answer. The prompt is whole, and all that its seat may know."""

    key: str
    """Names the question in an answer, such as `003.1-9f2c01ab`."""
    seat: str
    role: str
    prompt: str
    form_schema: Mapping[str, Any] | None
    """JSON Schema of the answer; None: the answer is plain words."""
    words: int | None
    """The most words that the answer may have, if there is a limit."""
    attempt: int
    """From 1. A second attempt follows an answer that was sent back."""
    attempts: int
    """As many attempts there are."""


@dataclass(frozen=True)
class Wave:
    """How a hosted run stands: the questions that are open now, and what to do next."""

    run_id: str
    state: WaveState
    questions: tuple[OpenQuestion, ...]
    next: str
    """A sentence with the next command in it."""


@dataclass(frozen=True)
class Answered:
    """What became of an answer. One that was not taken is on record as an attempt."""

    taken: bool
    why: str | None
    left: int
    """Questions of this wave that are still open."""
    next: str


def start(
    service: RunService, request: DebateRequest, brain: str | None = None, environment: Mapping[str, str] | None = None
) -> str:
    """Enter a debate in which the caller plays every seat that the request gives no model. Return its id.

    `brain` names the model that the caller is. `environment` has keys and addresses of seats that have a model.
    """
    raise NotImplementedError


def next_wave(service: RunService, run_id: str) -> Wave:
    """Tell a hosted run as far as it is answered, and hand out the questions that are open now.

    Seats with a model are called here, and paid once. `RUN.judging-…`, which the last wave of a debate names, is
    entered when it is first asked for.
    """
    raise NotImplementedError


def answer(service: RunService, run_id: str, key: str, words: str) -> Answered:
    """Answer one question; the first answer stands. The same words again change nothing."""
    raise NotImplementedError
