"""Servers for tests in processes of their own, which end with whoever started them, whatever happens to it."""

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
    """Runs a module, and gives what it said when it was ready; its standard input is its life line."""
    command = [sys.executable, "-m", module, *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603 - our own
        assert process.stdout is not None
        ready = process.stdout.readline()
        if not ready:
            raise RuntimeError(f"{module} did not start; what it wrote to standard error says why")
        yield {**json.loads(ready), "pid": process.pid}


def ready(**said: Any) -> None:
    """Tells whoever waits for it, and from now on lives as long as standard input."""
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()
    Thread(target=_end_with_stdin, daemon=True).start()


def _end_with_stdin() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)
