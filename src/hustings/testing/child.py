"""Runs test servers in child processes, which end with the process that started them, even if it is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import Thread
from typing import Any


@contextmanager
def child(module: str, *options: str) -> Generator[dict[str, Any]]:
    """Run a module, and yield what it said when it was ready; it lives until its standard input is closed."""
    command = [sys.executable, "-m", module, *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603 - our own
        assert process.stdout is not None
        ready = process.stdout.readline()
        if not ready:
            raise RuntimeError(f"{module} did not start; what it wrote to standard error says why")
        yield {**json.loads(ready), "pid": process.pid}


def ready(**said: Any) -> None:
    """Tell the parent that the server is ready; from now on, end when standard input is closed."""
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()
    Thread(target=_end_with_stdin, daemon=True).start()


def _end_with_stdin() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)
