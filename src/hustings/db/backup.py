"""Back up a database as one file with a digest of every table, and restore it into an empty place.

SQLite copies itself while others write; PostgreSQL is dumped by its own `pg_dump`. The digests are of the same snapshot
as the copy, and are computed again from what was restored.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import sqlalchemy as sa
from pydantic import BaseModel, ValidationError

from hustings.errors import Unsuitable

from .connection import Database, Dialect, connect, file_of, make_file, make_folder
from .migrate import refuse_other_version, version_of

COPY, MANIFEST = "copy", "manifest.json"
"""Names inside the file."""
MOST_MANIFEST = 2**20
AT_ONCE = 1_000
"""Rows read at a time."""


class TableDigest(BaseModel, frozen=True, defer_build=True):
    rows: int
    digest: str
    """The digests of all rows, added up: it does not depend on their order."""


class Manifest(BaseModel, frozen=True, defer_build=True):
    """What a backup holds."""

    kind: Dialect
    version: str
    """Version of our tables."""
    made: str
    copy_digest: str
    tables: dict[str, TableDigest]


@dataclass(frozen=True)
class _Copy:
    digest: str
    tables: dict[str, TableDigest]


def back_up(database: Database, file: Path, made: str) -> Manifest:
    """Write a backup while others go on working."""
    version = version_of(database)
    if version is None:
        raise Unsuitable(
            "there is nothing to back up", why="the database has no debates", fix="choose another database"
        )
    if file.exists():
        raise Unsuitable(f"{file} already exists", fix="choose another file, or move it away")
    with _workplace(file) as folder:
        there = folder / COPY
        copied = _copy_sqlite(database, there) if database.dialect == "sqlite" else _dump(database, there)
        manifest = Manifest(
            kind=database.dialect, version=version, made=made, copy_digest=copied.digest, tables=copied.tables
        )
        packed = folder / "packed"
        packed.touch(0o600)
        with ZipFile(packed, "w", ZIP_DEFLATED if database.dialect == "sqlite" else ZIP_STORED) as archive:
            archive.writestr(MANIFEST, manifest.model_dump_json(indent=2))
            archive.write(there, COPY)
        _put(packed, file)
    return manifest


def restore(file: Path, url: str) -> Manifest:
    """Restore a backup into an empty place, and check every digest."""
    if target := file_of(url):
        make_folder(target)
    with _workplace(target or file) as folder:
        manifest = _unpack(file, folder)
        refuse_other_version(manifest.version)
        if (manifest.kind == "sqlite") != (target is not None):
            raise Unsuitable(
                f"this is a backup of a {manifest.kind} database", fix=f"choose a {manifest.kind} database"
            )
        if target is not None:
            _must_be_equal(manifest, _digests_of_file(folder / COPY))
            make_file(f"sqlite:///{folder / COPY}")  # gives it back its write-ahead log
            _put(folder / COPY, target)
        else:
            _load(manifest, folder / COPY, url)
    return manifest


# -- SQLite ----------------------------------------------------------------------------------


def _copy_sqlite(database: Database, there: Path) -> _Copy:
    there.touch(0o600)
    source = file_of(database.url)
    with (
        closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as origin,
        closing(sqlite3.connect(there)) as copy,
    ):
        origin.backup(copy)
        copy.execute("pragma journal_mode=delete")  # everything in one file
    return _Copy(_digest_of(there), _digests_of_file(there))


def _digests_of_file(path: Path) -> dict[str, TableDigest]:
    with closing(connect(f"sqlite:///{path}")) as database, database.reading() as db:
        if db.exec_driver_sql("pragma integrity_check").scalar() != "ok":
            raise _damaged("its copy of the database is incomplete")
        return _digests(db)


def _put(made: Path, place: Path) -> None:
    """Move a finished file to its place, which must be free."""
    try:
        os.link(made, place)
    except FileExistsError:
        raise Unsuitable(f"{place} already exists", fix="choose another place, or move it away") from None


# -- PostgreSQL ------------------------------------------------------------------------------


def _dump(database: Database, there: Path) -> _Copy:
    there.touch(0o600)
    with database.engine.connect().execution_options(isolation_level="REPEATABLE READ") as db:
        db.execute(sa.text("set local idle_in_transaction_session_timeout = 0"))  # it idles while the dump goes on
        snapshot = db.scalar(sa.text("select pg_export_snapshot()"))
        # Policies let every role pass but that of owners; without this option a dump of tables under them is refused.
        _run(
            "pg_dump",
            database.url,
            "--format=custom",
            "--enable-row-security",
            f"--snapshot={snapshot}",
            f"--file={there}",
        )
        return _Copy(_digest_of(there), _digests(db))


def _load(manifest: Manifest, copy: Path, url: str) -> None:
    with closing(connect(url)) as database:
        with database.reading() as db:
            if sa.inspect(db).get_table_names() or sa.inspect(db).has_schema("dbos"):
                raise Unsuitable("the database is not empty", fix="restore into a new one: createdb NAME")
        _run("pg_restore", url, "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error", str(copy))
        with database.reading() as db:
            _must_be_equal(manifest, _digests(db))


def _run(program: str, url: str, *options: str) -> None:
    if shutil.which(program) is None:
        raise Unsuitable(
            f"{program} is not installed", fix="install the client programs of PostgreSQL (postgresql-client)"
        )
    address = sa.make_url(url).set(drivername="postgresql")
    password = {"PGPASSWORD": str(address.password)} if address.password else {}
    where = address.set(password=None).render_as_string(hide_password=False)
    done = subprocess.run(  # noqa: S603  our own options
        [program, *options, f"--dbname={where}"], env=os.environ | password, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise Unsuitable(f"{program} failed", why=said[-1], fix="use the version of the server, or a newer one")


# -- digests ---------------------------------------------------------------------------------


def _digests(db: sa.Connection) -> dict[str, TableDigest]:
    """Rows and digest of every table, ours and the engine's."""
    inspector = sa.inspect(db)
    schemas = ("dbos",) if db.dialect.name == "postgresql" else ()
    names = [(schema, name) for schema in (None, *schemas) for name in inspector.get_table_names(schema=schema)]
    return {name: _digest_of_table(db, sa.table(name, schema=schema)) for schema, name in sorted(names, key=str)}


