"""Reads text files that the user names, with limits: regular files, bounded size, UTF-8."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from hustings.errors import BrokenFile

LONGEST_FILE = 2**20
"""Bytes; enough for a topic, an answer or a `.env`."""


def words_of(given: str) -> str:
    """Return the text as given, or the content of the file named by `@path`."""
    return read_text(Path(given[1:])) if given.startswith("@") else given


def read_text(path: Path, most: int = LONGEST_FILE) -> str:
    """Read a regular file of bounded size: no endless pipe, no device, no link swapped in between check and read."""
    try:
        file = os.open(path.resolve(strict=True), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(file, "rb") as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                raise BrokenFile(f"{str(path)!r} is no regular file", fix="name one that holds text")
            content = opened.read(most + 1)
    except (OSError, ValueError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BrokenFile(f"{str(path)!r} cannot be read", why=f"{why}", fix="name a text file") from None
    if len(content) > most:
        raise BrokenFile(f"{str(path)!r} is longer than {most} bytes", fix="shorten it")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BrokenFile(f"{str(path)!r} is no text in UTF-8", fix="save it as such") from None
