"""Hours of ordinary work on PostgreSQL: two workers, a server, many viewers, a provider that errs; then the books.

    python -m tests.chaos.soak --minutes 60 --viewers 200

Memory and connections must be flat: their slopes are given with 95 % intervals, from the second fifth of the time on,
and for each quarter of that: a cache that fills up rises ever less, a leak does not.
"""

import argparse
import asyncio
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import httpx2 as httpx
import psycopg

from hustings.db import tokens
from hustings.db.tokens import Access
from hustings.engine.service import open_service
from tests.rig.postgres import cluster
from tests.rig.provider import read_log, serving

from .scene import CrashSetup
from .storm import PRICES, TOPIC, say
from .verdict import DEADLINE, judged, watch

PROTOCOLS = ("structured", "roundtable", "adaptive")
OPEN = 24
"""Debates that are kept under way."""
SAMPLE_SECONDS = 10.0
WARM = 0.2
"""Share of the time that is not measured: everything is still being loaded."""
LAST_MINUTES = 10.0
"""For what is under way when the time is over."""
RATE, DELAY, HANG = 0.1, 0.1, DEADLINE + 0.5


@dataclass
class Watched:
    """What was seen from outside while it went on."""

    begun: float = field(default_factory=time.monotonic)
    memory: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    """MB by process, over hours."""
    connections: list[tuple[float, float]] = field(default_factory=list)
    streams: Counter[str] = field(default_factory=Counter)
    started: list[str] = field(default_factory=list)
    refused: Counter[int] = field(default_factory=Counter)

    @property
    def hours(self) -> float:
        return (time.monotonic() - self.begun) / 3600


