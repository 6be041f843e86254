"""Where things are kept when nobody says where."""

from __future__ import annotations

import os
import re
from pathlib import Path

PROJECT_FILE = "hustings.toml"
DOTENV = ".env"


def address(given: str) -> str:
    """The database that was named, else one of the user's own, which nobody else can read."""
    if given:
        return given
    data_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    return own_database()


def own_database() -> str:
    """Address of the user's own, whether it is there or not."""
    return f"sqlite:///{data_folder() / 'hustings.db'}"


def discreet(url: str) -> str:
    """The address of a database without its password."""
    hidden = re.sub(r"(://[^/@:]*):[^/]*@", r"\1:…@", url)
    return re.sub(r"(?i)(password=)[^&]*", r"\1…", hidden)


def data_folder() -> Path:
    from platformdirs import user_data_path  # noqa: PLC0415  most commands are told where

    return user_data_path("hustings", appauthor=False)


def config_folder() -> Path:
    """Of the user's own settings and keys."""
    from platformdirs import user_config_path  # noqa: PLC0415

    return user_config_path("hustings", appauthor=False)


def log_file() -> Path:
    """Where the trace of a fault goes."""
    from platformdirs import user_state_path  # noqa: PLC0415

    return user_state_path("hustings", appauthor=False) / "fault.log"


def user_file() -> Path:
    return config_folder() / "config.toml"


def found_upwards(name: str) -> Path | None:
    """The nearest file of that name, from the working directory up to the project's root, or to one's home."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        path = folder / name
        if path.is_file() and (folder == here or _ours(path)):
            return path
        if (folder / ".git").exists() or folder == Path.home():
            return None
    return None


def _ours(path: Path) -> bool:
    """In a folder above, which others may write to, only a file of one's own counts."""
    return not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()
