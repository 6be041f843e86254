"""Default locations: database, data and configuration folders, log, and files found in parent folders."""

from __future__ import annotations

import os
import re
from pathlib import Path

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
    from platformdirs import user_data_path  # noqa: PLC0415  not needed where a database is named

    return user_data_path("hustings", appauthor=False)


def config_folder() -> Path:
    """Folder of the user's own settings and keys."""
    from platformdirs import user_config_path  # noqa: PLC0415

    return user_config_path("hustings", appauthor=False)


def log_file() -> Path:
    """File for the traceback of an unexpected error."""
    from platformdirs import user_state_path  # noqa: PLC0415

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
