"""Output a person can trust: untrusted words are made harmless, data goes to stdout, talk to stderr."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any


def safe_text(text: str) -> str:
    """Words of models, users and files without anything a terminal would act on; what is taken out is shown."""
    return _HIDDEN.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", text)


def show(text: str = "") -> None:
    """A line, or several, of data."""
    sys.stdout.write(safe_text(text) + "\n")


def show_line(text: str) -> None:
    """One line of data, whatever file names and keys are in it: none of them can begin another."""
    show(one_line(text))


def one_line(text: str) -> str:
    """Harmless, and without a line's end or a tab."""
    return re.sub(r"[\n\t]", lambda found: f"\\u{{{ord(found.group()):x}}}", safe_text(text))


def show_json(value: Any) -> None:
    """One JSON document; everything beyond ASCII escaped, so no terminal acts on it either."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=True) + "\n")


def show_event(value: Any) -> None:
    """One line of JSON in a stream of them, at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=True) + "\n")
    sys.stdout.flush()


def talk(text: str) -> None:
    """A word to the person, not to the program that reads the data."""
    sys.stderr.write(safe_text(text) + "\n")


def let_go_of_stdout() -> None:
    """Whoever read it is gone: nothing more is written, and leaving complains about nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)