def course(points: list[tuple[float, float]]) -> dict[str, object]:
    """The slope of all that is measured, and those of its quarters, each with the half width of its interval."""
    points = points[int(len(points) * WARM) :]
    cuts = [len(points) * n // 4 for n in range(5)]
    quarters = [slope(points[a:b]) for a, b in pairwise(cuts)]
    return {**slope(points), "by_quarter": [(found["an_hour"], found["give_or_take"]) for found in quarters]}


def slope(points: list[tuple[float, float]]) -> dict[str, float]:
    """Least squares, an hour, with the half width of its 95 % interval."""
    if len(points) < 3:
        return {"an_hour": math.nan, "give_or_take": math.nan, "mean": math.nan}
    middle = sum(x for x, _ in points) / len(points)
    mean = sum(y for _, y in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    rise = sum((x - middle) * (y - mean) for x, y in points) / spread
    left = sum((y - mean - rise * (x - middle)) ** 2 for x, y in points) / (len(points) - 2)
    return {
        "an_hour": round(rise, 2),
        "give_or_take": round(1.96 * math.sqrt(left / spread), 2),
        "mean": round(mean, 1),
    }


def rss(pid: int) -> float:
    """Memory of a process in MB."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return math.nan


class Soak:
    def __init__(self, http: httpx.AsyncClient, url: str, pids: dict[str, int], viewers: int, seconds: float) -> None:
        self.http, self.url, self.pids, self.viewers = http, url, pids, viewers
        self.ends = time.monotonic() + seconds
        self.seen = Watched(memory={name: [] for name in pids})
        self.open: list[str] = []

    @property
    def over(self) -> bool:
        return time.monotonic() > self.ends

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.feed())
            tasks.create_task(self.sample())
            for n in range(self.viewers):
                tasks.create_task(self.view(random.Random(n)))

    async def feed(self) -> None:
        """Keep some debates under way."""
        while not self.over:
            answer = await self.http.get("/api/debates", params={"limit": 200, "state": "running"})
            waiting = await self.http.get("/api/debates", params={"limit": 200, "state": "waiting"})
            found = [*answer.json().get("debates", []), *waiting.json().get("debates", [])]
            self.open = [debate["run_id"] for debate in found]
            for _ in range(OPEN - len(self.open)):
                body = {
                    "question": TOPIC,
                    "protocol": PROTOCOLS[len(self.seen.started) % len(PROTOCOLS)],
                    "judges": "none",
                    "seed": len(self.seen.started),
                }
                begun = await self.http.post("/api/debates", json=body)
                if begun.status_code == 202:
                    self.seen.started.append(begun.json()["run_id"])
                    self.open.append(begun.json()["run_id"])
                else:
                    self.seen.refused[begun.status_code] += 1
            await asyncio.sleep(1)

    async def sample(self) -> None:
        with psycopg.connect(self.url, autocommit=True) as db:
            while not self.over:
                at = self.seen.hours
                for name, pid in self.pids.items():
                    self.seen.memory[name].append((at, rss(pid)))
                (connections,) = db.execute(
                    "select count(*) from pg_stat_activity where datname is not null"
                ).fetchone()
                self.seen.connections.append((at, connections))
                await asyncio.sleep(SAMPLE_SECONDS)

    async def view(self, rng: random.Random) -> None:
        """Watch one debate after another; leave some in the middle."""
        while not self.over:
            if not self.open:
                await asyncio.sleep(1)
                continue
            with suppress(httpx.HTTPError, TimeoutError):
                async with asyncio.timeout(rng.uniform(5, 60)):
                    await self.follow(rng.choice(self.open))

    async def follow(self, run_id: str) -> None:
        expected = 0
        async with self.http.stream("GET", f"/api/debates/{run_id}/events") as answer:
            if answer.status_code != 200:
                self.seen.streams[f"status {answer.status_code}"] += 1
                await asyncio.sleep(1)
                return
            self.seen.streams["opened"] += 1
            async for line in answer.aiter_lines():
                if line.startswith("id: "):
                    self.seen.streams["gaps"] += int(line[4:]) != expected
                    expected = int(line[4:]) + 1
                elif line == "event: end":
                    self.seen.streams["to the end"] += 1
                    return


def command(*said: str) -> list[str]:
    return [sys.executable, "-c", "from hustings.main import main; main()", *said]


def run(minutes: float, viewers: int, seed: int) -> dict[str, object]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = stack.enter_context(cluster())
        log = folder / "provider.jsonl"
        provider = stack.enter_context(serving(seed=seed, rate=RATE, delay=DELAY, hang=HANG, log=log))
        service = stack.enter_context(open_service(database.url))
        service.upgrade()
        watch(service.runs.database)
        token = tokens.issue(service.runs.database, Access("ann"))
        env = environment(folder, database.url, provider.base_url)
        server = stack.enter_context(started(env, folder, "serve", "--no-worker", "--port", "0", *FREELY))
        workers = [stack.enter_context(started(env, folder, "worker", "--ttl", "5")) for _ in range(2)]
        address = server.stdout.readline().decode().strip()
        say(f"serving at {address}")
        pids = {"server": server.pid, **{f"worker {n}": worker.pid for n, worker in enumerate(workers)}}
        try:
            soak = asyncio.run(watched(address, token, database.url, pids, viewers, minutes * 60))
        except BaseException:
            say((folder / "serve.log").read_text(encoding="utf-8")[-4000:])
            raise
        say(f"{len(soak.seen.started)} debates; waiting for the last")
        on = CrashSetup(database.url, provider, None, service)
        on.await_ends(60 * LAST_MINUTES)
        verdict = judged(on, read_log(log), random.Random(seed))
        alive = [process.poll() for process in (server, *workers)]
    seen = soak.seen
    return {
        "minutes": minutes,
        "viewers": viewers,
        "debates": len(seen.started),
        **verdict.figures(),
        "ended_early": [code for code in alive if code is not None],
        "streams": dict(seen.streams),
        "refused": dict(seen.refused),
        "memory_mb": {name: course(points) for name, points in seen.memory.items()},
        "connections": course(seen.connections),
        "failed": bool(verdict.failed or seen.streams["gaps"] or any(code is not None for code in alive)),
    }


FREELY = ("--streams", "1000", "--requests-per-second", "1000", "--debates-per-minute", "10000")


def environment(folder: Path, url: str, base_url: str) -> dict[str, str]:
    models = {"LLM_PROVIDER": "openai_compatible", "LLM_BASE_URL": base_url, "LLM_MODEL": "m", **PRICES}
    places = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(folder))
    return {"PATH": os.environ["PATH"], **places, **models, "LLM_TIMEOUT": str(DEADLINE), "HUSTINGS_DATABASE": url}


class started:  # noqa: N801  used as a context
    """A process of ours, stopped by its id."""

    def __init__(self, env: dict[str, str], folder: Path, *said: str) -> None:
        self.env, self.folder, self.said = env, folder, said

    def __enter__(self) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{self.said[0]}.log").open("ab")
        self.process = subprocess.Popen(
            command(*self.said), env=self.env, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL
        )
        log.close()
        return self.process

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


async def watched(address: str, token: str, url: str, pids: dict[str, int], viewers: int, seconds: float) -> Soak:
    limits = httpx.Limits(max_connections=viewers + 20)
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=30, limits=limits) as http:
        soak = Soak(http, url, pids, viewers, seconds)
        await soak.run()
    return soak


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--minutes", type=float, default=60)
    cli.add_argument("--viewers", type=int, default=200)
    cli.add_argument("--seed", type=int, default=7)
    given = cli.parse_args()
    figures = run(given.minutes, given.viewers, given.seed)
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.exit(bool(figures["failed"]))


if __name__ == "__main__":
    main()
