"""Default locations (database, data, configuration, log), and bounded reading of text files that the user names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from platformdirs import user_config_path, user_data_path, user_state_path

from hustings.errors import Unsuitable
from hustings.readers.files import decoded, is_file, read_bytes

PROJECT_FILE = "hustings.toml"
DOTENV = ".env"
TEMPORARY = "temporary"
"""A database of one program, deleted when that ends."""
FILE = "sqlite:///"


def address(given: str) -> str:
    """URL of the given database, which is an address or the path of a file; else of the user's own."""
    if not given:
        return own_database()
    if given == TEMPORARY:
        raise Unsuitable("a temporary database is deleted with the program that asks for it", fix="name a file")
    if given.startswith(FILE):
        return in_file(Path(given.removeprefix(FILE)))
    return given if re.match(r"[A-Za-z][\w+.-]*:", given) else in_file(Path(given))


def in_file(path: Path) -> str:
    """URL of the database in a file: one and the same, however the file is named."""
    if str(path) == ":memory:":
        raise Unsuitable(
            '":memory:" keeps nothing that a debate could continue from',
            fix=f'name a file, or, in a program, write database="{TEMPORARY}"',
        )
    if odd := next((sign for sign in "%?" if sign in str(path)), ""):  # an address means something else by them
        raise Unsuitable(f"a database can't have {odd!r} in its path: {str(path)!r}", fix="choose another name")
    try:
        return f"{FILE}{path.expanduser().resolve()}"
    except (OSError, RuntimeError, ValueError) as error:  # no home, no folder to count from, no name of a file
        why = "the working folder was deleted" if isinstance(error, FileNotFoundError) else str(error)
        fix = "name another place with --database or HUSTINGS_DATABASE"
        raise Unsuitable(f"can't tell where {str(path)!r} is", why=why, fix=fix) from None


def own_database() -> str:
    """URL of the user's own database, whether it exists or not."""
    return in_file(data_folder() / "hustings.db")


def discreet(url: str) -> str:
    """The URL of a database without its password."""
    hidden = re.sub(r"(://[^/@:]*):[^/]*@", r"\1:…@", url)
    return re.sub(r"(?i)(password=)[^&]*", r"\1…", hidden)


def data_folder() -> Path:
    return _of_user(user_data_path)


def config_folder() -> Path:
    """Folder of the user's own settings and keys."""
    return _of_user(user_config_path)


def state_folder() -> Path:
    """Folder of what is worth nothing to another machine."""
    return _of_user(user_state_path)


def log_file() -> Path:
    """File for the traceback of an unexpected error."""
    return state_folder() / "fault.log"


def _of_user(find: Callable[..., Path]) -> Path:
    try:
        return find("hustings", appauthor=False)
    except RuntimeError:  # a user whom the system does not know
        raise Unsuitable("there is no home folder", fix="set HOME to a folder that can be written") from None


def user_file() -> Path:
    return config_folder() / "config.toml"


@contextmanager
def writing(path: Path) -> Generator[None]:
    """Make the folder of a file that is written here. Say where nothing can be written, instead of the system."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        yield
    except OSError as error:
        fix = "make its folder writable, or set HOME to a folder that is"
        raise Unsuitable(f"can't write {path}", why=error.strerror or "", fix=fix) from None


def write_private(path: Path, text: str) -> None:
    """Replace a file at once; others can't read it, not even for a moment."""
    with writing(path):
        fresh = path.with_name(f".{path.name}.{os.getpid()}")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        fresh.replace(path)


def settings_paths() -> tuple[Path | None, Path | None]:
    """The user's settings file and the project's, as far as they exist."""
    own = user_file()
    return own if is_file(own) else None, found_upwards(PROJECT_FILE)


def found_upwards(name: str) -> Path | None:
    """The nearest file of that name, from the working directory up to the project's root or the home folder."""
    try:
        here = Path.cwd()
    except FileNotFoundError:  # it was deleted
        return None
    home = Path(os.path.expanduser("~"))  # noqa: PTH111  `Path.home` raises an error without one
    for folder in (here, *here.parents):
        path = folder / name
        if is_file(path) and (folder == here or _ours(path)):
            return path
        if os.path.exists(folder / ".git") or folder == home:  # noqa: PTH110  a `Path` raises what it may not see
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
