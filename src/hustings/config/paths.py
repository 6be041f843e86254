"""Default locations (database, data, configuration, log), and bounded reading of text files that the user names."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from platformdirs import user_config_path, user_data_path, user_state_path

from hustings.errors import BrokenFile

PROJECT_FILE = "hustings.toml"
DOTENV = ".env"


def address(given: str) -> str:
    """URL of the given database, else of the user's own in a folder that only the user can read."""
    if given:
        return given
    data_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    return own_database()


def own_database() -> str:
    """URL of the user's own database, whether it exists or not."""
    return f"sqlite:///{data_folder() / 'hustings.db'}"


def discreet(url: str) -> str:
    """The URL of a database without its password."""
    hidden = re.sub(r"(://[^/@:]*):[^/]*@", r"\1:…@", url)
    return re.sub(r"(?i)(password=)[^&]*", r"\1…", hidden)


def data_folder() -> Path:
    return user_data_path("hustings", appauthor=False)


def config_folder() -> Path:
    """Folder of the user's own settings and keys."""
    return user_config_path("hustings", appauthor=False)


def log_file() -> Path:
    """File for the traceback of an unexpected error."""
    return user_state_path("hustings", appauthor=False) / "fault.log"


def user_file() -> Path:
    return config_folder() / "config.toml"


def found_upwards(name: str) -> Path | None:
    """The nearest file of that name, from the working directory up to the project's root or the home folder."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        path = folder / name
        if path.is_file() and (folder == here or _ours(path)):
            return path
        if (folder / ".git").exists() or folder == Path.home():
            return None
    return None


def _ours(path: Path) -> bool:
    """Others may be able to write to a parent folder, so only a file owned by the user counts there."""
    return not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()


LONGEST_FILE = 2**20
"""Bytes; enough for a topic, an answer or a `.env`."""


def words_of(given: str) -> str:
    """Return the text as given, or the content of the file named by `@path`."""
    return read_text(Path(given[1:])) if given.startswith("@") else given


def read_text(path: Path, most: int = LONGEST_FILE) -> str:
    """Read a text file of bounded size."""
    return decoded(read_bytes(path, most, "a text file"), str(path), most)


def decoded(content: bytes, name: str, most: int) -> str:
    """Text that was read, unless there is more than `most` bytes of it."""
    if len(content) > most:
        raise BrokenFile(f"{name!r} is longer than {most} bytes", fix="shorten it")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BrokenFile(f"{name!r} is not UTF-8 text", fix="save it as UTF-8") from None


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