def _digest_of_table(db: sa.Connection, table: sa.TableClause) -> TableDigest:
    query = sa.select(sa.text("*")).select_from(table).execution_options(yield_per=AT_ONCE)
    rows = total = 0
    for row in db.execute(query):
        rows += 1
        total += int.from_bytes(sha256(repr(tuple(_plain(row))).encode()).digest())
    return TableDigest(rows=rows, digest=f"{total % 2**256:064x}")


def _plain(row: Iterable[object]) -> Generator[object]:
    return (value.tobytes() if isinstance(value, memoryview) else value for value in row)


def _must_be_equal(manifest: Manifest, found: dict[str, TableDigest]) -> None:
    wrong = sorted(
        name for name in manifest.tables.keys() | found.keys() if manifest.tables.get(name) != found.get(name)
    )
    if wrong:
        raise _damaged(f"the restored data differs in {', '.join(wrong)}")


# -- the file --------------------------------------------------------------------------------


def _unpack(file: Path, folder: Path) -> Manifest:
    try:
        with ZipFile(file) as archive:
            if archive.getinfo(MANIFEST).file_size > MOST_MANIFEST:
                raise _damaged("its list of tables is too long")
            manifest = Manifest.model_validate_json(archive.read(MANIFEST))
            there = folder / COPY
            there.touch(0o600)
            with archive.open(COPY) as packed, there.open("wb") as copy:
                shutil.copyfileobj(packed, copy)
    except FileNotFoundError:
        raise Unsuitable(f"no file {file}", fix="choose a file made by hustings db backup") from None
    except (BadZipFile, KeyError, ValidationError, OSError) as error:
        raise _damaged(type(error).__name__) from None
    if _digest_of(there) != manifest.copy_digest:
        raise _damaged("its copy does not match its checksum")
    return manifest


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _damaged(why: str) -> Unsuitable:
    return Unsuitable("can't restore the backup", why=why, fix="use another backup")


@contextmanager
def _workplace(near: Path) -> Generator[Path]:
    """A folder on the same disk, gone afterwards."""
    parent = near.absolute().parent
    try:
        made = TemporaryDirectory(prefix=".hustings-", dir=parent)
    except FileNotFoundError:
        raise Unsuitable(f"no folder for {near}", fix="create it, or choose another place") from None
    except OSError as error:
        raise Unsuitable(f"can't write in {parent}", why=f"{error.strerror}", fix="choose another place") from None
    with made as folder:
        yield Path(folder)
