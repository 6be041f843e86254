"""A worker that is at work, a service before it, and a provider behind it: what every test of the durable run needs."""

from contextlib import ExitStack, contextmanager
from itertools import count
from uuid import uuid4

import sqlalchemy as sa

from hustings.db.budget import account
from hustings.db.caps import Caps
from hustings.db.instants import instant
from hustings.db.tables import CALL
from hustings.engine.client import is_queued
from hustings.engine.follow_up_worker import FollowUpWorker
from hustings.engine.service import open_service
from hustings.engine.worker import Duty, Worker
from hustings.errors import NotFound
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.http_model import model_of
from hustings.llm.model_spec import ModelSpec, Price
from hustings.llm.tool_server import McpTool
from hustings.runs.protocol_files import find_or_load
from hustings.runs.request import cast_with
from hustings.runs.spec import RunSpec, new_fence
from hustings.runs.staging import plan
from hustings.transcript.record import fold
from hustings.transcript.rules import check_document
from tests.rig.postgres import ready_database, ready_sqlite_file
from tests.rig.waiting import until

IMPROVISER = ModelSpec(provider="improviser", model="improviser", local=True)
HUMAN = ModelSpec(provider="human", model="human", local=True)
PRICE = Price(input=1.0, output=2.0)
KEY = "X_LLM_API_KEY"
TOPIC = "Should towns close their centres to cars?"
DUTY = Duty(concurrency=100, ttl=3.0, polling=0.15, drain=1)


class EngineRig:
    def __init__(self, url, service, provider):
        self.url, self.service, self.provider = url, service, provider
        self.runs, self.control, self.budgets = service.runs, service.control, service.budgets
        self.database = service.runs.database
        self.environment = {}
        self.tools = {}
        """Servers of tools by name."""
        self.mishap = ""
        """A fault that every voice meets, whatever it was told."""
        self._numbers, self._at_work = count(1), ExitStack()

    # -- the worker ------------------------------------------------------------------------

    def open(self, duty=DUTY):
        self.worker = self._at_work.enter_context(Worker(self.url, self._model, duty))

    def close(self):
        self._at_work.close()

    def tidy(self):
        self.environment.clear()
        self.tools.clear()
        self.mishap = ""
        self.provider.plan(rate=0.0, delay=0.0, patience=3, faults=["ok"])
        self.provider.reset()

    def _model(self, model_spec):
        if model_spec.provider == "tool":
            if model_spec.model not in self.tools:
                raise NotFound(f"no tool {model_spec.model!r}")
            return McpTool(self.tools[model_spec.model], PUBLIC_OR_LOOPBACK)
        if self.mishap:
            model_spec = model_spec.model_copy(update={"base_url": self.provider.always(self.mishap)})
        return model_of(model_spec, self.environment, PUBLIC_OR_LOOPBACK)

    # -- debates ---------------------------------------------------------------------------

    def model_spec(self, fault="", **more):
        """The provider's, priced, and an endpoint of its own; `fault` is what it always meets."""
        base_url = self.provider.always(fault) if fault else self.provider.base_url
        usual = {"provider": "openai_compatible", "model": f"m-{next(self._numbers)}", "local": True, "price": PRICE}
        return ModelSpec(**{**usual, **more}, base_url=base_url)

    def drawn(self, model_spec=IMPROVISER, protocol="structured", *, seats=None, settings=None, **more):
        """Drawn up, and not on record; `seats` says who sits where instead."""
        debate = plan(find_or_load(protocol), TOPIC, settings=settings)
        model_specs = {seat.id: model_spec for seat in debate.seats} | (seats or {})
        run_id = f"run-{next(self._numbers)}-{uuid4().hex[:6]}"
        return RunSpec(
            **{
                "run_id": run_id,
                "lineage": run_id,
                "debate": cast_with(debate, model_specs),
                "model_specs": {seat: each for seat, each in model_specs.items() if each.provider != "human"},
                "created_at": instant(),
                "fence": new_fence(),
                **more,
            }
        )

    def spec(self, *given, follow_ups=None, **more):
        """On record, and not yet begun."""
        made = self.drawn(*given, **more)
        self.control.enter_here(made, follow_ups=follow_ups)
        return made

    def start(self, *given, **more):
        made = self.spec(*given, **more)
        self.worker.start(made.run_id)
        return made.run_id

    def play(self, *given, seconds=30, **more):
        """A debate from its beginning to its end."""
        return self.ended(self.start(*given, **more), seconds)

    def ended(self, run_id, seconds=30):
        self.until(lambda: self.runs.read(run_id).state in {"ended", "broken"}, seconds)
        return Seen(self, run_id)

    def until(self, so, seconds=20):
        until(so, seconds)

    def seen(self, run_id):
        return Seen(self, run_id)

    def wait_for(self, run_id, kind, seconds=20):
        self.until(lambda: kind in self.seen(run_id).kinds, seconds)

    def is_queued(self, run_id):
        with self.database.reading() as db:
            return is_queued(db, run_id)

    @contextmanager
    def waking(self):
        """Runs whose rest is over go on, as with every worker that people start."""
        with FollowUpWorker(self.service, {}, lambda made: made, grace=1e9):
            yield


class Seen:
    """What is on record of a run."""

    def __init__(self, rig, run_id):
        self.rig, self.run_id, self.runs = rig, run_id, rig.runs

    @property
    def report(self):
        return self.runs.read(self.run_id)

    @property
    def events(self):
        return self.runs.events(self.run_id)

    @property
    def kinds(self):
        return [event.kind for event in self.events]

    def of(self, kind):
        return [event for event in self.events if event.kind == kind]

    @property
    def proceedings(self):
        found = self.runs.proceedings(self.run_id)
        assert found is not None, self.report
        return found

    @property
    def ending(self):
        return self.proceedings.ending

    @property
    def said(self):
        return [turn.said for turn in self.proceedings.transcript.turns if turn.said]

    @property
    def findings(self):
        """What the validator has against the transcript."""
        return [found for found in check_document(self.proceedings.document()) if found.severity == "error"]

    @property
    def account(self):
        with self.rig.database.reading() as db:
            return account(db, f"run:{self.run_id}")

    @property
    def told(self):
        """The record, folded from the log."""
        return fold(self.events)

    @property
    def rows(self):
        with self.rig.database.reading() as db:
            return list(db.execute(sa.select(CALL).where(CALL.c.lineage == self.run_id)))

    @property
    def asked(self):
        """What the provider heard of it, by the names of the calls."""
        mine = f"{self.run_id}/"
        return [call.key.removeprefix(mine) for call in self.rig.provider.calls() if call.key.startswith(mine)]


@contextmanager
def open_rig(kind, folder, provider, *, works=True):
    with ExitStack() as stack:
        url = ready_sqlite_file(folder) if kind == "sqlite" else stack.enter_context(ready_database())
        service = stack.enter_context(open_service(url))
        service.upgrade()
        rig = EngineRig(url, service, provider)
        if works:
            rig.open()
        stack.callback(rig.close)
        yield rig


__all__ = ["HUMAN", "IMPROVISER", "KEY", "PRICE", "Caps", "EngineRig", "open_rig"]
