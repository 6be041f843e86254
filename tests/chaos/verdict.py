"""What the books say after a storm: the provider's own log against ours, call by call and cent by cent."""

import json
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa

from hustings.db.caps import MICRO
from hustings.db.connection import Database
from hustings.db.tables import BUDGET, CALL, RUN
from hustings.llm.model import Usage
from hustings.llm.prices import price
from hustings.runs.spec import RunSpec
from hustings.script.debate import Proceedings
from hustings.transcript.rules import check_document
from tests.rig.log_sums import faults_of_log
from tests.rig.provider import ReceivedCall

from .scene import CrashSetup

DEADLINE = 3.0
"""Seconds after which a caller gives a call up."""
SAMPLE = 50
"""So many runs have their events read."""
Fences = Mapping[str, set[str]]
"""By worker: the calls that were in flight when its lease was taken away."""
Tried = Mapping[str, Sequence[str]]
"""By call: how each of its tries ended, by our own record."""


def served(calls: Iterable[ReceivedCall]) -> Counter[str]:
    """How often a whole, good answer to a call was handed out."""
    return Counter(call.key for call in calls if call.good and call.delivered)


def unexplained(calls: Iterable[ReceivedCall], fences: Fences) -> dict[str, int]:
    """Answers served again beyond the takeovers that found that very call in flight."""
    over = {key: n - 1 - sum(key in fence for fence in fences.values()) for key, n in served(calls).items()}
    return {key: n for key, n in over.items() if n > 0}


def late(calls: Iterable[ReceivedCall], tried: Tried) -> Counter[str]:
    """How often a good answer was given up by us, as our own record says.

    A caller too busy to read a whole answer within its deadline asks again, and notes a failed try. If more tries of a
    call failed by our books than were answered badly by the provider's, the rest were good answers that came too late.
    A try that was lost with its worker is not counted here: its takeover explains it.
    """
    bad = Counter(call.key for call in calls if not (call.good and call.delivered))
    found = Counter[str]()
    for key, kinds in tried.items():
        lost = kinds.count("lost")
        failed = len(kinds) - 1 - lost
        found[key] = failed - max(0, bad[key] - lost)
    return +found


def charged(calls: Iterable[ReceivedCall], prices: Mapping[str, int]) -> Counter[str]:
    """What each run owes by the provider's books: every request that ran, by the price of one such request.

    Requests of one name are alike to the byte, and so are their good answers, so one known price is
    the price of all. A call that never got an answer counts like the dearest one of its run.
    """
    dearest = Counter[str]()
    for key, amount in prices.items():
        run = key.partition("/")[0]
        dearest[run] = max(dearest[run], amount)
    owed = Counter[str]()
    for call in calls:
        if call.billed:
            run = call.key.partition("/")[0]
            owed[run] += prices.get(call.key, dearest[run])
    return owed


def overspent(owed: Mapping[str, int], spent: Mapping[str, int], caps: Mapping[str, int]) -> list[str]:
    """Runs that owe more than is booked for them, or for which more is booked than they may spend."""
    return [run for run, cap in caps.items() if not owed.get(run, 0) <= spent[run] <= cap]


@dataclass
class Verdict:
    lost: list[str] = field(default_factory=list)
    stuck: int = 0
    invalid: list[str] = field(default_factory=list)
    duplicates: int = 0
    bound: int = 0
    late: int = 0
    """Of those again: answers that a caller on a busy machine gave up, with a failed try on record."""
    unexplained: dict[str, int] = field(default_factory=dict)
    overspent: list[str] = field(default_factory=list)
    unsettled: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    """Logs of events with gaps, or that tell another debate than the transcript does."""
    miscounted: list[str] = field(default_factory=list)
    """Logs with other known tokens than the ledger."""
    unfenced: int = 0
    """Workers that were frozen for long, and nobody took over."""
    endings: Counter[str] = field(default_factory=Counter)

    @property
    def failed(self) -> bool:
        money = self.unexplained, self.overspent, self.unsettled, self.miscounted
        return bool(self.stuck or self.unfenced or any((self.lost, self.invalid, self.untold, *money)))

    def figures(self) -> dict[str, object]:
        return {name: len(value) if isinstance(value, list) else value for name, value in vars(self).items()} | {
            "unexplained": sum(self.unexplained.values())
        }


