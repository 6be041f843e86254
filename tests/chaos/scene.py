"""What the tests of broken machines share: debates, a provider that keeps books, workers to kill, and the verdict."""

import json
import sys
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from hustings.db.caps import Caps
from hustings.db.instants import instant
from hustings.db.tables import BUDGET, CALL, LEASE, RUN
from hustings.engine.service import RunService, open_service
from hustings.lab.from_notes import EvaluatedRun, evaluation_from
from hustings.llm.improviser import Improviser
from hustings.llm.model_spec import ModelSpec, Price
from hustings.runs.registry import audits, find_script
from hustings.runs.request import DebateRequest, laid
from hustings.runs.spec import RunSpec, new_fence
from hustings.runs.staging import START, plan, rehearse
from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.documents import DocumentText, laid_down
from hustings.script.seats import LIBRARIAN, Player
from hustings.script.tools import ToolInput, ToolTerms, ToolUse
from hustings.testing.cases import TOPIC, record_of
from hustings.testing.protocol_suite import least
from hustings.transcript.canonical import canonical
from hustings.transcript.record import fold
from tests.rig import quick_tool_server
from tests.rig.crash_workers import Order, WorkerPool, pool
from tests.rig.postgres import database, sqlite_file
from tests.rig.provider import Provider, serving

