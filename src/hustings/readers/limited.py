"""Reads a file in a process of its own that can take no more than it is given, and ends it when its time is over.

On systems without process groups and `resource` (Windows) the size of the file and the time alone are limited.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, cast

from hustings.installation import install_hint

from .child import ANEW, MOST_BYTES, MOST_OUTPUT
from .file_text import MOST_CHARACTERS, FileText, Unreadable

Kind = Literal["pdf", "office", "mail", "hypertext"]
"""The module that reads it."""
MEDIA: dict[Kind, frozenset[str]] = {
    "pdf": frozenset({"pdf"}),
    "office": frozenset({"word", "slides", "sheet"}),
    "mail": frozenset({"mail"}),
    "hypertext": frozenset({"html"}),
}
PACKAGES: Mapping[str, tuple[str, ...]] = {
    "pdf": ("pypdfium2",),
    "foreign_debates": (
        "pydantic",
        "pydantic_core",
        "annotated_types",
        "typing_extensions",
        "typing_inspection",
        "rfc8785",
    ),
}
"""What the process imports besides hustings."""
BEGIN = (
    "import sys; sys.path += sys.argv[4:]; from hustings.readers.child import main; "
    "main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))"
)
"""By path, not as an installed module: the process sees neither environment nor site, so that it starts fast."""


class ReaderLimits(NamedTuple):
    seconds: int = 60
    """Of computing."""
    memory: int = 1_500_000_000
    """Bytes of address space."""
    waiting: float = 180.0
    """Seconds by the clock."""


def read_limited(kind: Kind, content: bytes, limits: ReaderLimits | None = None) -> FileText:
    """The text of a file, by the reader for its kind."""
    return _text_of(kind, run_limited(kind, content, limits))


def run_limited(kind: str, content: bytes, limits: ReaderLimits | None = None) -> Mapping[str, Any]:
    """What a module of this package makes of the bytes of a file, in a process of its own; a refusal is raised."""
    limits = limits or ReaderLimits()
    if len(content) > MOST_BYTES:
        raise Unreadable(f"it has more than {MOST_BYTES / 1_000_000:.0f} MB", "cut it down to what is debated")
    command = [sys.executable, "-I", "-S", "-c", BEGIN, kind, str(limits.seconds), str(limits.memory), *_roots(kind)]
    with tempfile.TemporaryFile() as output:
        code = _run(command, content, output, limits)
        output.seek(0)
        written = output.read(MOST_OUTPUT + 1)
    if code:
        raise Unreadable(_why(code, limits), ANEW)
    return _answer(written)


def _roots(kind: str) -> list[str]:
    """The folders of the packages that the process imports."""
    roots = [Path(__file__).parents[2]]
    for package in PACKAGES.get(kind, ()):
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            raise Unreadable("reading PDF needs a further package", install_hint("documents"))
        roots.append(Path(spec.origin).parents[bool(spec.submodule_search_locations)])
    return [*dict.fromkeys(map(str, roots))]


def _run(command: list[str], content: bytes, output: IO[bytes], limits: ReaderLimits) -> int:
    """How the process ended. Whatever happens here, it does not outlive this."""
    environment = {"PYDANTIC_DISABLE_PLUGINS": "1"}
    if os.name == "nt":
        environment["SYSTEMROOT"] = os.environ.get("SYSTEMROOT", "")
    try:
        process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=Path(sys.executable).anchor or None,
            start_new_session=True,
        )
    except OSError as error:
        raise Unreadable(f"the process that reads it cannot be started: {error.strerror}") from None
    try:
        process.communicate(content, timeout=limits.waiting)
    except subprocess.TimeoutExpired:
        raise Unreadable(f"reading it takes longer than {limits.waiting:g} seconds", ANEW) from None
    finally:
        _end(process)
    return process.returncode


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process, and what it may have started, unless it has ended."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
    if process.stdin:
        process.stdin.close()


def _why(code: int, limits: ReaderLimits) -> str:
    if hasattr(signal, "SIGXCPU") and code == -signal.SIGXCPU:
        return f"reading it takes more than {limits.seconds} seconds of computing"
    if hasattr(signal, "SIGXFSZ") and code == -signal.SIGXFSZ:
        return f"it has more than {MOST_CHARACTERS:,} characters"
    return "its reader broke down: it is damaged, or takes more memory than it may have"


def _answer(written: bytes) -> Mapping[str, Any]:
    """What the process wrote. A file may have got the better of it, so nothing in it is taken on trust."""
    try:
        told: Any = json.loads(written)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise Unreadable("its reader broke down", ANEW)
    fields = cast("dict[str, Any]", told)
    if isinstance(why := fields.get("why"), str):
        raise Unreadable(why[:LONGEST_REASON], str(fields.get("fix") or ANEW)[:LONGEST_REASON])
    return fields


def _text_of(kind: Kind, fields: Mapping[str, Any]) -> FileText:
    title, text, media = (fields.get(name) for name in FileText._fields)
    if not (isinstance(title, str) and isinstance(text, str) and media in MEDIA[kind]):
        raise Unreadable("its reader broke down", ANEW)
    if len(text) > MOST_CHARACTERS:
        raise Unreadable(f"it has more than {MOST_CHARACTERS:,} characters", "cut it down to what is debated")
    return FileText(title[:LONGEST_TITLE], text, media)


LONGEST_REASON, LONGEST_TITLE = 300, 300
