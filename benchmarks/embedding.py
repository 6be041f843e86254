"""Debates inside other programs, tried for real (`make embedding`; the last line is JSON).

Each host in `benchmarks/hosts` holds eight debates at once for two customers, each with a server that refuses other
keys. Then it is stopped while two are under way, and both are resumed.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from hustings import resume
from hustings.db.connection import connect
from hustings.db.tables import RUN
from tests.rig.provider import Provider, serving
from tests.rig.waiting import until

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "hosts"
EACH = 4
"""Debates of each customer, all at once."""
GRACE = 2
"""Seconds that a server gives its requests when it is stopped."""
AT_ONCE = (4, 8, 32, 200)
KEYS = {"a": "key-of-a", "b": "key-of-b"}


@dataclass(frozen=True)
class Host:
    serve: Sequence[str] = ()
    """Command of a server, with {port}; without one the client is the whole program."""
    client: Sequence[str] = ()
    """Command that reads orders and prints results; without one they are posted to the server."""
    stop: int = signal.SIGTERM


GUNICORN = ("gunicorn", "--workers=2", "--threads=8", f"--graceful-timeout={GRACE}", "--bind=127.0.0.1:{port}")
CELERY = ("celery", "--quiet", "--app=benchmarks.hosts.celery_app", "worker", "--pool=prefork", "--concurrency=8")
HOSTS = {
    "FastAPI under uvicorn": Host((
        "uvicorn", "--log-level=warning", "--port={port}", f"--timeout-graceful-shutdown={GRACE}",
        "benchmarks.hosts.fastapi_app:app",
    )),
    "Flask under gunicorn": Host((*GUNICORN, "benchmarks.hosts.flask_app:app")),
    "Flask under gunicorn --preload": Host((*GUNICORN, "--preload", "benchmarks.hosts.flask_app:app")),
    "Celery, prefork": Host(CELERY, ("python", "-m", "benchmarks.hosts.celery_app"), stop=signal.SIGQUIT),
    "multiprocessing, fork": Host(client=("python", "-m", "benchmarks.hosts.pool", "fork")),
    "multiprocessing, spawn": Host(client=("python", "-m", "benchmarks.hosts.pool", "spawn")),
    "DBOS of its own, before": Host(client=("python", "-m", "benchmarks.hosts.beside_dbos", "first")),
    "DBOS of its own, after": Host(client=("python", "-m", "benchmarks.hosts.beside_dbos", "later")),
    "a notebook's loop": Host(client=("python", "-m", "benchmarks.hosts.notebook")),
}  # fmt: skip


def main() -> None:
    chosen = sys.argv[1:] or HOSTS
    environment()
    with serving() as a, serving() as b:
        a.plan(key=KEYS["a"])
        b.plan(key=KEYS["b"])
        hosts = [tried(name, {"a": a, "b": b}) for name in chosen]
    many = [] if sys.argv[1:] else [side_by_side(way, count) for way in ("async", "threads") for count in AT_ONCE]
    right = all(host["right"] for host in hosts) and all(each["played"] == each["at_once"] for each in many)
    sys.stdout.write(json.dumps({"hosts": hosts, "side_by_side": many, "right": right}) + "\n")
    sys.exit(not right)


def environment() -> None:
    """An environment with the hosts and this checkout, and none of what only our tests use but what they import."""
    python = ("--quiet", "--python", str(BUILD / "environment/bin/python"))
    pins = [f"--requirement={ROOT / 'requirements' / name}.txt" for name in ("dev", "hosts")]
    for command in (
        ["venv", "--quiet", "--allow-existing", "--python", sys.executable, str(BUILD / "environment")],
        ["pip", "install", *python, "--require-hashes", *pins],
        ["pip", "install", *python, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)],
    ):
        subprocess.run(["uv", *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def tried(name: str, servers: Mapping[str, Provider]) -> dict[str, Any]:
    host = HOSTS[name]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        own = variables(Path(folder))
        plan(servers, delay=0.1)
        with running(host, own) as (server, url):
            begun = time.monotonic()
            results = answers(host, url, own, orders(servers, EACH))
            took = time.monotonic() - begun
            refused = sum(call.fault == "status401" for each in servers.values() for call in each.calls())
            plan(servers, delay=8.0)
            client = started(host.client, own) if host.client else None
            waiting = pool.submit(answered, client, url, orders(servers, 1))
            until(lambda: all(each.ledger()["open"] for each in servers.values()), 30)
            seconds = ended_after(server or client, host.stop)
            if client and client.poll() is None:
                client.kill()
            waiting.exception(30)
        plan(servers, reset=False, delay=0.0)
        endings = resumed(own, servers)
        again = sum(each.ledger()["billed_again"] for each in servers.values())
    shown = {
        "played": sum(each["ending"] == "played" for each in results),
        "seconds": round(took, 1),
        "refused_keys": refused,
        "ended_after": round(seconds, 1),
        "resumed": endings.count("played"),
        "paid_again": again,
    }
    right = (shown["played"], refused, endings) == (2 * EACH, 0, ["played"] * 2) and seconds < GRACE + 5
    return {"host": name, **shown, "right": right}


def plan(servers: Mapping[str, Provider], *, reset: bool = True, **changes: Any) -> None:
    for server in servers.values():
        if reset:
            server.reset()
        server.plan(**changes)


def orders(servers: Mapping[str, Provider], each: int) -> list[dict[str, str]]:
    return [
        {"question": f"Is it right for {who}, number {number}?", "address": server.base_url, "key": KEYS[who]}
        for who, server in servers.items()
        for number in range(each)
    ]


def variables(folder: Path) -> dict[str, str]:
    for name in ("home", "celery", "celery/results", "celery/data_folder_in", "celery/control_folder"):
        (folder / name).mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LLM_", "HUSTINGS_"))}
    return {
        **kept,
        "PATH": f"{BUILD / 'environment/bin'}:{os.environ['PATH']}",
        "HOME": str(folder / "home"),
        "HUSTINGS_DATABASE": f"sqlite:///{folder / 'debates.db'}",
        "HOST_DATABASE": str(folder / "host.db"),
        "CELERY_FOLDER": str(folder / "celery"),
    }


# -- a host ------------------------------------------------------------------------------------


@contextmanager
def running(host: Host, own: Mapping[str, str]) -> Generator[tuple[subprocess.Popen[str] | None, str]]:
    """The server of a host and its address, if it has one."""
    port = str(free_port())
    url = f"http://127.0.0.1:{port}"
    server = started([part.format(port=port) for part in host.serve], own) if host.serve else None
    try:
        if server and not host.client:
            until(lambda: reached(url), 30)
        yield server, url
    finally:
        if server and server.poll() is None:
            server.kill()
            server.wait()


def started(command: Sequence[str], own: Mapping[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, cwd=ROOT, env=own, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return line.getsockname()[1]


def reached(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except OSError:
        return False


def answers(host: Host, url: str, own: Mapping[str, str], wanted: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    return answered(started(host.client, own) if host.client else None, url, wanted)


def answered(
    client: subprocess.Popen[str] | None, url: str, wanted: Sequence[Mapping[str, str]]
) -> list[dict[str, str]]:
    if client:
        out, _ = client.communicate(json.dumps(wanted), timeout=120)
        return json.loads(out.splitlines()[-1]) if out else []
    with ThreadPoolExecutor(len(wanted)) as pool:
        return list(pool.map(lambda order: posted(f"{url}/debates", order), wanted))


def posted(url: str, order: Mapping[str, str]) -> dict[str, str]:
    request = urllib.request.Request(url, json.dumps(order).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def ended_after(program: subprocess.Popen[str] | None, stop: int) -> float:
    assert program
    begun = time.monotonic()
    program.send_signal(stop)
    try:
        program.wait(30)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
    return time.monotonic() - begun


def resumed(own: Mapping[str, str], servers: Mapping[str, Provider]) -> list[str]:
    """How the debates that were left ended, each resumed with the key of its customer."""
    url = own["HUSTINGS_DATABASE"]
    with connect(url).reading() as db:
        left = db.scalars(sa.select(RUN.c.run_id).where(RUN.c.proceedings.is_(None))).all()
    owners = {run_id: who for who, server in servers.items() for run_id in left if run_id in str(server.calls())}
    return [
        resume(run_id, keys={"LLM_API_KEY": KEYS[who]}, judges=None, database=url).ending.kind
        for run_id, who in owners.items()
    ]


def side_by_side(way: str, count: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.hosts.side_by_side", way, str(count)]
        done = subprocess.run(
            command, cwd=ROOT, env=variables(Path(folder)), stdout=subprocess.PIPE, text=True, check=False, timeout=300
        )
    return json.loads(done.stdout) if done.returncode == 0 else {"way": way, "at_once": count, "played": 0}


if __name__ == "__main__":
    main()
