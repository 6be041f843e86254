"""Default locations (database, data, configuration, log), and bounded reading of text files that the user names."""

from __future__ import annotations

import os
import re
from pathlib import Path

from platformdirs import user_config_path, user_data_path, user_state_path

from hustings.readers.files import decoded, read_bytes

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


def settings_paths() -> tuple[Path | None, Path | None]:
    """The user's settings file and the project's, as far as they exist."""
    own = user_file()
    return own if own.is_file() else None, found_upwards(PROJECT_FILE)


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
