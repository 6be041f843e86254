"""Times of a run as texts: UTC with milliseconds and Z, so that sorting the texts sorts the times."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from hustings.errors import Unsuitable


def instant(seconds: float | None = None) -> str:
    """A moment, by default now, as text."""
    moment = datetime.now(UTC) if seconds is None else datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_of(instant_: str) -> float:
    return datetime.fromisoformat(instant_).timestamp()


def instant_of(since: str, now: datetime) -> str:
    """The beginning of a time as it is stored: `30d`, `12h` and `2w` ago, or a day such as 2026-05-01."""
    if ago := AGO.fullmatch(since):
        try:
            return instant((now - int(ago[1]) * UNITS[ago[2]]).timestamp())
        except OverflowError:
            return ""
    if DATE.fullmatch(since):
        try:
            return instant(datetime.fromisoformat(since).replace(tzinfo=UTC).timestamp())
        except ValueError:
            pass
    raise Unsuitable(f"{since!r} is no time", fix="write 12h, 30d, 2w, or a day such as 2026-05-01")


UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
AGO = re.compile(r"(\d{1,5})([hdw])")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
