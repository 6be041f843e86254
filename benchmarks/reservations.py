"""Money under pressure: `python -m benchmarks.reservations [--database postgresql]`; the last line is JSON.

Processes reserve from the same budgets at the same time, each until it is turned away; a tenth of what they reserve
is never settled, as if the worker had died. The database itself counts breaches: a constraint that only this proof
adds refuses every state in which more than a cap is spent and held.
"""

import argparse
import json
import random
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import event

from hustings.db.budget import Sum, account, open_budget, reserve, settle
from hustings.db.caps import MICRO, Caps
from hustings.db.connection import connect
from hustings.db.instants import instant
from hustings.db.tables import BUDGET
from hustings.transcript.call_try import CallTry
from tests.db.databases import KINDS, fresh, processes

RESERVATIONS, PROCESSES, THREADS = 100_000, 4, 2
CRASHES = 0.1
TURNED_AWAY = 3
"""In a row; then this budget is taken to be spent, and the next one is opened."""


@dataclass
class Tally:
    """What the reserving side knows, to hold against the books; keyed by budget."""

    counts: Counter[str] = field(default_factory=Counter)
    paid: Counter[str] = field(default_factory=Counter)
    paid_tokens: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    lost_tokens: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)

    def add(self, other):
        for name, counter in vars(other).items():
            getattr(self, name).update(counter)
        return self


def checked_before(db, budget_id, worst):
    """How not to do it: what is left is read, and by the time it is written somebody else has had it."""
    recorder = account(db, budget_id)
    caps, spent, held = recorder.caps, recorder.spent, recorder.held
    money, tokens = spent.money + held.money + worst.money, spent.tokens + held.tokens + worst.tokens
    if money > caps.money or tokens > caps.tokens or recorder.calls + 1 > caps.calls:
        return False
    change = {"held": BUDGET.c.held + worst.money, "held_tokens": BUDGET.c.held_tokens + worst.tokens}
    db.execute(sa.update(BUDGET).where(BUDGET.c.id == budget_id).values(**change, calls=BUDGET.c.calls + 1))
    return True


