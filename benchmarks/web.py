"""How late events reach those who watch: 200 viewers of one debate, and 50 debates at the same time.

The server is a real one, with its worker, and its models take a while to answer. An event's time is that of its
writing: a trigger in the database notes it. A viewer's time is that of the bytes. JSON on the last line.

    python -m benchmarks.web --debates 50 --viewers 200 --delay 4
"""

import argparse
import asyncio
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from urllib.parse import urlsplit

import httpx2 as httpx
import psycopg

from hustings.engine.service import open_service
from tests.cli.console import ENTRY
from tests.rig.postgres import database, sqlite_file
from tests.rig.provider import serving

MOTION = "Should towns close their centres to cars?"
SQLITE = """
create table bench_clock (run_id text, seq integer, at real);
create trigger bench_tick after insert on hustings_event begin
  insert into bench_clock values (new.run_id, new.seq, (julianday('now') - 2440587.5) * 86400.0);
end;
"""
POSTGRES = """
create table bench_clock (run_id text, seq bigint, at double precision);
create function bench_tick() returns trigger language plpgsql as $$ begin
  insert into bench_clock values (new.run_id, new.seq, extract(epoch from clock_timestamp()));
  return new;
end $$;
create trigger bench_tick after insert on hustings_event for each row execute function bench_tick();
"""
_NUMBER = re.compile(rb"^id: (\d+)$", re.MULTILINE)


def prepare(url: str) -> None:
    with open_service(url) as service:
        service.upgrade()
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as db:
            db.executescript(SQLITE)
    else:
        with psycopg.connect(url, autocommit=True) as db:
            db.execute(POSTGRES)


def written(url: str) -> dict[tuple[str, int], float]:
    query = "select run_id, seq, at from bench_clock"
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as db:
            rows = db.execute(query).fetchall()
    else:
        with psycopg.connect(url) as db:
            rows = db.execute(query).fetchall()
    return {(run, seq): at for run, seq, at in rows}


@contextmanager
def server(url: str, model: str, folder: Path):
    """Its address and its process id."""
    places = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CONFIG", "DATA", "STATE")}
    command = [sys.executable, "-c", ENTRY, "serve", "--port", "0", "--database", url, "--allow", model]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=folder, env={**os.environ, **places}
    ) as process:
        try:
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


async def watch(address: str, run_id: str, seen: list[tuple[str, int, float]], until: float) -> None:
    """One viewer: a bare socket, so that two hundred of them cost little."""
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=2**24)
    writer.write(f"GET /api/debates/{run_id}/events HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
    rest = b""
    try:
        while (left := until - time.time()) > 0:
            piece = await asyncio.wait_for(reader.read(2**18), left)
            if not piece or b"event: end" in piece:
                break
            whole, _, rest = (rest + piece).rpartition(b"\n")
            at = time.time()
            seen += [(run_id, int(number), at) for number in _NUMBER.findall(whole)]
    except TimeoutError:
        pass
    finally:
        writer.close()


async def crowd(address: str, runs: list[str], viewers: int, seconds: float) -> list[tuple[str, int, float]]:
    seen: list[tuple[str, int, float]] = []
    until = time.time() + seconds
    await asyncio.gather(
        *(watch(address, runs[0], seen, until) for _ in range(viewers)),
        *(watch(address, run, seen, until) for run in runs[1:]),
    )
    return seen


def memory(pid: int) -> dict[str, int]:
    """Resident now and at most, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = {key: int(re.search(rf"{key}:\s+(\d+) kB", status)[1]) // 1024 for key in ("VmRSS", "VmHWM")}
    return {"rss_mb": found["VmRSS"], "peak_mb": found["VmHWM"]}


def processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(url: str, args: argparse.Namespace, folder: Path) -> dict[str, float]:
    prepare(url)
    with serving(delay=args.delay) as provider:
        model = f"openai_compatible/bench@{provider.base_url}"
        with server(url, model, folder) as (address, pid), httpx.Client(base_url=address, timeout=120) as http:
            bare = memory(pid)["rss_mb"]
            body = {"question": MOTION, "protocol": args.protocol, "model": model, "judges": "none"}
            runs = [http.post("/api/debates", json=body).json()["run_id"] for _ in range(args.debates)]
            begun, worked = time.time(), processor(pid)
            joined = time.time()
            seen = asyncio.run(crowd(address, runs, args.viewers, args.seconds))
            busy = (processor(pid) - worked) / (time.time() - begun)
            figures = memory(pid)
    at = written(url)
    # What was written before somebody came is a replay, and no delay.
    delays = sorted(came - at[run, seq] for run, seq, came in seen if at[run, seq] > joined + args.settle)
    one = sorted(
        came - at[run, seq] for run, seq, came in seen if run == runs[0] and at[run, seq] > joined + args.settle
    )
    return {
        **_spread(delays),
        "p95_ms_of_the_crowd": _spread(one)["p95_ms"],
        "deliveries": len(delays),
        "events": len({(run, seq) for run, seq, _ in seen}),
        "viewers": args.viewers + args.debates - 1,
        "processors": round(busy, 2),
        "bare_mb": bare,
        **figures,
    }


def _spread(delays: list[float]) -> dict[str, float]:
    cut = quantiles(delays, n=100)
    return {f"p{n}_ms": round(1000 * cut[n - 1]) for n in (50, 95, 99)} | {"most_ms": round(1000 * delays[-1])}


def main() -> None:
    cli = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    cli.add_argument("--debates", type=int, default=50)
    cli.add_argument("--viewers", type=int, default=200)
    cli.add_argument("--delay", type=float, default=4.0, help="seconds that a model takes")
    cli.add_argument("--seconds", type=float, default=60.0)
    cli.add_argument("--settle", type=float, default=5.0, help="seconds until all viewers are there")
    cli.add_argument("--protocol", default="competition")
    cli.add_argument("--databases", default="sqlite,postgres")
    args = cli.parse_args()
    figures: dict[str, dict[str, float]] = {}
    for kind in args.databases.split(","):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if kind == "sqlite":
                figures[kind] = measure(sqlite_file(folder), args, folder)
            else:
                with database() as url:
                    figures[kind] = measure(url, args, folder)
        sys.stdout.write(f"{kind:9} {figures[kind]}\n")
    sys.stdout.write(f"{json.dumps(figures)}\n")


if __name__ == "__main__":
    main()
