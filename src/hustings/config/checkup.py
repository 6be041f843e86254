"""The single checks of `hustings doctor`: each finding has a state and a cure, never a key; `--online` calls models."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from sqlalchemy.exc import SQLAlchemyError

from hustings.db import metering
from hustings.db.connection import Database, connect, file_of, is_there
from hustings.db.faults import unusable
from hustings.db.instants import instant
from hustings.db.migrate import HEAD, other_version, version_of
from hustings.engine import unqueued
from hustings.errors import HustingsError
from hustings.llm.egress import PUBLIC_OR_LOOPBACK, hang_up
from hustings.llm.endpoints import BUILT_IN
from hustings.llm.local_servers import LocalServer
from hustings.llm.model import LlmRequest
from hustings.llm.model_spec import ModelSpec
from hustings.llm.tool_server import must_be_installed, uses_of
from hustings.runs.registry import broken_plugins
from hustings.script.prompt import Prompt

from . import paths
from .configured_commands import configured_commands
from .configured_tools import AGREE, START_SECONDS, configured_tools, may_start, models_for, server_of
from .models import EXTRAS
from .settings_files import WORDS, options, seated, settings_files, tables_of
from .variables import Kept, variables

SECONDS = 20.0
PROMPT = Prompt("", (), "Answer with one word: yes.", None)
CURES = {
    "auth_failed": "store another key: hustings keys set {provider}",
    "no_credit": "top up the account",
    "untrusted": "name the file of its authority in the variable SSL_CERT_FILE",
    "not_an_api": "check base_url (LLM_BASE_URL) and your network",
    "unreachable": "check that the server is running and this machine is online",
    "rejected": "check the model's name: hustings models",
    "timed_out": "try again. A local model may still be loading",
}


def called(
    model_specs: Sequence[ModelSpec], environment: Mapping[str, str], seconds: float = SECONDS
) -> list[CheckResult]:
    """Call all models at the same time, and return one result for each."""

    async def all_of_them() -> list[CheckResult]:
        try:
            asked = [
                _call(model_spec, environment, seconds)
                for model_spec in model_specs
                if model_spec.provider not in BUILT_IN
            ]
            return list(await asyncio.gather(*asked))
        finally:
            await hang_up()

    return asyncio.run(all_of_them())


async def _call(model_spec: ModelSpec, environment: Mapping[str, str], seconds: float) -> CheckResult:
    begun = time.monotonic()
    try:
        model = models_for(environment)(model_spec)
        # A reasoning model needs room to think first; other models answer with one word.
        response = await model.answer(
            LlmRequest(PROMPT, 256, seconds=seconds, first_token_seconds=seconds), lambda _: None
        )
    except HustingsError as error:
        return fault("online", error)
    took = f"{time.monotonic() - begun:.1f} s"
    if response.kind in {"ok", "truncated", "empty", "malformed", "refused", "filtered"}:
        return CheckResult("ok", "online", f"{model_spec.label} answered in {took}")
    cure = CURES.get(response.kind, "try again later").format(provider=model_spec.provider)
    why = response.detail or response.kind.replace("_", " ")
    return CheckResult("FAIL", "online", f"{model_spec.label}: {why}", cure)


State = Literal["ok", "warn", "FAIL"]
MOST_RUNS = 100
"""Runs whose reports of tokens are counted."""
GIGABYTE = 10**9
LEAST_ROOM, LITTLE_ROOM = GIGABYTE // 20, GIGABYTE
"""Bytes of free disk below which doctor reports a fault, or warns."""


@dataclass(frozen=True)
class CheckResult:
    state: State
    about: str
    said: str
    cure: str = ""


def check_up(database: str, servers: Sequence[LocalServer]) -> Iterator[CheckResult]:
    """Run every check that needs no call to a model; report each error once."""
    system = f"{platform.system()} {platform.machine()}"
    yield CheckResult("ok", "hustings", f"{version('hustings')}, Python {platform.python_version()}, {system}")
    looks: dict[str, Callable[[], Iterator[CheckResult]]] = {
        "folders": _folders,
        ".env": _dotenv,
        "settings": _settings,
        "key": _keys,
        "database": lambda: _database(database),
        "server": lambda: _servers(servers),
        "optional": _extras,
        "plug-in": _plugins,
        "tool": _tools,
        "command": _commands,
    }
    told: set[str] = set()
    for about, look in looks.items():
        try:
            yield from look()
        except HustingsError as error:
            if str(error) not in told:
                yield fault(about, error)
            told.add(str(error))


def fault(about: str, error: HustingsError) -> CheckResult:
    what = error.what if not error.why else f"{error.what} ({error.why})"
    return CheckResult("FAIL", about, what, error.fix)


def _folders() -> Iterator[CheckResult]:
    for name, folder in (("data", paths.data_folder()), ("settings", paths.config_folder())):
        near = _nearest(folder)
        if not os.access(near, os.R_OK | os.W_OK | os.X_OK):
            yield CheckResult(
                "FAIL", name, f"can't write to {near}", f"chmod u+rwx {near}, or set HOME to another folder"
            )
        elif near != folder:
            yield CheckResult("ok", name, f"{folder} (created on first use)")
        elif os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & 0o077:
            yield CheckResult("warn", name, f"others can read {folder}", f"chmod 700 {folder}")
        else:
            yield CheckResult("ok", name, str(folder))
    free = shutil.disk_usage(_nearest(paths.data_folder())).free
    state: State = "FAIL" if free < LEAST_ROOM else "warn" if free < LITTLE_ROOM else "ok"
    yield CheckResult(
        state, "disk", f"{free / GIGABYTE:.1f} GB free", "" if state == "ok" else "free some space before a long debate"
    )


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest above it that is there, as far as can be seen."""
    return next(one for one in (folder, *folder.parents) if os.path.exists(one))  # noqa: PTH110