def caps_of(budget_id):
    """Of money, tokens and calls one runs out first, another one in every budget."""
    chance = random.Random(budget_id)
    caps = {"money": 10**9, "tokens": 10**9, "calls": 10**6}
    name, amount = chance.choice([("money", 500_000), ("tokens", 100_000), ("calls", 150)])
    return Caps(**caps | {name: chance.randint(amount // 2, amount)})


WITHIN = "{0}spent + {0}held <= {0}cap and {0}tokens + {0}held_tokens <= {0}cap_tokens and {0}calls <= {0}cap_calls"
WATCH = {
    "postgresql": f"alter table {BUDGET.name} add constraint within check ({WITHIN.format('')})",
    "sqlite": f"create trigger within before update on {BUDGET.name} when not ({WITHIN.format('new.')}) "
    "begin select raise(abort, 'breach'); end",
}


def call_try(ended, paid, unproven=0):
    known = paid.tokens - unproven
    return CallTry(ended=ended, sent_at=instant(), tokens=known, unproven=unproven, booked=paid.money / MICRO)


def spend(db, seed, wanted, reserving):
    """Reserve and settle until enough was reserved."""
    chance, tally, away, nth = random.Random(seed), Tally(), 0, 0
    while tally.counts["reserved"] < wanted:
        budget_id, worst = f"budget-{nth}", Sum(chance.randint(1, 5_000), chance.randint(1, 1_000))
        try:
            with db.begin():
                granted = reserving(db, budget_id, worst)
        except sa.exc.IntegrityError:
            tally.counts["breaches"] += 1
            granted = False
        tally.counts["reserved" if granted else "refused"] += 1
        if not granted:
            away += 1
            if away == TURNED_AWAY:
                nth, away = nth + 1, 0
                with db.begin():
                    open_budget(db, f"budget-{nth}", caps_of(f"budget-{nth}"))
            continue
        away = 0
        tally.calls[budget_id] += 1
        if chance.random() < CRASHES:
            tally.counts["crashed"] += 1
            tally.lost[budget_id] += worst.money
            tally.lost_tokens[budget_id] += worst.tokens
            continue
        paid = Sum(chance.randint(0, worst.money), chance.randint(0, worst.tokens))
        with db.begin():
            settle(db, budget_id, worst, call_try("ok", paid))
        tally.paid[budget_id] += paid.money
        tally.paid_tokens[budget_id] += paid.tokens
    return tally


def work(url, seed, wanted, reserving):
    """One process: several threads spend at once."""
    database, tallies = connect(url, pool=THREADS), []
    event.listen(database.engine, "connect", _hurry)
    # One statement at a time on PostgreSQL, too: nothing but the statement itself may keep the others off.
    options = {"isolation_level": "AUTOCOMMIT"} if database.dialect == "postgresql" else {}

    def one(nth):
        with database.engine.execution_options(**options).connect() as db:
            tallies.append(spend(db, f"{seed}/{nth}", wanted // THREADS, reserving))

    threads = [threading.Thread(target=one, args=(nth,)) for nth in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    database.close()
    assert len(tallies) == THREADS
    return sum_of(tallies)


def _hurry(connection, _record):
    """Not to wait for the disk changes nothing of who comes before whom."""
    sqlite = isinstance(connection, sqlite3.Connection)
    connection.execute("pragma synchronous = off" if sqlite else "set synchronous_commit = off")
    connection.commit()


def sum_of(tallies):
    total = Tally()
    for tally in tallies:
        total.add(tally)
    return total


def unbalanced(database, tally):
    """Budgets whose books differ from what was paid and lost, before or after the lost holds are settled in full."""
    wrong = 0
    for budget_id in tally.calls:
        lost = Sum(tally.lost[budget_id], tally.lost_tokens[budget_id])
        paid = Sum(tally.paid[budget_id], tally.paid_tokens[budget_id])
        with database.writing() as db:
            before = account(db, budget_id)
            settle(db, budget_id, lost, call_try("lost", lost, unproven=lost.tokens))
            after = account(db, budget_id)
        total = Sum(paid.money + lost.money, paid.tokens + lost.tokens)
        right = (before.spent, before.held, before.calls) == (paid, lost, tally.calls[budget_id])
        wrong += not (right and (after.spent, after.held) == (total, Sum()))
    return wrong


def prove(database, pool, reservations, *, seed=1, reserving=reserve):
    with database.writing() as db:
        db.execute(sa.text(WATCH[database.dialect]))
        open_budget(db, "budget-0", caps_of("budget-0"))
    begun, share = time.monotonic(), reservations // PROCESSES
    jobs = [pool.submit(work, database.url, f"{seed}/{nth}", share, reserving) for nth in range(PROCESSES)]
    tally = sum_of(job.result() for job in jobs)
    seconds = time.monotonic() - begun
    return {
        "reservations": tally.counts["reserved"],
        "breaches": tally.counts["breaches"],
        "unbalanced": unbalanced(database, tally),
        "refused": tally.counts["refused"],
        "crashed": tally.counts["crashed"],
        "budgets": len(tally.calls),
        "processes": PROCESSES,
        "threads": PROCESSES * THREADS,
        "seconds": round(seconds, 1),
        "database": database.dialect,
    }


def main():
    cli = argparse.ArgumentParser(prog="python -m benchmarks.reservations", description=__doc__)
    cli.add_argument("--database", choices=KINDS, default="sqlite")
    cli.add_argument("--reservations", type=int, default=RESERVATIONS)
    cli.add_argument("--seed", type=int, default=1)
    asked = cli.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        fresh(asked.database, Path(folder)) as database,
        processes(PROCESSES) as pool,
    ):
        figures = prove(database, pool, asked.reservations, seed=asked.seed)
    sys.stdout.write(f"{json.dumps(figures)}\n")
    return bool(figures["breaches"] or figures["unbalanced"])


if __name__ == "__main__":
    sys.exit(main())
