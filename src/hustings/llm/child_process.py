"""Programs of the user as child processes: which variables they get, and how one ends with all that it started."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from pydantic import SecretStr

if TYPE_CHECKING:
    from asyncio.subprocess import Process

INHERITED = ("HOME", "LANG", "PATH", "SYSTEMROOT", "TEMP", "TMPDIR", "USER", "USERPROFILE")
"""Variables that every program gets. All others are named in the settings."""
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


def child_environment(variables: Mapping[str, SecretStr]) -> dict[str, str]:
    own = {name: value.get_secret_value() for name, value in variables.items()}
    return {**{name: os.environ[name] for name in INHERITED if name in os.environ}, **own}


def signal_group(process: Process, number: int) -> None:
    """Send a signal to a process that began a session of its own, and to all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
