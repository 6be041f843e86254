"""Many debates while workers are killed and frozen, the database crashes and the provider errs; then the books.

    python -m tests.chaos.storm --database postgres --debates 1000 --workers 3 --kills 50 --db-crashes 5 --seed 7

The seed decides which calls meet which faults and in what order the blows fall, not how threads interleave.
"""

import argparse
import faulthandler
import json
import os
import queue
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from hustings.db.caps import MICRO
from hustings.db.tables import CALL, LEASE, RUN
from hustings.engine.follow_up_worker import FollowUpWorker
from hustings.engine.service import open_service
from hustings.engine.worker import Duty, Worker
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.http_model import model_of
from hustings.llm.improviser import Improviser
from hustings.runs.registry import find_protocol
from hustings.runs.request import DebateRequest, build_spec
from hustings.runs.spec import RunSpec
from hustings.runs.staging import plan, rehearse
from tests.rig import crash_workers
from tests.rig.postgres import Cluster, cluster, sqlite_file
from tests.rig.provider import read_log, serving

from .scene import CrashSetup
from .verdict import DEADLINE, Verdict, judged, watch

TOPIC = "Should towns close their centres to cars?"
MIX = (
    ("structured", {}),
    ("roundtable", {"rounds": 2}),
    ("structured", {}),
    ("adaptive", {"max_rounds": 1}),
    ("roundtable", {"seats": 2, "rounds": 2, "regime": "structured"}),
    ("moderated", {"panelists": 2, "max_exchanges": 1}),
)
TIGHT_EVERY = 20
TIGHT, AMPLE = 14_000, 10_000_000
"""Caps in millionths of a dollar: one lets a debate begin, the other never ends it."""
PRICES = {"LLM_PRICE_INPUT": "1", "LLM_PRICE_OUTPUT": "2"}
MODELS = 12
"""Limits and breakers are kept for each, so that one in trouble stops a part of the debates and not all."""
TTL = 3.0
CONCURRENCY = 12
HANG, DELAY = DEADLINE + 0.5, 0.03
"""Seconds: a call that hangs is given up, and a good answer comes long before."""
STUCK = 120.0
"""Seconds without an event after which a debate that is not over never will be."""
FROZEN = 30.0
"""Seconds in which the others must have taken over from a worker that is frozen."""


@dataclass(frozen=True)
class Weather:
    database: str = "sqlite"
    debates: int = 100
    workers: int = 3
    kills: int = 6
    db_crashes: int = 0
    freezes: int = 0
    rate: float = 0.2
    seed: int = 1


LOCKS = """select pid, pg_blocking_pids(pid), state, now() - state_change, application_name, left(query, 200)
from pg_stat_activity where state = 'idle in transaction' or cardinality(pg_blocking_pids(pid)) > 0"""


# -- the storm -------------------------------------------------------------------------------


def specs(weather: Weather, base_url: str) -> list[RunSpec]:
    """Named by seed and number alone, so that the same calls meet the same faults every time."""
    made = []
    for n in range(weather.debates):
        protocol, settings = MIX[n % len(MIX)]
        budget = (AMPLE if (n + 1) % TIGHT_EVERY else TIGHT) / MICRO
        request = DebateRequest(
            protocol=protocol,
            question=TOPIC,
            settings=settings,
            budget=budget,
            seconds_per_call=DEADLINE,
            on_failure="go-on",
        )
        model_spec = {"LLM_PROVIDER": "openai_compatible", "LLM_BASE_URL": base_url, "LLM_MODEL": f"m{n % MODELS}"}
        named = request.model_copy(update={"run_id": f"s{weather.seed}-{n:04d}"})
        made.append(build_spec(named, {**model_spec, **PRICES}, batch="storm"))
    return made


def expected_calls(debates: int) -> int:
    lengths = [
        sum(map(len, rehearse(plan(find_protocol(name), TOPIC, settings=settings), Improviser(0)).waves))
        for name, settings in MIX
    ]
    return sum(lengths[n % len(MIX)] for n in range(debates))


