"""Workers to be killed: forked from a process that has everything imported and no thread, so that one costs little.

python -m tests.rig.crash_workers     one order a line in; `{"pid": …}` for each, and `{"ended": pid, "code": …}` later
"""

import asyncio
import ctypes
import gc
import itertools
import json
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import alembic.command  # noqa: F401  a worker needs these when it starts
import psycopg  # noqa: F401
import sqlalchemy as sa

from hustings.engine import durable_run, runner
from hustings.engine import worker as engine
from hustings.engine.follow_up_worker import FollowUpWorker
from hustings.engine.service import open_service
from hustings.engine.what_follows import WhatFollows
from hustings.llm import http_model, pydantic_ai_adapter
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.model_spec import ModelSpec
from hustings.llm.tool_server import McpTool, ToolServer
from hustings.runs.follow_ups import FOLLOW_UPS, left_of
from hustings.runs.registry import protocols
from hustings.runs.spec import RunSpec

POINTS = ("begun", "sent", "called", "recorded")
"""Of a call: it is about to be made, it is on record as sent, its answer has come, is on record."""
WRITING = "writing"
"""In the transaction that puts the answer of a call on record."""
KILLED = -signal.SIGKILL
PARENT_DIES = 1
AT_A_TIME = 4
"""Runs that are resumed at the same time."""


@dataclass(frozen=True)
class Order:
    """A worker to be had."""

    url: str
    ttl: float = 600.0
    takes: bool = False
    """From the queue and from the dead; a worker that does not carries out its own run alone."""
    run: dict[str, Any] | None = None
    """A commission, already entered."""
    point: str = ""
    """Where it meets the signal, and at which address; empty: nowhere."""
    address: str = ""
    signal: int = signal.SIGKILL
    tools: dict[str, list[str]] = field(default_factory=dict)
    """Commands of tools by name; each may be asked to search."""
    follow_ups: str = ""
    """What follows its run, as JSON: then the run is not on record yet, and it sees to all, as a command does."""
    commit: int = 0
    """It dies before this commit of what it sees to, the first of which enters the run."""
    resumed: list[str] = field(default_factory=list)
    """Runs to finish, as commands do that resume them; then it ends."""
    attends: bool = False
    """Starts the follow-ups of runs that nobody else sees to."""


class WorkerPool:
    """Its user's side. Every worker ends with it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._pids: queue.Queue[int] = queue.Queue()
        self._ends: queue.Queue[tuple[int, int]] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def start(self, order: Order) -> int:
        """The process id of a new worker, which is still getting ready."""
        self._process.stdin.write(json.dumps(asdict(order)) + "\n")
        self._process.stdin.flush()
        return self._pids.get(timeout=60)

    def ended(self, seconds: float) -> tuple[int, int]:
        """The next worker that is gone, and its exit code: minus the signal, if one killed it."""
        return self._ends.get(timeout=seconds)

    def _listen(self) -> None:
        for line in self._process.stdout:
            match json.loads(line):
                case {"pid": pid}:
                    self._pids.put(pid)
                case {"ended": pid, "code": code}:
                    self._ends.put((pid, code))


@contextmanager
def pool():
    command = [sys.executable, "-m", __name__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield WorkerPool(process)
        finally:
            process.stdin.close()  # before its words are closed, which a reader blocked on them would never let happen


# -- inside the pool -----------------------------------------------------------------------


def main() -> None:
    warm_up()
    waiting, children = b"", set[int]()
    while True:
        if select.select([0], [], [], 0.01)[0]:
            data = os.read(0, 65536)
            if not data:
                break
            *lines, waiting = (waiting + data).split(b"\n")
            for line in lines:
                pid = spawn(Order(**json.loads(line)))
                children.add(pid)
                say(pid=pid)
        for pid in [*children]:
            gone, status = os.waitpid(pid, os.WNOHANG)
            if gone:
                children.remove(pid)
                say(ended=pid, code=os.waitstatus_to_exitcode(status))
    for pid in children:
        os.kill(pid, signal.SIGCONT)
        os.kill(pid, signal.SIGKILL)


def say(**words: int) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def warm_up() -> None:
    """All that a worker builds on first use, and no thread: it would not survive the fork."""

    async def line() -> None:
        model_spec = ModelSpec(provider="openai_compatible", base_url="http://127.0.0.1:9/v1", model="m", local=True)
        http_model.model_of(model_spec, {}, PUBLIC_OR_LOOPBACK)._line(pydantic_ai_adapter.connection_to)

    protocols()
    asyncio.run(line())
    http_model._model.cache_clear()
    gc.freeze()
    assert threading.active_count() == 1


def spawn(order: Order) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        ctypes.CDLL(None).prctl(PARENT_DIES, signal.SIGKILL)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(2, 1)
        work(order)
        code = 0
    except SystemExit:
        code = 0
    except BaseException:  # noqa: BLE001  a child must never go on as its parent
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def work(order: Order) -> None:
    """A worker's life: until it is killed, or told to stop."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    duty = engine.Duty(takes=order.takes, ttl=order.ttl, polling=0.1)

    def model(model_spec):
        if model_spec.provider != "tool":
            return http_model.model_of(model_spec, {}, PUBLIC_OR_LOOPBACK)
        server = ToolServer(model_spec.model, ("search",), tuple(order.tools[model_spec.model]))
        return McpTool(server, PUBLIC_OR_LOOPBACK)

    with engine.Worker(order.url, model, duty) as worker:
        if order.point:
            mine(worker, order)
        if order.follow_ups or order.resumed:
            return see_to(worker, order)
        if order.run:
            worker.start(order.run["run_id"])
        with attending(order):
            while True:
                signal.pause()


