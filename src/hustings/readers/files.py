"""Bounded reading of files that the user names: no endless pipe, no device, no link that was swapped in."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from shlex import quote

from hustings.errors import BrokenFile


def is_file(path: Path) -> bool:
    """Whether there is such a file. One that may not even be seen counts as none, where a `Path` raises an error."""
    return os.path.isfile(path)  # noqa: PTH113


def read_bytes(path: Path, most: int, wanted: str) -> bytes:
    """Read at most one byte more than `most` of a regular file: no endless pipe, no device, no link swapped in."""
    try:
        file = os.open(path.resolve(strict=True), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(file, "rb") as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                raise BrokenFile(f"can't read {str(path)!r}", why="it is not a regular file", fix=f"choose {wanted}")
            return opened.read(most + 1)
    except (OSError, ValueError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BrokenFile(f"can't read {str(path)!r}", why=f"{why}", fix=f"choose {wanted}") from None


def decoded(content: bytes, name: str, most: int) -> str:
    """Text that was read, unless there is more than `most` bytes of it."""
    if len(content) > most:
        raise too_large(name, most)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise not_utf8(content, name) from None


def too_large(name: str, most: int) -> BrokenFile:
    return BrokenFile(f"{name!r} has more than {most / 1_000_000:,.1f} MB", fix="cut it down to what is needed")


def not_utf8(content: bytes, name: str) -> BrokenFile:
    """Text in another encoding: the one that it probably has, and the command that converts it."""
    windows = any(byte in range(0x80, 0xA0) for byte in content)
    looks, coding = ("Windows-1252", "cp1252") if windows else ("Latin-1", "latin1")
    path = Path(name)
    command = f"iconv -f {coding} -t utf-8 {quote(name)} > {quote(f'{path.stem}.utf-8{path.suffix}')}"
    return BrokenFile(f"{name!r} is not UTF-8 text: it looks like {looks}", fix=f"save it as UTF-8: {command}")
