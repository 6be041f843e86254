"""Times of a run as texts: UTC with milliseconds and Z, so that sorting the texts sorts the times."""

from __future__ import annotations

from datetime import UTC, datetime


def instant(seconds: float | None = None) -> str:
    """A moment, by default now, as text."""
    moment = datetime.now(UTC) if seconds is None else datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_of(instant_: str) -> float:
    return datetime.fromisoformat(instant_).timestamp()
