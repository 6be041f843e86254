"""States of a run. Imports nothing heavy, so that commands can name them before a database is opened."""

from __future__ import annotations

from typing import Literal

State = Literal["waiting", "running", "paused", "ended", "broken"]
OPEN: frozenset[str] = frozenset({"waiting", "running", "paused"})
"""The run may still continue."""
OVER: frozenset[str] = frozenset({"ended", "broken"})