def _dotenv() -> Iterator[CheckResult]:
    dotenv = paths.found_upwards(paths.DOTENV)
    if dotenv is None:
        yield CheckResult("ok", ".env", "not found here or in parent folders")
    elif os.name == "posix" and stat.S_IMODE(dotenv.stat().st_mode) & 0o007:
        yield CheckResult("warn", ".env", f"everyone on this machine can read {dotenv}", f"chmod 600 {dotenv}")
    else:
        yield CheckResult("ok", ".env", str(dotenv))


def _settings() -> Iterator[CheckResult]:
    files = settings_files()
    for file in files:
        yield CheckResult("ok", file.place, str(file.path))
        for at in tables_of(file.said):
            if not {at[-1], at[-1].partition("_")[0]} & {"llm", *WORDS, *seated()}:
                cure = "check the spelling against your --set or plug-in"
                yield CheckResult(
                    "warn", file.place, f"no protocol has a seat {at[-1]!r} by default ({'.'.join(at)})", cure
                )
    if not files:
        yield CheckResult("ok", "hustings.toml", "not found here or in parent folders; no config.toml either")


def _keys() -> Iterator[CheckResult]:
    """List keys by name and place. Stored keys are fetched, because one that cannot be fetched is a fault."""
    kept = Kept()
    known = variables()
    names = sorted(name for name in known if name.endswith("_API_KEY"))
    for name in names:
        place = known.place_of(name)
        if place in kept.places.values():
            known[name]
        yield CheckResult("ok", "key", f"{name} from {place}")
    if not names:
        yield CheckResult("ok", "key", "none found (local models need none)")


def _servers(servers: Sequence[LocalServer]) -> Iterator[CheckResult]:
    for server in servers:
        if server.models:
            yield CheckResult("ok", "server", f"{server.name} at {server.url}, {len(server.models)} models")
        else:
            cure = "ollama pull llama3.2" if server.name == "ollama" else "load a model there"
            yield CheckResult("warn", "server", f"{server.name} at {server.url} has no model", cure)
    if not servers:
        yield CheckResult("ok", "server", "No local model server found")


