"""The states of a run; light, so that commands can name them before a database is opened."""

from __future__ import annotations

from typing import Literal

State = Literal["waiting", "running", "paused", "ended", "broken"]
OPEN: frozenset[str] = frozenset({"waiting", "running", "paused"})
"""Something may still come of it."""
OVER: frozenset[str] = frozenset({"ended", "broken"})
