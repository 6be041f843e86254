"""`hustings db`: upgrade, back up, restore, prune, cap spending; also opens the database for all commands."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hustings.cli.options import AsJson, DatabaseOption
from hustings.cli.terminal import show, show_json, talk
from hustings.config.paths import address
from hustings.db.caps import MICRO, micro, usd
from hustings.errors import Unsuitable

if TYPE_CHECKING:
    from hustings.db.backup import Manifest
    from hustings.db.connection import Database
    from hustings.engine.service import RunService
    from hustings.runs.queries import RunQueries
    from hustings.runs.run_list import RunList

DAY = 86_400.0


def upgrade_database(
    *,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Create the tables of the database. Safe to repeat."""
    with upgraded(database) as ready:
        if as_json:
            show_json({"ready": True, "kind": ready.dialect})
        else:
            show(f"The {ready.dialect} database is up to date.")
    talk('Next: hustings "QUESTION", or hustings worker')


def back_up_database(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="New file to write.")],
    *,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Back up the database to one file, with a checksum of every table. Debates can go on."""
    from hustings.db.backup import back_up  # noqa: PLC0415  heavy
    from hustings.db.instants import instant  # noqa: PLC0415
    from hustings.runs.run_list import open_database  # noqa: PLC0415

    with open_database(address(database), lambda _: None) as opened:
        manifest = back_up(opened, file, instant())
    _show_manifest("backed up", file, manifest, as_json=as_json)
    talk(f"Store it safely: it contains every debate. Restore it: hustings db restore {file} --database NEW")


def restore_database(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file made by `hustings db backup`.")],
    *,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Restore a backup into an empty database and check it. Restore only files you made yourself."""
    from hustings.db.backup import restore  # noqa: PLC0415  heavy

    manifest = restore(file, address(database))
    _show_manifest("restored", file, manifest, as_json=as_json)
    talk("Every checksum matches. See its debates: hustings list --database NEW")


def _show_manifest(done: str, file: Path, manifest: Manifest, *, as_json: bool) -> None:
    rows = sum(table.rows for table in manifest.tables.values())
    if as_json:
        show_json({"file": str(file), **manifest.model_dump(mode="json")})
    else:
        show(f"{file}: {done} {rows:,} rows in {len(manifest.tables)} tables, version {manifest.version}.")


def prune_database(
    *,
    days: Annotated[
        float, typer.Option(min=0.0, help="Delete execution logs of debates that ended this many days ago.")
    ] = 30.0,
    answers_days: Annotated[
        float | None, typer.Option(min=0.0, help="Also delete stored answers. Forks of those debates pay again.")
    ] = None,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Free space: delete execution logs of finished debates. Transcripts, notes and events stay."""
    from hustings.db.instants import instant  # noqa: PLC0415

    with open_service(database) as service:
        now = time.time()
        answers = "" if answers_days is None else instant(now - answers_days * DAY)
        gone = service.control.prune(instant(now - days * DAY), answers_before=answers)
    if as_json:
        show_json(gone)
    else:
        show(f"Deleted the execution logs of {gone['runs']} debates and {gone['answers']} stored answers.")
    talk("See your debates: hustings list")


def cap_spending(
    owner: Annotated[str, typer.Argument(help="Owner of the debates. On your own machine: `local`.")] = "local",
    *,
    day: Annotated[str | None, typer.Option(metavar="USD", help="Limit per day; `none` removes it.")] = None,
    total: Annotated[str | None, typer.Option(metavar="USD", help="Limit in total; `none` removes it.")] = None,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Limit the spending of all debates of an owner, or show the limits. Running debates go on."""
    from hustings.runs.costs import caps_of  # noqa: PLC0415  heavy

    changes = {what: _limit(what, text) for what, text in {"day": day, "total": total}.items() if text is not None}
    if changes:
        with open_service(database) as service:
            caps = replace(caps_of(service.runs, owner), **changes)
            service.budgets.set_caps(owner, total=caps.total, day=caps.day)
    else:
        with open_runs(database) as runs:
            caps = caps_of(runs, owner)
    if as_json:
        dollars = {what: None if cap is None else cap / MICRO for what, cap in asdict(caps).items()}
        show_json({"owner": owner, **dollars})
    else:
        day_, total_ = ("no limit" if cap is None else usd(cap) for cap in (caps.day, caps.total))
        show(f"{owner}: {day_} per day, {total_} in total.")
    talk(
        "While a debate runs, its whole --budget counts against these limits."
        if changes
        else "Nothing was changed. To change a limit: --day USD or --total USD; `none` removes it"
    )


def _limit(what: str, text: str) -> int | None:
    """A limit as it was typed, in millionths of a dollar; None: no limit."""
    if text.strip().casefold() == "none":
        return None
    try:
        amount = micro(float(text))
    except ValueError:
        amount = None
    if amount is None or amount < 0:
        raise Unsuitable(f"--{what} {text!r} is no amount of money", fix="write it like 0.50, or none for no limit")
    return amount


@contextmanager
def open_run_list(database: str) -> Generator[RunList]:
    """Open the given database, or the user's own, for listing runs."""
    from hustings.runs import run_list  # noqa: PLC0415  heavy

    with run_list.open_run_list(address(database)) as runs:
        yield runs


@contextmanager
def open_runs(database: str) -> Generator[RunQueries]:
    """Open the given database, or the user's own, for reading runs."""
    from hustings.runs import queries  # noqa: PLC0415  heavy

    with queries.open_runs(address(database)) as runs:
        yield runs


@contextmanager
def open_service(database: str) -> Generator[RunService]:
    """Open the given database, or the user's own, for reading and changing runs."""
    from hustings.engine import service  # noqa: PLC0415  heavy

    with service.open_service(address(database)) as opened:
        yield opened


@contextmanager
def upgraded(database: str) -> Generator[Database]:
    """Open and upgrade the database itself."""
    from hustings.engine.service import upgrade  # noqa: PLC0415
    from hustings.runs.run_list import open_database  # noqa: PLC0415  heavy

    with open_database(address(database), upgrade) as opened:
        upgrade(opened)
        yield opened
