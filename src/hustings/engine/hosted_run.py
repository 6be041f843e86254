"""A hosted run: told again from its ledger as far as there are answers. It needs neither the engine nor a worker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from hustings.db import ledger
from hustings.db.caps import OVER
from hustings.db.rate_limits import Health
from hustings.db.run_rows import HOSTED_BY
from hustings.errors import Unsuitable
from hustings.llm.model import LlmResponse, Model
from hustings.llm.model_spec import ModelSpec
from hustings.runs.call_result import CallResult
from hustings.runs.queries import RunQueries
from hustings.runs.spec import RunSpec
from hustings.script.calls import Call
from hustings.transcript.events import TextStreamed, TurnBegun

from .durable_run import AwaitsHost, Performance, Rests
from .model_call import WorkerContext
from .run_hold import HoldLost, PlainWriter, run_hold
from .throttle import Throttle

Models = Callable[[ModelSpec], Model]
UNPAID = frozenset({"host", "improviser", "librarian"})
"""Providers whose calls cost nothing, so that making one twice does no harm."""


class NoLimits:
    """Limits of a place where no provider is called."""

    async def enter(self, model_spec: ModelSpec, tokens: int) -> float:  # noqa: ARG002
        return 0.0

    async def leave(self, model_spec: ModelSpec, taken: int, response: LlmResponse | None) -> None: ...

    def health(self, model_spec: ModelSpec) -> Health:  # noqa: ARG002
        return Health()


class HostedRun:
    """Use it as a context manager: it is told as far as it is answered, and stands at its open questions."""

    def __init__(self, runs: RunQueries, run_id: str, models: Models | None = None) -> None:
        row = runs.row(run_id)
        self.runs, self.run_id, self.ended = runs, run_id, row["state"] in OVER
        self.spec = must_be_hosted(RunSpec.model_validate_json(row["spec"]))
        self.answers: Mapping[str, str] = {}
        """Key to answer, as far as they are on record."""
        self.rests: Rests | None = None
        self._models, self._open = models or _no_models, ExitStack()
        self._runner: asyncio.Runner
        self._performance: Performance

    def __enter__(self) -> Self:
        self._recall()
        if self.ended:
            return self
        with ExitStack() as stack:
            self._runner = stack.enter_context(asyncio.Runner())
            self._performance = Performance(self._context(stack), self.spec)
            self._play(self._performance.arrive())
            self.go_on()
            self._open = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def go_on(self) -> None:
        """Go on as far as there are answers by now. Seats with a model are called on the way."""
        if self.ended:
            return
        self._recall()
        self._performance.answers = self.answers
        self.rests = None
        try:
            self._play(self._performance.go_on())
            self._play(self._performance.conclude())
            self.ended = True
        except AwaitsHost:
            return
        except Rests as rests:
            self.rests = rests

    def _play(self, part: Coroutine[Any, Any, Any]) -> None:
        try:
            self._runner.run(part)
        except HoldLost:
            raise Unsuitable(
                f"another command goes on with {self.run_id!r}", fix=f"see where it is: hustings next {self.run_id}"
            ) from None

    @property
    def calls(self) -> Sequence[Call]:
        """Questions to the host in the wave that is open now, answered or not."""
        if self.ended or self.rests:
            return ()
        cast = self.spec.debate.cast
        return [call for call in self._performance.driver.calls if cast[call.seat.id].hosted]

    @property
    def questions(self) -> Sequence[Call]:
        """Those without an answer."""
        return [call for call in self.calls if call.key not in self.answers]

    def attempt(self, call: Call) -> int:
        """Which attempt at its question a call is, from 0."""
        begun = (event for event in reversed(self._performance.driver.events) if isinstance(event, TurnBegun))
        return next(event.attempt for event in begun if event.address == call.address)

    def enter(self, call: Call, said: CallResult) -> bool:
        """Record an answer. Return False if there is one already, which stands."""
        record = {"answer": said.dump(), "kind": said.kind, "model": said.model, "answered_at": said.at}
        with self.runs.scoped.writing() as db:
            entered = ledger.enter(db, self.spec.lineage, call.key, record, f"{HOSTED_BY}answer")
        self._recall()
        return entered

    def _recall(self) -> None:
        with self.runs.scoped.reading() as db:
            self.answers = ledger.answers(db, self.spec.lineage)

    def _context(self, stack: ExitStack) -> WorkerContext:
        database, me = self.runs.database, f"{HOSTED_BY}{uuid4().hex[:12]}"
        if all(model_spec.provider in UNPAID for model_spec in self.spec.model_specs.values()):
            return WorkerContext(me, PlainWriter(database), NoLimits(), self._models, _unheard)
        from hustings.llm.egress import hang_up  # noqa: PLC0415  heavy, and few hosted runs call a model

        stack.callback(lambda: self._runner.run(hang_up()))
        writer = stack.enter_context(run_hold(database, self.run_id, me))
        limits = Throttle(database)
        stack.callback(limits.close)
        return WorkerContext(me, writer, limits, self._models, _unheard)


def must_be_hosted(spec: RunSpec) -> RunSpec:
    if not spec.hosted:
        raise Unsuitable(
            f"in {spec.run_id!r} you play no seat", fix="see how it goes: hustings show RUN, or hustings start MOTION"
        )
    return spec


def _no_models(model_spec: ModelSpec) -> Model:
    raise Unsuitable(f"{model_spec.label} cannot be called from here", fix="go on with the command: hustings next RUN")


def _unheard(run_id: str, piece: TextStreamed) -> None:
    """Live text has no listener here."""
