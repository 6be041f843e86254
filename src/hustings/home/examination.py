"""What works here and what does not: a list of findings, each with its cure, and never a key."""

from __future__ import annotations

import os
import platform
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from hustings.core.errors import HustingsError
from hustings.llm.nearby import Server

from . import places
from .choice import EXTRAS
from .keys import Kept
from .settings import options, settings_files
from .toml import WORDS, seated, tables_of
from .variables import variables

if TYPE_CHECKING:
    from hustings.store.database import Database

State = Literal["ok", "warn", "FAULT"]
GIGABYTE = 10**9
LEAST_ROOM, LITTLE_ROOM = GIGABYTE // 20, GIGABYTE
"""Bytes of disk."""


@dataclass(frozen=True)
class Finding:
    state: State
    about: str
    said: str
    cure: str = ""


def examined(database: str, servers: Sequence[Server]) -> Iterator[Finding]:
    """All that can be seen without calling a model."""
    system = f"{platform.system()} {platform.machine()}"
    yield Finding("ok", "hustings", f"{version('hustings')}, Python {platform.python_version()}, {system}")
    looks: dict[str, Callable[[], Iterator[Finding]]] = {
        "folders": _folders,
        ".env": _dotenv,
        "settings": _settings,
        "key": _keys,
        "database": lambda: _database(database),
        "server": lambda: _servers(servers),
        "extras": _extras,
        "plug-in": _plugins,
    }
    told: set[str] = set()
    for about, look in looks.items():
        try:
            yield from look()
        except HustingsError as error:
            if str(error) not in told:
                yield fault(about, error)
            told.add(str(error))


def fault(about: str, error: HustingsError) -> Finding:
    what = error.what if not error.why else f"{error.what} ({error.why})"
    return Finding("FAULT", about, what, error.fix)


def _folders() -> Iterator[Finding]:
    for name, folder in (("data", places.data_folder()), ("settings", places.config_folder())):
        if not folder.exists():
            yield Finding("ok", name, f"{folder} (not there yet)")
        elif not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            yield Finding("FAULT", name, f"{folder} cannot be written", f"chmod u+rwx {folder}")
        elif os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & 0o077:
            yield Finding("warn", name, f"{folder} can be read by others", f"chmod 700 {folder}")
        else:
            yield Finding("ok", name, str(folder))
    there = next(folder for folder in (places.data_folder(), *places.data_folder().parents) if folder.exists())
    free = shutil.disk_usage(there).free
    state: State = "FAULT" if free < LEAST_ROOM else "warn" if free < LITTLE_ROOM else "ok"
    yield Finding(
        state, "disk", f"{free / GIGABYTE:.1f} GB free", "" if state == "ok" else "make room before a long run"
    )


def _dotenv() -> Iterator[Finding]:
    dotenv = places.found_upwards(places.DOTENV)
    if dotenv is None:
        yield Finding("ok", ".env", "none from here upwards")
    elif os.name == "posix" and stat.S_IMODE(dotenv.stat().st_mode) & 0o007:
        yield Finding("warn", ".env", f"{dotenv} can be read by everybody here", f"chmod 600 {dotenv}")
    else:
        yield Finding("ok", ".env", str(dotenv))


def _settings() -> Iterator[Finding]:
    files = settings_files()
    for file in files:
        yield Finding("ok", file.place, str(file.path))
        for at in tables_of(file.said):
            if not {at[-1], at[-1].partition("_")[0]} & {"llm", *WORDS, *seated()}:
                cure = "see that it is spelt as your --set or plug-in has it"
                yield Finding("warn", file.place, f"no protocol seats {at[-1]!r} by itself ({'.'.join(at)})", cure)
    if not files:
        yield Finding("ok", "hustings.toml", "none from here upwards, and no config.toml of your own")


def _keys() -> Iterator[Finding]:
    """By name and place; a key that is kept is fetched, since one that cannot be had is a fault."""
    kept = Kept()
    known = variables()
    names = sorted(name for name in known if name.endswith("_API_KEY"))
    for name in names:
        place = known.place_of(name)
        if place in kept.places.values():
            known[name]
        yield Finding("ok", "key", f"{name} from {place}")
    if not names:
        yield Finding("ok", "key", "none; a model on this machine needs none")


def _servers(servers: Sequence[Server]) -> Iterator[Finding]:
    for server in servers:
        if server.models:
            yield Finding("ok", "server", f"{server.name} at {server.url}, {len(server.models)} models")
        else:
            cure = "ollama pull llama3.2" if server.name == "ollama" else "load a model there"
            yield Finding("warn", "server", f"{server.name} at {server.url} has no model", cure)
    if not servers:
        yield Finding("ok", "server", "none on the usual ports of this machine")


def _extras() -> Iterator[Finding]:
    extras = {**EXTRAS, "keyring": ("keyring",)}
    there = {name: all(find_spec(module) for module in modules) for name, modules in extras.items()}
    said = ", ".join(f"{name} {'yes' if found else 'no'}" for name, found in there.items())
    yield Finding("ok", "extras", said)


def _plugins() -> Iterator[Finding]:
    from hustings.run.registry import broken_plugins  # noqa: PLC0415  heavy

    for error in broken_plugins().values():
        yield fault("plug-in", error)


def _database(given: str) -> Iterator[Finding]:
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415  heavy

    from hustings.store.database import connect, file_of  # noqa: PLC0415
    from hustings.store.migrate import HEAD  # noqa: PLC0415

    if not given:
        with suppress(HustingsError):  # told already
            given = str(options().get("database", ("", ""))[0])
    url = given or places.own_database()
    shown, path = places.discreet(url), file_of(url)
    if path is not None and not path.exists():
        yield Finding("ok", "database", f"{shown} (made by the first run)")
        return
    if path is not None and not os.access(path, os.R_OK | os.W_OK):
        yield Finding("FAULT", "database", f"{shown} cannot be written", f"chmod u+rw {path}")
        return
    database = connect(url)
    try:
        found = _version(database)
    except SQLAlchemyError as error:
        # Its own text may hold a password.
        kind = type(getattr(error, "orig", None) or error).__name__
        cure = "see that it runs and that its address is right"
        yield Finding("FAULT", "database", f"{shown} does not answer ({kind})", cure)
        return
    finally:
        database.close()
    if found == HEAD:
        yield Finding("ok", "database", f"{shown}, version {found}")
    else:
        yield Finding("FAULT", "database", f"{shown} has version {found or 'none'}, not {HEAD}", "hustings db upgrade")


def _version(database: Database) -> str | None:
    import sqlalchemy as sa  # noqa: PLC0415

    from hustings.store.migrate import VERSION_TABLE  # noqa: PLC0415

    with database.reading() as db:
        if not sa.inspect(db).has_table(VERSION_TABLE):
            return None
        return db.scalar(sa.text(f"select version_num from {VERSION_TABLE}"))  # noqa: S608  our own name
