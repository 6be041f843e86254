"""The limited process that reads a file: bytes on standard input, its text or a reason on standard output, as JSON.

It limits itself before it takes the first byte: memory, seconds of computing, what it may write, no further process. As
soon as its modules are loaded it can open nothing more, neither a file nor a connection. Where Python has no `resource`
(Windows), sizes are limited, and the time by the process that waits; nothing else is.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module

from .file_text import Unreadable

try:
    import resource
except ImportError:
    resource = None

MOST_BYTES = 120_000_000
"""Of a file."""
MOST_OUTPUT = 100_000_000
"""Bytes."""
ANEW = "open it in the program that made it, and save it anew or as PDF"


def main(kind: str, seconds: int, memory: int) -> None:
    """Read what comes in as a file of this kind; `kind` is the module that can."""
    _limit(RLIMIT_AS=memory, RLIMIT_CPU=seconds, RLIMIT_FSIZE=MOST_OUTPUT, RLIMIT_CORE=0, RLIMIT_NPROC=0)
    reader = import_module(f"hustings.readers.{kind}")
    content = sys.stdin.buffer.read(MOST_BYTES + 1)
    if hasattr(reader, "prepare"):
        reader.prepare(content)
    _limit(RLIMIT_NOFILE=3)
    try:
        told = reader.read(content)._asdict()
    except Unreadable as error:
        told = {"why": error.why, "fix": error.fix}
    except MemoryError:
        told = {"why": "reading it takes more memory than it may have", "fix": ANEW}
    except RecursionError:
        told = {"why": "its parts are nested too deep", "fix": ANEW}
    except Exception:  # noqa: BLE001 - whatever a file does to its reader, the answer is one sentence
        told = {"why": "it is damaged", "fix": ANEW}
    sys.stdout.buffer.write(json.dumps(told, ensure_ascii=False).encode("utf-8", "replace"))


def _limit(**limits: int) -> None:
    """Limits that this system knows; one that was set lower from outside stays."""
    for name, most in limits.items():
        if resource is None or not hasattr(resource, name):
            continue
        which = getattr(resource, name)
        hard = resource.getrlimit(which)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # Between the two limits of time stands a second, so that the signal tells which it was.
        spare = int(name == "RLIMIT_CPU" and (hard == resource.RLIM_INFINITY or least < hard))
        try:
            resource.setrlimit(which, (least, least + spare))
        except (OSError, ValueError):  # some systems have the name and not the limit
            continue