def _extras() -> Iterator[CheckResult]:
    extras = {**EXTRAS, "keyring": ("keyring",), "tools": ("mcp",)}
    there = {name: all(find_spec(module) for module in modules) for name, modules in extras.items()}
    said = ", ".join(f"{name} {'installed' if found else 'not installed'}" for name, found in there.items())
    yield CheckResult("ok", "optional", said)


def _plugins() -> Iterator[CheckResult]:
    for error in broken_plugins().values():
        yield fault("plug-in", error)


def _tools() -> Iterator[CheckResult]:
    """Start every tool and list what it offers; call nothing."""
    known = variables()
    for tool in configured_tools().values():
        if not may_start(tool):
            yield CheckResult(
                "warn", "tool", f"{tool.name} ({tool.place}) was not tried: nobody has agreed to it", AGREE
            )
            continue
        try:
            must_be_installed()
            uses = uses_of(server_of(tool, known), PUBLIC_OR_LOOPBACK, START_SECONDS)
        except HustingsError as error:
            yield fault("tool", error)
        else:
            yield CheckResult("ok", "tool", f"{tool.name}: {', '.join(use.name for use in uses)} ({tool.place})")


def _commands() -> Iterator[CheckResult]:
    """Look for every program that answers for seats; start none."""
    for name, table in configured_commands().items():
        if shutil.which(table.command[0]):
            yield CheckResult("ok", "command", f"cli/{name} runs {table.command[0]}")
        else:
            yield CheckResult(
                "FAIL",
                "command",
                f"cli/{name}: {table.command[0]} was not found",
                f"correct command in [commands.{name}]",
            )


def _reports(database: Database) -> list[CheckResult]:
    """Providers whose reports of tokens cannot be right: what is booked then rests on our own count."""
    with database.reading() as db:
        found = metering.misreported(db, MOST_RUNS)
    if not found:
        return []
    runs, answers = len(found), sum(count for _, count in found)
    of = f"the newest {runs} debates" if runs == MOST_RUNS else f"{runs} debate{'s' if runs > 1 else ''}"
    said = f"providers reported wrong token counts for {answers} answer{'s' if answers > 1 else ''} in {of}"
    return [
        CheckResult("warn", "tokens", said, f"see which: hustings show {found[0][0]}, then check the provider's bill")
    ]


def _database(given: str) -> Iterator[CheckResult]:
    if not given:
        with suppress(HustingsError):  # reported by another check
            given = str(options().get("database", ("", ""))[0])
    url = paths.address(given)
    shown, path = paths.discreet(url), file_of(url)
    if path is not None and not is_there(path):
        yield CheckResult("ok", "database", f"{shown} (created on first use)")
        return
    if path is not None and not os.access(path, os.R_OK | os.W_OK):
        yield CheckResult("FAIL", "database", f"can't write to {shown}", f"chmod u+rw {path}")
        return
    database, left_over = connect(url), 0
    try:
        found = version_of(database)
        if found == HEAD:
            left_over = unqueued.count(database, instant(time.time() - unqueued.GRACE))
        reports = _reports(database) if found == HEAD else []
    except SQLAlchemyError as error:  # its own text may contain a password
        found = unusable(error)
        yield CheckResult("FAIL", "database", f"{shown}: {found.what} ({found.why})", found.fix)
        return
    finally:
        database.close()
    if found == HEAD:
        yield CheckResult("ok", "database", f"{shown}, version {found}")
        if left_over:
            said = f"{left_over} debates are missing from the queue"
            yield CheckResult("warn", "queue", said, "start a worker to queue them: hustings worker")
        yield from reports
    elif found is None:
        yield CheckResult("ok", "database", f"{shown} is empty (set up on first use)")
    else:
        fault = other_version(found)
        yield CheckResult("FAIL", "database", f"{shown}: {fault.what} ({fault.why})", fault.fix)