@contextmanager
def attending(order: Order):
    with open_service(order.url) as service, ExitStack() as stack:
        if order.attends:
            stack.enter_context(FollowUpWorker(service, {}, as_it_is, grace=1.0))
        yield


def see_to(worker, order: Order) -> None:
    """What commands do that begin a debate or resume one: execute it, and whatever follows it."""
    with open_service(order.url) as service, ThreadPoolExecutor(AT_A_TIME) as threads:

        def finish(first, follow_ups):
            what_follows = WhatFollows(service, {}, as_it_is, worker.executor_id)
            act = what_follows.begin(first, follow_ups)
            while act:
                runner.Runner(service, lambda _: None).run(act, lambda: worker)
                act = what_follows.after(act, follow_ups)

        if order.commit:
            count_down(order.commit, worker.database, service.runs.database)
        if order.follow_ups:
            finish(RunSpec.model_validate(order.run), FOLLOW_UPS.validate_json(order.follow_ups))
        left = [found for run_id in order.resumed if (found := left_of(service.runs, run_id))]
        for done in [threads.submit(finish, *each) for each in left]:
            done.result()


def count_down(commits: int, *databases) -> None:
    """Die before a commit."""
    still = itertools.count(1 - commits)

    def committing(_):
        if not next(still):
            signal.pthread_kill(threading.get_ident(), signal.SIGKILL)

    for database in databases:
        sa.event.listen(database.engine, "commit", committing)


def as_it_is(made):
    return made


def mine(worker, order: Order) -> None:
    """Lay the mine: all the points that a call passes, from the outside in."""

    def reach(point, key):
        if point == order.point and key.rpartition(" #")[0] == order.address:
            signal.pthread_kill(threading.get_ident(), order.signal)  # this thread goes not one step further

    @sa.event.listens_for(worker.database.engine, "after_cursor_execute")
    def executed(_connection, _cursor, statement, parameters, *_):
        if "answered_at=" in statement:
            reach(WRITING, parameters["this_key"] if isinstance(parameters, dict) else parameters[-1])

    class Watched:
        def __init__(self, model):
            self.model = model

        async def answer(self, request, on_text):
            key = request.name.partition("/")[2]
            reach("sent", key)
            response = await self.model.answer(request, on_text)
            reach("called", key)
            return response

    carry_out = durable_run.carry_out

    async def watched(context, spec, call):
        reach("begun", call.key)
        result = await carry_out(context, spec, call)
        reach("recorded", call.key)
        return result

    models = worker.context.models
    worker.context = replace(worker.context, models=lambda model_spec: Watched(models(model_spec)))
    durable_run.carry_out = watched


if __name__ == "__main__":
    main()