def judged(on: CrashSetup, calls: Sequence[ReceivedCall], rng: random.Random) -> Verdict:
    verdict, fences = Verdict(), fences_of(on.service.runs.database)
    with on.service.runs.database.reading() as db:
        rows = db.execute(sa.select(RUN.c.run_id, RUN.c.state, RUN.c.proceedings)).all()
        stands = {row.id.removeprefix("run:"): row for row in db.execute(sa.select(BUDGET))}
    for row in rows:
        if row.state != "ended" or row.proceedings is None:
            verdict.lost.append(row.run_id)
            verdict.stuck += row.state != "broken"
            continue
        proceedings = Proceedings.model_validate_json(row.proceedings)
        ending = proceedings.ending
        verdict.endings[f"{ending.kind} {ending.code}" if ending.kind == "failed" else ending.kind] += 1
        found = check_document(proceedings.transcript.document())
        verdict.invalid += [f"{row.run_id}: {f}" for f in found if f.severity == "error"][:1]
    ended = sorted({row.run_id for row in rows} - set(verdict.lost))
    for run_id in rng.sample(ended, min(SAMPLE, len(ended))):
        verdict.untold += on.faults_of(run_id)
    verdict.miscounted = [fault for run_id in ended for fault in faults_of_log(on.service.runs, run_id, requests=False)]
    answers = served(calls)
    verdict.duplicates = answers.total() - len(answers)
    verdict.bound = sum(map(len, fences.values()))
    odd = unexplained(calls, fences)
    slow = late(calls, tried_of(on.service.runs.database))
    verdict.unexplained = {key: n - slow[key] for key, n in odd.items() if n > slow[key]}
    verdict.late = sum(odd.values()) - sum(verdict.unexplained.values())
    verdict.unsettled = [run for run, it in stands.items() if (it.held, it.held_tokens) != (0, 0)]
    spent, caps = {run: it.spent for run, it in stands.items()}, {run: it.cap for run, it in stands.items()}
    verdict.overspent = overspent(charged(calls, prices_of(on.service.runs.database)), spent, caps)
    return verdict


def prices_of(database: Database) -> dict[str, int]:
    """By call, what one request costs: by the tokens of its answer where it has one, else the worst."""
    with database.reading() as db:
        model_spec = next(iter(RunSpec.model_validate_json(db.scalar(sa.select(RUN.c.spec))).model_specs.values()))
        found = {}
        for row in db.execute(sa.select(CALL).where(CALL.c.state == "answered")):
            answer = json.loads(row.answer)
            known = price(model_spec, Usage(input=answer["tokens_in"], output=answer["tokens_out"]))
            found[f"{row.lineage}/{row.key}"] = round(answer["tries"][-1]["booked"] * MICRO) if known is None else known
    return found


def tried_of(database: Database) -> dict[str, list[str]]:
    with database.reading() as db:
        again = (CALL.c.tries > 1, CALL.c.state == "answered")
        rows = db.execute(sa.select(CALL.c.lineage, CALL.c.key, CALL.c.answer).where(*again)).all()
    return {f"{row.lineage}/{row.key}": [each["ended"] for each in json.loads(row.answer)["tries"]] for row in rows}


# -- calls in flight, exactly ----------------------------------------------------------------

WATCH = {
    "sqlite": (
        "create table storm_fence (executor_id text, name text)",
        """create trigger storm_watch after delete on hustings_lease begin
             insert into storm_fence select old.executor_id, lineage || '/' || key from hustings_call
             where state = 'sent' and executor_id = old.executor_id; end""",
    ),
    "postgresql": (
        "create table storm_fence (executor_id text, name text)",
        """create function storm_note() returns trigger language plpgsql as $$ begin
             insert into storm_fence select old.executor_id, lineage || '/' || key from hustings_call
             where state = 'sent' and executor_id = old.executor_id; return old; end $$""",
        "create trigger storm_watch after delete on hustings_lease for each row execute function storm_note()",
    ),
}
"""The database itself notes what a worker has in flight in the very transaction that fences it out.

Nothing that the worker does later can count, and a dead one has changed nothing since its death.
"""


def watch(database: Database) -> None:
    with database.writing() as db:
        for statement in WATCH[database.dialect]:
            db.exec_driver_sql(statement)


def fences_of(database: Database) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    with database.reading() as db:
        for executor_id, name in db.execute(sa.text("select executor_id, name from storm_fence")):
            found.setdefault(executor_id, set()).add(name)
    return found