class Storm:
    def __init__(self, on: CrashSetup, weather: Weather, server: Cluster | None) -> None:
        self.on, self.weather, self.server = on, weather, server
        self.rng = random.Random(weather.seed)
        self.alive: set[int] = set()
        self.done, self.exits = Counter[str](), Counter[int]()
        self.killed: set[int] = set()
        blows = ["kill"] * weather.kills + ["crash"] * weather.db_crashes + ["freeze"] * weather.freezes
        self.rng.shuffle(blows)
        expected = expected_calls(weather.debates)
        due = sorted(self.rng.uniform(0.02, 0.75) * expected for _ in blows)
        self.blows = list(zip(due, blows, strict=True))[::-1]
        self._next_at = 0.0

    def rage(self) -> bool:
        """Until all debates are over; False if some are stuck."""
        seen, moved_at = -1, time.monotonic()
        while self.on.open_runs():
            self.tend()
            self.strike()
            with self.on.service.runs.database.reading() as db:
                events = db.scalar(sa.select(sa.func.sum(RUN.c.events)))
            if events != seen:
                seen, moved_at = events, time.monotonic()
            if time.monotonic() - moved_at > STUCK:
                return False
            time.sleep(0.1)
        return True

    def tend(self) -> None:
        """As many workers as there should be."""
        with suppress(queue.Empty):
            while True:
                pid, code = self.on.pool.ended(0.001)
                self.alive.discard(pid)
                if pid not in self.killed:
                    self.exits[code] += 1
        while len(self.alive) < self.weather.workers:
            self.alive.add(self.on.worker(takes=True, ttl=TTL))

    def strike(self) -> None:
        """The next blow, if it is due by the calls that were served, and the last one is not too near."""
        if not self.blows or time.monotonic() < self._next_at:
            return
        if self.on.provider.ledger()["served"] < self.blows[-1][0]:
            return
        ready = sorted(pid for pid in self.alive if self.on.lease(pid))
        if not ready:
            return
        _, blow = self.blows.pop()
        pid = self.rng.choice(ready)
        say(f"{blow} {pid if blow != 'crash' else ''}")
        match blow:
            case "kill":
                self.kill(pid)
            case "crash":
                self.crash(pid)
            case "freeze":
                self.freeze(pid)
        self.done[blow] += 1
        self._next_at = time.monotonic() + self.rng.uniform(0.2, 1.2)

    def kill(self, pid: int) -> None:
        self.killed.add(pid)
        self.alive.discard(pid)
        signal_to(pid, signal.SIGKILL)

    def crash(self, pid: int) -> None:
        """The database; every other time for longer than a lease, and sometimes a worker dies meanwhile."""
        assert self.server is not None
        self.server.crash()
        if self.rng.random() < 0.3:
            self.kill(pid)
            self.done["kill"] += 1
        time.sleep(self.rng.uniform(TTL + 0.5, TTL + 1.5) if self.done["crash"] % 2 == 0 else self.rng.uniform(0, 1))
        self.server.start()

    def freeze(self, pid: int) -> None:
        """Longer than its lease, until somebody has taken over."""
        until = time.monotonic() + FROZEN
        signal_to(pid, signal.SIGSTOP)
        while self.on.lease(pid) and time.monotonic() < until:
            time.sleep(0.05)
        if self.on.lease(pid):
            self.done["unfenced"] += 1
            self.show_locks()
        signal_to(pid, signal.SIGCONT)

    def show_locks(self) -> None:
        """Who waits for whom in the database."""
        with self.on.service.runs.database.reading() as db:
            for row in db.execute(sa.text(LOCKS)):
                say(str(row))

    def dump(self) -> None:
        """Everything about what is stuck, and the stacks of the workers."""
        schema = "dbos." if self.server else ""
        with self.on.service.runs.database.reading() as db:
            open_ = RUN.c.state.not_in(["ended", "broken"])
            light = [column for column in RUN.c if column.name not in {"spec", "proceedings"}]
            for query in (
                sa.select(*light).where(open_),
                sa.select(CALL).where(CALL.c.state != "answered"),
                sa.select(LEASE),
                sa.text("select * from storm_fence"),
                sa.text(
                    "select workflow_uuid, status, executor_id, recovery_attempts, queue_name, updated_at "
                    f"from {schema}workflow_status where status not in ('SUCCESS')"
                ),
            ):
                for row in db.execute(query).mappings():
                    say(json.dumps(dict(row), default=str))
        for pid in self.alive:
            signal_to(pid, signal.SIGUSR1)
        time.sleep(2)