PROTOCOLS = ("structured", "moderated", "roundtable", "adaptive", "competition")
AUDITS = {name: (name, "structured", least(audit)) for name, audit in audits().items()}
"""Which script, about a debate under which protocol, with what settings."""
AUDITS["judging"] = "judging", "structured", {"judges": 1, "items_per_sheet": 12}
AUDITS["panel"] = "judging", "roundtable", {"judges": 2, "items_per_sheet": 12}
TALK = "talk"
"""Two seats, two rounds: short, so that it can be killed at every call."""
ONE_JUDGE = {"judges": 1, "families": ["m"], "debaters": ["m"]}
AUDITS["evaluation"] = "evaluation", TALK, ONE_JUDGE | {"seed": "e"}  # by this draw it has all three waves
LOOK_UPS = "look_ups"
"""A structured debate with documents that are looked up, one of them by one side alone."""
TOOLS = "tools"
"""A debate with look-ups, and a tool beside the librarian."""
SCRIPTS = (*PROTOCOLS, LOOK_UPS, TOOLS, *AUDITS)
PASSING = frozenset({"run_id", "created_at", "timestamp", "at", "latency_ms", "integrity"})
"""Fields that differ between two performances of the same debate."""
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class CrashSetup:
    """One database, one provider, and workers at will."""

    url: str
    provider: Provider
    pool: WorkerPool
    service: RunService
    tool_calls: Path = Path("calls-of-no-tool")
    """The books of the tool's server."""
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    def spec(self, script: str, **more) -> RunSpec:
        """A debate or an audit, on record and not yet begun; all of one script go the same way."""
        made = self.drawn(script, **more)
        self.service.control.enter_here(made)
        return made

    def drawn(self, script: str, **more) -> RunSpec:
        """The same, not on record."""
        price = Price(input=1.0, output=2.0)
        model_spec = ModelSpec(
            provider="openai_compatible", base_url=self.provider.base_url, model="m", local=True, price=price
        )
        debate = planned(script, model_spec.label)
        run_id = f"{script}-{next(self._numbers):05d}"
        return RunSpec(
            run_id=run_id,
            lineage=run_id,
            debate=debate,
            model_specs=staff_of(debate) | {seat.id: model_spec for seat in debate.seats},
            created_at=instant(),
            fence=new_fence(),
            caps=Caps(money=100_000_000),
            judged=debate.judged.transcript.run_id if debate.judged else "",
            texts=laid_down(BROUGHT)[1] if debate.documents else {},
            **more,
        )

    def worker(self, spec: RunSpec | None = None, **more) -> int:
        run = spec.model_dump(mode="json") if spec else None
        tools = {"web": [sys.executable, "-I", quick_tool_server.__file__, "honest", str(self.tool_calls)]}
        return self.pool.start(Order(self.url, run=run, tools=tools, **more))

    def successor(self, ttl: float = 1.0, *, attends: bool = False) -> int:
        """A worker that takes what is queued, and what the dead leave behind."""
        pid = self.worker(takes=True, ttl=ttl, attends=attends)
        self.await_lease(pid)
        return pid

    def await_lease(self, pid: int) -> str:
        """The name of a worker by its process, once it has begun to work."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            if name := self.lease(pid):
                return name
            time.sleep(POLL_SECONDS)
        raise TimeoutError(f"worker {pid} did not start")

    def lease(self, pid: int) -> str | None:
        with self.service.runs.database.reading() as db:
            return db.scalar(sa.select(LEASE.c.executor_id).where(LEASE.c.executor_id.like(f"%-{pid}-%")))

    def in_flight(self) -> dict[str, set[str]]:
        """Calls without an answer, by the run that made them."""
        found: dict[str, set[str]] = {}
        with self.service.runs.database.reading() as db:
            for lineage, key in db.execute(sa.select(CALL.c.lineage, CALL.c.key).where(CALL.c.state == "sent")):
                found.setdefault(lineage, set()).add(key)
        return found

    def expire(self, *pids: int) -> None:
        """Have the debates of dead workers handed on now, instead of when their leases run out."""
        theirs = sa.or_(sa.false(), *(LEASE.c.executor_id.like(f"%-{pid}-%") for pid in pids))
        with self.service.runs.database.writing() as db:
            db.execute(sa.delete(LEASE).where(theirs))

    def open_runs(self) -> dict[str, int]:
        """Runs that are not over, and how many waves each has begun."""
        query = sa.select(RUN.c.run_id, RUN.c.waves).where(RUN.c.state.not_in(["ended", "broken"]))
        with self.service.runs.database.reading() as db:
            return {row.run_id: row.waves for row in db.execute(query)}

    def await_ends(self, seconds: float) -> None:
        """Until all are over. On a busy machine that takes a while; what must not be is that nothing moves on."""
        before, until = dict[str, int](), 0.0
        while left := self.open_runs():
            if left != before:
                before, until = left, time.monotonic() + seconds
            if time.monotonic() > until:
                raise TimeoutError(f"{len(left)} debates have not moved on for {seconds} s: {list(left)[:5]}")
            time.sleep(POLL_SECONDS)

    def await_rest(self, seconds: float = 10) -> None:
        """Until the engine has nothing under way either: it closes a run a moment after we do."""
        schema = "dbos." if self.service.runs.database.dialect == "postgresql" else ""
        query = sa.text(f"select count(*) from {schema}workflow_status where status in ('PENDING', 'ENQUEUED')")
        until = time.monotonic() + seconds
        while self._count(query):
            if time.monotonic() > until:
                raise TimeoutError("the engine has not come to rest")
            time.sleep(POLL_SECONDS)

    def _count(self, query) -> int:
        with self.service.runs.database.reading() as db:
            return db.scalar(query)

    def undisturbed(self, script: str) -> RunSpec:
        """A run from its beginning to its end; needs a worker that takes from the queue."""
        made = self.spec(script)
        self.service.control.enqueue(made.run_id)
        self.await_ends(60)
        return made

    def served(self) -> dict[str, Counter[str]]:
        """How often the provider handed out a good answer or the tool was called, by run and call."""
        found: dict[str, Counter[str]] = {}
        for line in self.tool_calls.read_text(encoding="utf-8").splitlines() if self.tool_calls.exists() else ():
            lineage, _, key = line.removeprefix("search ").partition("/")
            found.setdefault(lineage, Counter())[key] += 1
        for call in self.provider.calls():
            if call.good and call.delivered:
                lineage, _, key = call.key.partition("/")
                found.setdefault(lineage, Counter())[key] += 1
        return found

    def answered(self, run_id: str) -> list[str]:
        """Keys of all calls of a run that have an answer, the librarian's too."""
        with self.service.runs.database.reading() as db:
            return [*db.scalars(sa.select(CALL.c.key).where(CALL.c.lineage == run_id))]

    def twice(self) -> dict[str, set[str]]:
        """Calls that were served more than once, by run."""
        again = {run: {key for key, n in keys.items() if n > 1} for run, keys in self.served().items()}
        return {run: keys for run, keys in again.items() if keys}

    def essence(self, run_id: str) -> object:
        """What two performances of one debate have in common; of an audit, also what it came to."""
        proceedings = self.service.runs.proceedings(run_id)
        assert proceedings is not None, self.service.runs.read(run_id)
        return essence_of(proceedings), without_passing(self.judgement(run_id)), self.artefact(run_id)

    def artefact(self, run_id: str) -> bytes | None:
        """Every byte of an evaluation's file, under one name and time for all; None for other runs."""
        spec, proceedings = self.service.runs.spec(run_id), self.service.runs.proceedings(run_id)
        if spec.debate.protocol != "evaluation":
            return None
        return canonical(evaluation_from(EvaluatedRun(spec.debate, proceedings, "evaluation", START)).document())

    def judgement(self, run_id: str) -> object:
        with self.service.runs.database.reading() as db:
            return json.loads(db.scalar(sa.select(RUN.c.judgement).where(RUN.c.run_id == run_id)) or "null")

    def faults_of(self, run_id: str) -> list[str]:
        """What is wrong with a run that is over, apart from its words."""
        events, proceedings = self.service.runs.events(run_id), self.service.runs.proceedings(run_id)
        if proceedings is None:
            return [f"{run_id} has no proceedings: {self.service.runs.read(run_id)}"]
        told, judging = fold(events), proceedings.transcript.debate_metadata.task_type == "judging"
        with self.service.runs.database.reading() as db:
            stands = db.execute(sa.select(BUDGET).where(BUDGET.c.id == f"run:{run_id}")).one()
        wrong = {
            "its log has gaps": [event.seq for event in events] != list(range(len(events))),
            "its log tells another transcript": told.transcript.document() != proceedings.transcript.document(),
            "its log tells other notes": tuple(told.notes) != proceedings.notes,
            "its log tells another end": told.ending != proceedings.ending,
            "it has come to no judgement": judging and not self.judgement(run_id),
            "money is still held": stands.held != 0 or stands.held_tokens != 0,
        }
        return [f"{run_id}: {what}" for what, so in wrong.items() if so]


