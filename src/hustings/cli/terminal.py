"""Safe terminal output: escapes control characters; data goes to stdout, messages to stderr."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any


def safe_text(text: str) -> str:
    """Escape all characters that a terminal would act on, in text of models, users and files."""
    return _HIDDEN.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", text)


def show(text: str = "") -> None:
    """Print one or more lines of data."""
    sys.stdout.write(safe_text(text) + "\n")


def show_line(text: str) -> None:
    """Print exactly one line of data: no file name or key in it can begin another line."""
    show(one_line(text))


def one_line(text: str) -> str:
    """Safe text with line ends and tabs escaped."""
    return re.sub(r"[\n\t]", lambda found: f"\\u{{{ord(found.group()):x}}}", safe_text(text))


def show_json(value: Any) -> None:
    """Print one JSON document, escaped to ASCII so that no terminal acts on it."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=True) + "\n")


def show_event(value: Any) -> None:
    """Print one line of a JSON stream, and flush."""
    sys.stdout.write(json.dumps(value, ensure_ascii=True) + "\n")
    sys.stdout.flush()


def talk(text: str) -> None:
    """Print a message for the person to stderr, apart from the data."""
    sys.stderr.write(safe_text(text) + "\n")


def let_go_of_stdout() -> None:
    """Redirect stdout to nowhere after its reader closed the pipe, so that exiting raises no error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)
