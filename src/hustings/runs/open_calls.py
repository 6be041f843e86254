"""How the open calls of a running debate stand: since when, which try, and when each is given up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import BaseModel

from hustings.db.instants import instant
from hustings.db.ledger import Reservation
from hustings.errors import HustingsError
from hustings.llm.patience import patience_of
from hustings.script.rubric import Rubric
from hustings.transcript.call_try import CallTry

from .registry import find_rubric
from .spec import RunSpec

TRIES = {"garbled": 3, "timed_out": 2, "unreachable": 3, "overloaded": 5, "rate_limited": 8, "empty": 2, "truncated": 2}
"""Maximum number of tries, by the fault of the last try."""


class OpenCall(BaseModel, frozen=True, defer_build=True):
    """A call of the wave that goes on. A call that is not listed was not sent yet."""

    address: str
    state: Literal["sent", "waiting", "answered"]
    """`waiting`: put off, and made again later. `answered`: kept until all calls of the wave are answered."""
    asked_at: str | None
    """When its first try was sent; None for words of people and words that a fork inherits."""
    sent_at: str | None
    answered_at: str | None
    attempt: int
    """Which try this is, from 1."""
    attempts: int
    """How many tries there are at most, if this one gets no answer in time."""
    first_word_by: str | None
    """When this try is given up if no word has come."""
    gives_up_at: str | None
    """When this try is given up if the answer is not complete."""
    lost: tuple[CallTry, ...]
    """Tries before it, which brought no usable answer."""


class LiveRun(BaseModel, frozen=True, defer_build=True):
    """What the page of a running debate needs beside its events."""

    now: str
    """The server's clock, by which the times below are to be read."""
    calls: tuple[OpenCall, ...]
    """Calls of the wave that goes on; empty for a person who holds a seat."""
    weights: dict[str, float]
    """Shares of the marks that the judge at the table gives a speech; empty if it gives none."""


def live_run(spec: RunSpec, rows: Iterable[Reservation]) -> LiveRun:
    """How a run stands now, from the calls of its wave as the ledger has them."""
    return LiveRun(now=instant(), calls=tuple(_open_call(spec, row) for row in rows), weights=_weights(spec))


def _weights(spec: RunSpec) -> dict[str, float]:
    debate = spec.debate
    try:
        rubric = find_rubric(debate.rubric) if debate.rubric else Rubric
    except HustingsError:  # a plug-in that only the worker has
        return {}
    return rubric.weights() if rubric.per == "speech" else {}


def _open_call(spec: RunSpec, row: Reservation) -> OpenCall:
    address = row.key.rpartition(" #")[0]
    model_spec = spec.model_specs.get(address.split(" ")[1])
    patience = patience_of(model_spec, spec.seconds_per_call) if model_spec else None
    slow = sum(each.ended == "timed_out" for each in row.tries)
    sent = row.sent_at or None
    return OpenCall(
        address=address,
        state=row.state,
        asked_at=row.tries[0].sent_at if row.tries else _instant(sent),
        sent_at=_instant(sent),
        answered_at=row.answered_at,
        attempt=row.attempt,
        attempts=row.attempt + max(TRIES["timed_out"] - slow - 1, 0),
        first_word_by=_instant(sent and patience and sent + patience.first_word),
        gives_up_at=_instant(sent and patience and sent + patience.whole),
        lost=row.tries,
    )


def _instant(seconds: float | None) -> str | None:
    return instant(seconds) if seconds else None