def work(order: crash_workers.Order) -> None:
    """A worker's life, with fewer debates at a time than a worker usually has; SIGUSR1 shows what it does."""
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    duty = Duty(concurrency=CONCURRENCY, ttl=order.ttl, polling=0.1)
    # As every worker that people start: runs whose rest is over are queued again.
    with (
        Worker(order.url, lambda model_spec: model_of(model_spec, {}, PUBLIC_OR_LOOPBACK), duty),
        open_service(order.url) as service,
        FollowUpWorker(service, {}, lambda made: made),
    ):
        while True:
            signal.pause()


@contextmanager
def pool():
    code = f"from {__spec__.name} import work, crash_workers as pool; pool.work = work; pool.main()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield crash_workers.WorkerPool(process)
        process.stdin.close()


@contextmanager
def database_for(kind: str, folder: Path):
    """An address, and the server behind it if it is one that can crash."""
    if kind == "sqlite":
        yield sqlite_file(folder), None
    else:
        with cluster() as server:
            yield server.url, server


def run(weather: Weather) -> tuple[Verdict, dict[str, object]]:
    rng, begun = random.Random(weather.seed), time.monotonic()
    with tempfile.TemporaryDirectory() as name, database_for(weather.database, Path(name)) as (url, server):
        log = Path(name) / "provider.jsonl"
        plan_ = {"seed": weather.seed, "rate": weather.rate, "delay": DELAY, "hang": HANG}
        with serving(**plan_, log=log) as provider, pool() as workers, open_service(url) as service:
            service.upgrade()
            watch(service.runs.database)
            on = CrashSetup(url, provider, workers, service)
            made = specs(weather, provider.base_url)
            storm, raged = Storm(on, weather, server), time.monotonic()
            storm.tend()
            service.control.enter(*made)
            if not storm.rage():
                storm.dump()
            seconds = time.monotonic() - raged
            verdict = judged(on, read_log(log), rng)
            verdict.unfenced = storm.done["unfenced"]
    about = {
        "debates": weather.debates,
        **verdict.figures(),
        "kills": storm.done["kill"],
        "db_crashes": storm.done["crash"],
        "freezes": storm.done["freeze"],
        "exits": dict(storm.exits),
        "seed": weather.seed,
        "database": weather.database,
        "seconds": round(seconds, 1),
        "seconds_in_all": round(time.monotonic() - begun, 1),
    }
    return verdict, about


def signal_to(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # it may have left by itself
        os.kill(pid, number)


def say(line: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {line}\n")


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--database", choices=["postgres", "sqlite"], default="postgres")
    cli.add_argument("--debates", type=int, default=1000)
    cli.add_argument("--workers", type=int, default=3)
    cli.add_argument("--kills", type=int, default=50)
    cli.add_argument("--db-crashes", type=int, help="5, or none where there is no server")
    cli.add_argument("--freezes", type=int, help="2, or none where a frozen writer holds the file")
    cli.add_argument("--rate", type=float, default=0.2, help="share of calls that meet a fault of the provider")
    cli.add_argument("--seed", type=int, default=random.randrange(10**6))
    given = vars(cli.parse_args())
    server = given["database"] == "postgres"
    if not server and (given["db_crashes"] or given["freezes"]):
        cli.error("a file cannot crash, and a frozen writer keeps it locked: no --db-crashes or --freezes on sqlite")
    usual = {"db_crashes": 5 * server, "freezes": 2 * server}
    weather = Weather(**{name: usual.get(name) if value is None else value for name, value in given.items()})
    sys.stdout.write(f"{weather}\n")
    sys.stdout.flush()
    verdict, figures = run(weather)
    for name, found in vars(verdict).items():
        if found and name in {"lost", "invalid", "unexplained", "overspent", "unsettled", "untold", "miscounted"}:
            say(f"{name}: {found}")
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.exit(verdict.failed)


if __name__ == "__main__":
    main()
