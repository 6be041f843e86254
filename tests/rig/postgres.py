"""Databases to break: a PostgreSQL cluster of one's own, a database of one's own on a running server, a SQLite file.

An empty one is for what makes tables. A ready one is a copy of what `upgrade` makes, once per process.
"""

import atexit
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg

RUNNING = "postgresql://postgres@127.0.0.1:5432/test"
"""Where a server is looked for, unless HUSTINGS_TEST_POSTGRES names another."""
START_SECONDS = 30


class Cluster:
    """A PostgreSQL server that nobody else uses."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Returns when it answers, recovery from a crash included."""
        with (self.folder / "log").open("ab") as log:
            command = [*as_postgres(), binary("postgres"), "-D", str(self.folder / "data")]
            self._server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")
        end = time.monotonic() + START_SECONDS
        while not answers(self.url):
            if self._server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL did not start:\n{(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.02)

    def crash(self) -> None:
        """At once: connections break, nothing is written any more. What `pg_ctl stop -m immediate` does."""
        self._end(signal.SIGQUIT)

    def stop(self) -> None:
        """In good order, without waiting for anybody."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        if self._server is not None:
            self._server.send_signal(how)
            self._server.wait(START_SECONDS)
            self._server = None


@contextmanager
def cluster():
    """Durable like any other (fsync is on), on a free port, and gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="hustings-pg-") as name:
        folder, port = Path(name), free_port()
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        options = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        command = [*as_postgres(), binary("initdb"), "-D", str(folder / "data"), *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")
        with (folder / "data" / "postgresql.conf").open("a") as settings:
            settings.write(f"listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = ''\n")
        made = Cluster(folder, port)
        try:
            made.start()
            yield made
        finally:
            made.crash()


@contextmanager
def database():
    """An empty database, dropped afterwards whoever is still connected to it."""
    server, name = server_url(), f"hustings_{uuid4().hex}"
    administer(server, f'create database "{name}"')
    try:
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
    finally:
        administer(server, f'drop database if exists "{name}" with (force)')


@contextmanager
def ready_database():
    """A database that is up to date, the engine's tables included; dropped afterwards."""
    server, name = server_url(), f"hustings_{uuid4().hex}"
    administer(server, f'create database "{name}" template "{_template()}"')
    try:
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
    finally:
        administer(server, f'drop database if exists "{name}" with (force)')


@cache
def _template() -> str:
    """Name of a database that is copied, and to which nobody is connected."""
    stack = ExitStack()
    atexit.register(stack.close)
    url = stack.enter_context(database())
    _upgrade(url)
    return urlsplit(url).path.removeprefix("/")


def ready_sqlite_file(folder: Path, name: str = "hustings.db") -> str:
    """The address of a fresh file that is up to date, the engine's tables included."""
    path = folder / name
    path.touch(0o600, exist_ok=False)
    path.write_bytes(_template_file())
    return f"sqlite:///{path}"


@cache
def _template_file() -> bytes:
    """All of a database: the last connection that is closed merges the log into the file."""
    with tempfile.TemporaryDirectory(prefix="hustings-sqlite-") as name:
        path = Path(name) / "template.sqlite"
        _upgrade(f"sqlite:///{path}")
        assert not path.with_name("template.sqlite-wal").exists()
        return path.read_bytes()


def _upgrade(url: str) -> None:
    from hustings.db.connection import connect  # noqa: PLC0415  those who want an empty database need none of it
    from hustings.db.migrate import upgrade  # noqa: PLC0415
    from hustings.engine.client import engine_tables  # noqa: PLC0415  the engine takes seconds to load

    with closing(connect(url)) as made:
        upgrade(made, engine_tables)


def sqlite_file(folder: Path) -> str:
    """The address of a fresh, empty file with a write-ahead log."""
    path = folder / f"{uuid4().hex}.sqlite"
    made = sqlite3.connect(path)
    made.execute("pragma journal_mode=wal")
    made.close()
    return f"sqlite:///{path}"


@cache
def server_url() -> str:
    """The running server; where none answers, a cluster that lives as long as this process."""
    url = os.environ.get("HUSTINGS_TEST_POSTGRES", RUNNING)
    if answers(url):
        return url
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(cluster()).url


def administer(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
        connection.execute(statement)


def answers(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def binary(name: str) -> str:
    """Of the latest version that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    path = str(found[-1]) if found else shutil.which(name)
    if path is None:
        raise RuntimeError(f"{name} is not installed: the tests on PostgreSQL need its server package")
    return path


def as_postgres() -> list[str]:
    """PostgreSQL refuses to run as root; and it must not outlive a test run that was killed."""
    user = ["--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
    return ["setpriv", *user, "--pdeathsig=QUIT"] if shutil.which("setpriv") else []


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
