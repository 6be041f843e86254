"""Safe terminal output: escapes control characters; data goes to stdout, messages to stderr; errors with their fix."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any, TextIO, TypeGuard

from hustings.errors import HustingsError, Unreachable, UserError
from hustings.text.figures import visible


def safe_text(text: str) -> str:
    """Escape all characters that a terminal would act on, in text of models, users and files."""
    return visible(text)


def show(text: str = "") -> None:
    """Print one or more lines of data."""
    sys.stdout.write(safe_text(text) + "\n")


def show_prose(text: str = "") -> None:
    """Print text for a person, wrapped by words at a terminal."""
    show(_at_words(safe_text(text), sys.stdout))


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
    """Print a message for the person to stderr, apart from the data; or log it, where an operator wants a log."""
    (_LISTENERS[-1] if _LISTENERS else _print)(safe_text(text))


def _print(text: str) -> None:
    try:
        sys.stderr.write(_at_words(text, sys.stderr) + "\n")
    except OSError:  # nobody reads it any more, and what is going on matters more
        let_go(sys.stderr.fileno())


_LISTENERS: list[Callable[[str], None]] = []


@contextmanager
def talking_to(listener: Callable[[str], None]) -> Generator[None]:
    """Give messages to a log instead."""
    _LISTENERS.append(listener)
    try:
        yield
    finally:
        _LISTENERS.remove(listener)


def let_go(*descriptors: int) -> None:
    """Redirect streams to nowhere after their reader has gone, so that neither writing nor exiting raises an error."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nowhere, descriptor)
    os.close(nowhere)


def terminals() -> tuple[int, ...]:
    """Standard streams that are a terminal."""
    return tuple(descriptor for descriptor in (0, 1, 2) if os.isatty(descriptor))


OUTPUT_FAULTS = frozenset({errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EBADF})


def is_output_fault(error: BaseException) -> TypeGuard[OSError]:
    """Whether what was to be shown could not be written: a reader has gone, or a disk is full. Files have a name."""
    return isinstance(error, OSError) and error.errno in OUTPUT_FAULTS and error.filename is None


def must_have_streams() -> None:
    """Give a command that was started with a closed stream one that leads nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  open until the end


def output_fault(error: OSError) -> str:
    """What became of the output, as the beginning of a sentence."""
    why = f" ({error.strerror})" if error.strerror else ""
    return "Output closed" if isinstance(error, BrokenPipeError) else f"The output could not be written{why}"


def last_output() -> OSError | None:
    """Write what is still to be shown. Return why that was not possible; a reader that has gone is no fault."""
    try:
        sys.stdout.flush()
    except OSError as error:
        let_go(sys.stdout.fileno())
        return None if isinstance(error, BrokenPipeError) else error
    return None


FAULT, USAGE, OUT_OF_REACH = 1, 2, 4
WIDEST, INDENT = 100, 7
"""Columns; longer lines are hard to read."""


def tell_error(error: HustingsError, *, as_json: bool) -> int:
    """Print the error, and return the exit code."""
    found = {"what": error.what, "why": error.why, "fix": error.fix}
    _tell({name: text for name, text in found.items() if text}, as_json=as_json)
    return OUT_OF_REACH if isinstance(error, Unreachable) else USAGE if isinstance(error, UserError) else FAULT


def tell_output_fault(error: OSError) -> int:
    """Say why the output could not be written, and return the exit code."""
    let_go(sys.stdout.fileno())
    talk(f"{output_fault(error)}.")
    return FAULT


def tell_fault(error: Exception, log: Path, *, as_json: bool) -> int:
    """Report an unexpected error. The traceback goes to a private file, since it may contain words of a debate."""
    kept = _kept("".join(traceback.format_exception(error)), log)
    fix = "run hustings doctor, then report it with that output and the log"
    found = {
        "what": f"something went wrong inside hustings ({type(error).__name__})",
        "why": "this is a bug, not your mistake",
        "fix": fix,
    }
    _tell(found | ({"log": str(log)} if kept else {}), as_json=as_json)
    if not kept:
        traceback.print_exception(error, file=sys.stderr)
    return FAULT


def _tell(found: dict[str, str], *, as_json: bool) -> None:
    if as_json:
        show_event({"kind": "error", **found})
        return
    for name, head in HEADS.items():
        if name in found:
            first, *more = (
                _wrapped(found[name]) if name == "fix" or sys.stderr.isatty() else found[name].splitlines() or [""]
            )
            talk(f"{head:<6} {first}" + "".join(f"\n       {line}" for line in more))


def _wrapped(text: str) -> list[str]:
    """Wrap to the terminal's width; text that already has several lines keeps them."""
    lines = text.splitlines() or [""]
    return lines if len(lines) > 1 else _lines_of(text, min(get_terminal_size().columns, WIDEST) - INDENT)


def _at_words(text: str, stream: TextIO) -> str:
    """Wrap each line at words, as far as it is indented, if the stream is a terminal."""
    if not stream.isatty():
        return text
    width = min(get_terminal_size().columns, WIDEST)
    return "\n".join(part for line in text.split("\n") for part in _lines_of(line, width))


def _lines_of(line: str, width: int) -> list[str]:
    """Lines of that width. A command stays on one line, so that it can be copied."""
    if len(line) <= width:
        return [line]
    whole = COMMAND.sub(lambda found: found[0].replace(" ", UNBROKEN), line)
    indent = " " * (len(line) - len(line.lstrip(" ")))
    lines = wrap(whole, max(width, INDENT), subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)
    return [part.replace(UNBROKEN, " ") for part in lines]


COMMAND = re.compile(r"\bhustings(?: \S+){1,3}(?: --\S+(?: \S+)?)*|(?<!\S)\S+ (?:-m )?pip install(?: (?:'[^']*'|\S+))*")
"""`hustings show RUN`, with its arguments and options; what installs packages, to its end."""
UNBROKEN = "\ue000"
"""Stands for a space at which no line ends."""


def _kept(text: str, log: Path) -> bool:
    try:
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "w") as file:
            file.write(text)
    except OSError:
        return False
    return True


def wants_json(arguments: list[str]) -> bool:
    """Whether output is JSON, so that errors are JSON too."""
    return "--json" in arguments or "--display=json" in arguments or ("--display", "json") in pairwise(arguments)


def for_a_person(arguments: list[str]) -> bool:
    """Whether a person watches a command that takes a while, as far as can be told before its options are read."""
    display = [after for before, after in pairwise(arguments) if before == "--display"]
    display += [text.removeprefix("--display=") for text in arguments if text.startswith("--display=")]
    shown = display[-1] if display else os.environ.get("HUSTINGS_DISPLAY", "")
    quick = {"--help", "--estimate", "--detach", "--json"}
    watched = sys.stdout.isatty() and sys.stderr.isatty()
    return watched and shown not in {"quiet", "json"} and not quick & {*arguments}


HEADS = {"what": "Error:", "why": "Why:", "fix": "Fix:", "log": "Log:"}