@contextmanager
def scene(url: str, *, by_way_of: str = "", **provider):
    """Ready to work; nothing of it is left afterwards. Workers may have another way to the database than we do."""
    with serving(**provider) as served, pool() as workers, open_service(url) as service, TemporaryDirectory() as folder:
        service.upgrade()
        yield CrashSetup(by_way_of or url, served, workers, service, Path(folder) / "calls")


BROUGHT = (
    DocumentText(title="Counts", text="Of 900 shops 210 lost customers.\n\n" + "The town counted them twice. " * 90),
    DocumentText(title="Memo", text="The mayor has not yet agreed to close the market street.", seats=("con",)),
)


SEARCH = ToolUse(
    name="search",
    inputs=(
        ToolInput(name="query", kind="text"),
        ToolInput(name="kind", kind="choice", choices=("news", "archive"), required=False),
        ToolInput(name="most", kind="whole number", required=False),
    ),
)
WEB = ToolTerms(name="web", about="Finds facts", uses=(SEARCH,), seats=("pro", "con"), calls=1, characters=400)


def staff_of(debate: DebateSpec) -> dict[str, ModelSpec]:
    price = Price(input=0, output=5_000)
    tools = {t.seat_id: ModelSpec(provider="tool", model=t.name, local=True, price=price) for t in debate.tools}
    own = {LIBRARIAN.id: ModelSpec(provider=LIBRARIAN.id, model=LIBRARIAN.id, local=True)}
    return {seat.id: (own | tools)[seat.id] for seat in debate.staff}


def planned(script: str, model: str) -> DebateSpec:
    if script == LOOK_UPS:
        debate, (documents, _) = planned("structured", model), laid_down(BROUGHT)
        change = {"documents": documents.model_copy(update={"look_ups": 3})}
        return debate.model_copy(update={**change, "cast": {**debate.cast, LIBRARIAN.id: Player(model=LIBRARIAN.id)}})
    if script in ROUNDTABLES:
        debate = laid(ROUNDTABLES[script])
        return debate.model_copy(update={"cast": {seat: replace(p, model=model) for seat, p in debate.cast.items()}})
    if script == TOOLS:
        debate = planned(LOOK_UPS, model)
        cast = {**debate.cast, WEB.seat_id: Player(model="tool/web")}
        return debate.model_copy(update={"tools": (WEB,), "cast": cast})
    if script in PROTOCOLS:
        return plan(find_script(script), "Should towns close their centres to cars?", model=model)
    name, about, settings = AUDITS[script]
    return plan(find_script(name), TOPIC, settings=settings, model=model, judged=recorded(about))


ROUNDTABLES = {
    TALK: DebateRequest(protocol="roundtable", topic=TOPIC, settings={"seats": 2, "rounds": 2}),
}


@cache
def recorded(about: str) -> Proceedings:
    return rehearse(laid(ROUNDTABLES[about]), Improviser()).proceedings if about in ROUNDTABLES else record_of(about)


def essence_of(proceedings: Proceedings) -> object:
    return without_passing(proceedings.model_dump(mode="json"))


def without_passing(value: object) -> object:
    match value:
        case dict():
            return {name: without_passing(item) for name, item in value.items() if name not in PASSING}
        case list():
            return [without_passing(item) for item in value]
        case _:
            return value


@contextmanager
def database_of(kind: str, folder: Path):
    """The address of an empty database."""
    if kind == "sqlite":
        yield sqlite_file(folder)
    else:
        with database() as url:
            yield url
