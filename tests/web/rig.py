"""A server of our own on a real socket, in this process, with or without a worker behind it."""

import json
import ssl
import threading
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial

import httpx2 as httpx
import uvicorn

from hustings.config.prepare import affordable
from hustings.db import tokens
from hustings.db.tokens import Access
from hustings.engine.follow_up_worker import FollowUpWorker
from hustings.engine.service import open_service
from hustings.engine.worker import Duty, Worker
from hustings.lab.routes import ROUTES
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.environment import Environment
from hustings.llm.http_model import model_of
from hustings.llm.local_servers import find
from hustings.mcp.over_http import mcp_app
from hustings.web.app import BUNDLE, config_of, create_app, port_at
from hustings.web.limits import Limits
from hustings.web.server_state import ServerConfig, ServerState
from tests.rig.postgres import ready_database, ready_sqlite_file
from tests.rig.waiting import until

MOTION = "Should towns close their centres to cars?"
DUTY = Duty(concurrency=60, ttl=3.0, polling=0.15, drain=1)
FREELY = Limits(requests_per_second=100_000, debates_per_minute=100_000, streams=10_000)
"""Tests call from one address, faster than any person."""
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients that call over plain HTTP: each would load all certificates of this machine."""
NOBODY = partial(Environment, {}, {})
"""Settings and keys of whoever runs the tests are none of their business."""
NAMED_ALONE = partial(find, ports=())
"""Servers that the environment names; on the usual ports another test may have its own."""


@dataclass
class Site:
    """A server and who calls it."""

    url: str
    state: ServerState
    http: httpx.Client
    callers: ExitStack

    def caller(self, owner, role="owner", run_id="", seat=""):
        """A client with a token of that owner."""
        return self.with_token(tokens.issue(self.state.database, Access(owner, role, run_id, seat)))

    def with_token(self, token):
        headers = {"Authorization": f"Bearer {token}"}
        return self.callers.enter_context(httpx.Client(base_url=self.url, headers=headers, timeout=30, verify=PLAIN))

    def begin(self, http=None, **asked):
        answer = (http or self.http).post("/api/debates", json={"motion": MOTION, "judges": "none", **asked})
        assert answer.status_code == 202, answer.text
        return answer.json()["run_id"]

    def ended(self, run_id, http=None, *, follows=0, seconds=30):
        def over():
            state = (http or self.http).get(f"/api/debates/{run_id}").json()
            told = [state["report"], *state["follows"]]
            return len(told) > follows and all(report["state"] in {"ended", "broken"} for report in told)

        until(over, seconds)
        return run_id

    def play(self, http=None, *, follows=0, **asked):
        return self.ended(self.begin(http, **asked), http, follows=follows)

    def events(self, run_id, after=None, http=None):
        """All messages of a stream until it ends: number, and event."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        with (http or self.http).stream("GET", f"/api/debates/{run_id}/events", headers=headers) as answer:
            return list(messages(answer.iter_lines()))


def messages(lines):
    """(id, event) as they come; the end is (None, "end")."""
    frame = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            frame[name] = value
        elif frame.get("event") == "end":
            yield None, "end"
            return
        else:
            if "data" in frame:
                yield int(frame["id"]) if "id" in frame else None, json.loads(frame["data"])
            frame = {}


@contextmanager
def served(url, *, works=False, bundle=BUNDLE, **said):
    """The server of a database, answering."""
    with ExitStack() as stack:
        worker = Worker(url, lambda model_spec: model_of(model_spec, {}, PUBLIC_OR_LOOPBACK), DUTY) if works else None
        more = {"bus": worker.bus, "worker": worker.executor_id} if worker else {}
        state = stack.enter_context(
            ServerState(ServerConfig(url, **{"look": NOBODY, "find": NAMED_ALONE, "limits": FREELY, **said}), **more)
        )
        if worker:
            known = state.known
            stack.enter_context(worker)
            service = stack.enter_context(open_service(url))
            stack.enter_context(FollowUpWorker(service, known, lambda act: affordable(act, known)))
        line = port_at("127.0.0.1", 0)
        stack.enter_context(listening(create_app(state, [ROUTES], bundle, mcp_app(state)), state.feed, line))
        base = f"http://127.0.0.1:{line.getsockname()[1]}"
        http = stack.enter_context(httpx.Client(base_url=base, timeout=30, verify=PLAIN))
        yield Site(base, state, http, stack)


@contextmanager
def listening(app, feed, line):
    server = uvicorn.Server(config_of(app))
    thread = threading.Thread(target=server.run, args=([line],), daemon=True)
    thread.start()
    until(lambda: server.started)
    try:
        yield
    finally:
        feed.close()
        server.should_exit = True
        thread.join(10)


@contextmanager
def fresh(kind, folder):
    """The address of a database that is up to date, without a debate."""
    if kind == "sqlite":
        yield ready_sqlite_file(folder)
    else:
        with ready_database() as url:
            yield url
