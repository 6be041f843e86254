"""Own brain by real commands, killed before every statement: `python -m benchmarks.hosting`; the last line is JSON.

A scripted host plays each protocol and its judging with the improviser's words. CPU is that of a command beyond its
imports. Debates that were killed are compared with the same debate that was not: what is lost, what is there twice.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import sqlalchemy as sa

from hustings.db.connection import connect
from hustings.db.tables import CALL
from hustings.db.tables import RUN as RUNS
from hustings.runs.queries import open_runs
from hustings.runs.registry import protocols
from tests.chaos.scene import database_of
from tests.rig.provider import Provider, serving
from tests.rig.scripted_host import RUN, TOPIC, Host, entered, forked, remains

POINTS = 400
"""More statements than any command makes."""
MOST_SECONDS = 0.3
WITHIN_A_CALL = -1


def played(url: str, protocol: str) -> dict[str, Any]:
    """One protocol, played and judged without a kill."""
    forked(lambda: entered(url, protocol))
    host = Host(url)
    debate, judging = host.play_and_judge()
    found = what_remains(url)
    return {
        "questions": debate,
        "judging": judging,
        "outcome": found["outcome"]["outcome"]["kind"],
        "broken_rules": len(found["broken_rules"]),
        "failed": len(host.failed),
        "slowest": {name: round(max(seconds), 3) for name, seconds in host.in_debate.items()},
        "median": {name: round(median(seconds), 3) for name, seconds in host.in_debate.items()},
        "slowest_with_judging": {name: round(max(seconds), 3) for name, seconds in host.cpu.items()},
    }


def what_remains(url: str) -> dict[str, Any]:
    return json.loads(forked(lambda: sys.stdout.write(json.dumps(remains(url))))[1])


def killed(kind: str, every: int) -> dict[str, Any]:
    """`structured`, judged; each command is killed before every statement in turn, and typed again."""
    with database_of(kind, Path.cwd()) as whole, database_of(kind, Path.cwd()) as broken:
        for url in (whole, broken):
            forked(lambda url=url: entered(url, "structured"))
        Host(whole).play_and_judge()
        host = Host(broken, range(1, POINTS, every))
        host.play_and_judge()
        expected, found = what_remains(whole), what_remains(broken)
        starts = killed_starts(broken, every)
    answers, kept = (Counter(key for keys in one["answers"].values() for key in keys) for one in (expected, found))
    said, told = (Counter(map(tuple, one["said"])) for one in (expected, found))
    return {
        "commands": host.commands,
        "kills": host.killed,
        "lost": (answers - kept).total() + (said - told).total(),
        "doubled": (kept - answers).total() + (told - said).total(),
        "same_log": expected["logs"] == found["logs"] and found["numbered"],
        "same_verdict": expected["outcome"] == found["outcome"],
        "broken_rules": len(found["broken_rules"]),
        "failed": len(host.failed),
        **starts,
    }


def killed_starts(url: str, every: int) -> dict[str, int]:
    """`start` killed at every point: a debate that is on record goes on, and one that is not has left nothing."""
    host = Host(url, range(1, POINTS, every))
    host.typed("start", TOPIC)
    with connect(url).reading() as db:
        runs = list(db.scalars(sa.select(RUNS.c.run_id).where(RUNS.c.judged == "", RUNS.c.run_id != RUN)))
    stuck = [run for run in runs if host.once("next", run)[0]]
    return {"starts_killed": host.killed, "starts_on_record": len(runs), "starts_stuck": len(stuck)}


def priced(provider: Provider) -> str:
    """A model of the provider that costs money, for the seat of ada."""
    named = {"PROVIDER": "openai_compatible", "MODEL": "mixed", "BASE_URL": provider.base_url}
    costs = {"PRICE_INPUT": "1", "PRICE_OUTPUT": "2"}
    os.environ |= {f"ADA_LLM_{name}": value for name, value in {**named, **costs}.items()}
    return f"openai_compatible/mixed@{provider.base_url}"


def paid(provider: Provider, every: int) -> dict[str, Any]:
    """One seat has a priced model: no answer that is on record is asked for again, however often it was killed."""
    model = priced(provider)
    with database_of("sqlite", Path.cwd()) as url:
        forked(lambda: entered(url, "roundtable", seats={"ada": model}, budget=1.0))
        host = Host(url, range(1, POINTS, every))
        host.play(RUN)
        with connect(url).reading() as db:
            rows = db.execute(sa.select(CALL).where(CALL.c.budget_id != "")).all()
    return {"kills": host.killed, **_heard(provider, rows)}


def _heard(provider: Provider, rows: Sequence[Any]) -> dict[str, int]:
    """Only a call that was in flight at a kill may be asked for again."""
    heard = Counter(call.key.removeprefix(f"{RUN}/") for call in provider.calls())
    again = sum(max(0, heard[row.key] - 1 - row.deaths) for row in rows)
    return {"calls": len(rows), "in_flight": sum(row.deaths for row in rows), "paid_again": again}


@dataclass
class CutOffHost(Host):
    """Each command that calls the paid model is killed once while the provider is answering, and typed again."""

    provider: Provider = field(kw_only=True)

    def typed(self, *arguments: str) -> dict[str, Any]:
        code, told = self.once(*arguments, kill_before=WITHIN_A_CALL)
        if code == -signal.SIGKILL:
            self.killed += 1
            code, told = self.once(*arguments)
        return self._counted(code, told, arguments)

    def _command(self, arguments: tuple[str, ...], kill_before: int) -> None:
        if kill_before == WITHIN_A_CALL:
            before = len(self.provider.calls())
            threading.Thread(target=self._kill, args=(before,), daemon=True).start()
        super()._command(arguments, max(kill_before, 0))

    def _kill(self, before: int) -> None:
        while len(self.provider.calls()) == before:
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGKILL)


def cut_off(provider: Provider) -> dict[str, Any]:
    """A seat with a priced model, and a kill within each of its calls."""
    model = priced(provider)
    with database_of("sqlite", Path.cwd()) as url:
        forked(lambda: entered(url, "roundtable", seats={"ada": model}, budget=1.0))
        host = CutOffHost(url, provider=provider)
        host.play(RUN)
        with connect(url).reading() as db:
            rows = db.execute(sa.select(CALL).where(CALL.c.budget_id != "")).all()
        with open_runs(url) as runs:
            turns = Counter(turn.turn_id for turn in runs.finished(RUN).transcript.turns)
            report = runs.read(RUN)
    return {
        "kills": host.killed,
        **_heard(provider, rows),
        "turns": len(turns),
        "doubled": turns.total() - len(turns),
        "failed": len(host.failed),
        "spent": report.spent,
    }


@contextmanager
def quiet_folder() -> Generator[None]:
    """Settings and data of the person who measures stay out of it."""
    with tempfile.TemporaryDirectory() as folder:
        places = {f"XDG_{kind}_HOME": str(Path(folder) / kind) for kind in ("CONFIG", "DATA", "STATE")}
        os.environ |= {"HOME": folder, **places}
        os.chdir(folder)
        yield


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--protocols", nargs="*", default=sorted(protocols()))
    parser.add_argument("--databases", nargs="*", default=["sqlite", "postgres"])
    parser.add_argument("--every", type=int, default=1, help="kill before every n-th statement")
    parser.add_argument("--paid-every", type=int, default=9, help="the same for the debate with a paid model; 0: none")
    given = parser.parse_args()
    found: dict[str, Any] = {"protocols": {}, "killed": {}, "paid": {}, "cut_off": {}}
    with quiet_folder():
        for protocol in given.protocols:
            with database_of("sqlite", Path.cwd()) as url:
                found["protocols"][protocol] = played(url, protocol)
                tell(protocol, found["protocols"][protocol])
        for kind in given.databases:
            found["killed"][kind] = killed(kind, given.every)
            tell(kind, found["killed"][kind])
        if given.paid_every:
            with serving() as provider:
                found["paid"] = paid(provider, given.paid_every)
                tell("paid", found["paid"])
            with serving(delay=1.0) as provider:
                found["cut_off"] = cut_off(provider)
                tell("cut off", found["cut_off"])
    slow = found["protocols"].get("competition", {}).get("slowest", {})
    fast = all(seconds < MOST_SECONDS for seconds in slow.values())
    sys.stdout.write(json.dumps({**found, "ok": is_sound(found), "fast": fast}) + "\n")
    sys.exit(not is_sound(found))


def is_sound(found: dict[str, Any]) -> bool:
    debates, broken = found["protocols"].values(), found["killed"].values()
    whole = all(not one["broken_rules"] + one["failed"] for one in (*debates, *broken))
    kept = all(not one["lost"] + one["doubled"] + one["starts_stuck"] for one in broken)
    same = all(one["same_log"] and one["same_verdict"] for one in broken)
    once = all(not found[name].get("paid_again", 0) + found[name].get("doubled", 0) for name in ("paid", "cut_off"))
    return whole and kept and same and once


def tell(what: str, found: object) -> None:
    sys.stderr.write(f"{what} {found}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
