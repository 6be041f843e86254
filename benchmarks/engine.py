"""Speed of a run beside the bare engine, in one run: `python -m benchmarks.engine`; JSON on the last line.

The bare engine makes the same HTTP calls by the same client in the same waves, one step a call,
and does nothing else: no ledger, no money, no events, no script.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from dbos import DBOS

from hustings.engine.client import ENGINE
from hustings.engine.service import RunService, open_service
from hustings.engine.worker import Duty, Worker, settle_in
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.http_model import model_of
from hustings.llm.improviser import clock
from hustings.llm.model import LlmRequest
from hustings.llm.model_spec import ModelSpec
from hustings.llm.prices import room_for
from hustings.runs.registry import find_protocol
from hustings.runs.request import DebateRequest, build_spec
from hustings.runs.spec import RunSpec
from hustings.runs.staging import plan, rehearse
from hustings.script.calls import Reply
from hustings.script.prompt import prompt_of
from tests.rig.postgres import database, sqlite_file
from tests.rig.provider import good_answer, serving

PROTOCOLS = ("structured", "moderated")
TOPIC = "Should a five-person startup adopt microservices?"
SCENES: dict[str, Any] = {}


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def models(model_spec: ModelSpec) -> Any:
    return model_of(model_spec, {}, PUBLIC_OR_LOOPBACK)


@DBOS.workflow(name="bare")
async def bare(protocol: str, base_url: str) -> int:
    """The same waves of the same calls, and nothing more."""
    name = str(DBOS.workflow_id)
    model = models(model_spec_at(base_url))
    said = 0
    for n, wave in enumerate(SCENES[protocol]):
        steps = [
            DBOS.run_step_async({"name": f"{n}.{place}"}, ask, model, f"{name}/{key}", request)
            for place, (key, request) in enumerate(wave)
        ]
        said += len(await asyncio.gather(*steps))
    return said


async def ask(model: Any, name: str, request: LlmRequest) -> dict[str, Any]:
    return asdict(await model.answer(LlmRequest(request.prompt, request.max_tokens, name), lambda _: None))


def model_spec_at(base_url: str) -> ModelSpec:
    return ModelSpec(provider="openai_compatible", base_url=base_url, model="m", local=True)


def waves_of(protocol: str) -> list[list[tuple[str, LlmRequest]]]:
    """The calls of a debate as the provider would answer them, wave by wave."""
    debate = plan(find_protocol(protocol), TOPIC, model="openai_compatible/m")
    sent: dict[str, LlmRequest] = {}

    def actor(call: Any) -> Reply:
        prompt = prompt_of(call, debate.cast[call.seat.id])
        sent[call.key] = LlmRequest(prompt, room_for(call, model_spec_at("http://127.0.0.1")))
        return Reply(good_answer(body_of(prompt), f"x/{call.key}", 0), clock(call))

    return [[(call.key, sent[call.key]) for call in wave] for wave in rehearse(debate, actor).waves]


def body_of(prompt: Any) -> dict[str, Any]:
    body: dict[str, Any] = {"messages": [{"role": "user", "content": prompt.text}]}
    if prompt.schema:
        body["response_format"] = {"type": "json_schema", "json_schema": {"schema": dict(prompt.schema)}}
    return body


def spec_for(protocol: str, base_url: str, run_id: str) -> RunSpec:
    return build_spec(
        DebateRequest(protocol=protocol, question=TOPIC, model=f"openai_compatible/m@{base_url}", run_id=run_id), {}
    )


# -- steps a second -------------------------------------------------------------------------


def ratio(url: str, base_url: str, debates: int, rounds: int) -> dict[str, float]:
    """Debates at once by either arm, turn by turn in one worker, so that a busy neighbour hits both."""
    seen: dict[str, list[tuple[float, float]]] = {"bare": [], "ours": []}
    with open_service(url) as service, working(url, debates) as worker:
        for n in range(rounds + 1):
            for arm, enqueue in (("bare", enqueue_bare), ("ours", enqueue_ours)):
                began, cpu = time.perf_counter(), cpu_of(worker.pid)
                names = enqueue(service, base_url, [PROTOCOLS[k % len(PROTOCOLS)] for k in range(debates)], f"{arm}{n}")
                for name in names:
                    service.engine.dbos.retrieve_workflow(name).get_result(polling_interval_sec=0.05)
                took, spent = time.perf_counter() - began, cpu_of(worker.pid) - cpu
                steps = steps_of(service, names)
                if n:  # the first one warms up
                    seen[arm].append((steps / took, 1000 * spent / steps))
                    say(f"  {arm} {steps / took:7.1f} steps/s, {1000 * spent / steps:6.2f} ms CPU a step")
    rate = {arm: statistics.median(rate for rate, _ in rows) for arm, rows in seen.items()}
    cost = {arm: statistics.median(cost for _, cost in rows) for arm, rows in seen.items()}
    return {**rate, "ratio": rate["ours"] / rate["bare"], "ms_bare": cost["bare"], "ms_ours": cost["ours"]}


def enqueue_bare(service: RunService, base_url: str, protocols: list[str], name: str) -> list[str]:
    for n, protocol in enumerate(protocols):
        options = {"queue_name": "bare", "workflow_name": "bare", "workflow_id": f"{name}-{n}", "app_version": ENGINE}
        service.engine.dbos.enqueue(options, protocol, base_url)
    return [f"{name}-{n}" for n in range(len(protocols))]


def enqueue_ours(service: RunService, base_url: str, protocols: list[str], name: str) -> list[str]:
    specs = [spec_for(protocol, base_url, f"{name}-{n}") for n, protocol in enumerate(protocols)]
    service.control.enter(*specs)
    return [spec.run_id for spec in specs]


def steps_of(service: RunService, names: list[str]) -> int:
    """Steps on the engine's own books."""
    table = "dbos.operation_outputs" if service.runs.database.dialect == "postgresql" else "operation_outputs"
    query = sa.text(f"select count(*) from {table} where workflow_uuid in :names")
    with service.runs.database.reading() as db:
        return db.execute(query.bindparams(sa.bindparam("names", names, expanding=True))).scalar_one()


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving_alone(url: str, debates: int) -> Iterator[subprocess.Popen[str]]:
    """The command a person would start, and nothing else in its process."""
    code = "from hustings.main import main; main()"
    options = ["worker", "--database", url, "--concurrency", str(debates), "--calls-at-once", str(debates)]
    worker = subprocess.Popen([sys.executable, "-c", code, *options], stdout=subprocess.DEVNULL, text=True)
    try:
        yield worker
    finally:
        worker.kill()
        worker.wait()


@contextmanager
def working(url: str, debates: int) -> Iterator[subprocess.Popen[str]]:
    """A worker in a process of its own that can do either."""
    command = [sys.executable, "-m", "benchmarks.engine", "--worker", url, str(debates)]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    try:
        worker.stdout.readline()
        yield worker
    finally:
        worker.terminate()
        worker.wait()
        worker.stdout.close()


# -- one debate -----------------------------------------------------------------------------


def wall_ratio(url: str, base_url: str, delay: float) -> dict[str, float]:
    """One debate whose calls take a while each, against the sum of its waves."""
    with open_service(url) as service:
        service.upgrade()
        with Worker(url, models, Duty(takes=False)) as worker:
            for n, protocol in enumerate(("structured", "moderated")):  # the first one warms up
                spec = spec_for(protocol, base_url, f"wall-{n}")
                service.control.enter_here(spec, worker.executor_id)
                begun = time.perf_counter()
                worker.start(spec)
                service.engine.dbos.retrieve_workflow(spec.run_id).get_result(polling_interval_sec=0.01)
                took, waves = time.perf_counter() - begun, service.runs.read(spec.run_id).waves
    return {"seconds": took, "waves": waves, "ratio": took / (waves * delay)}


# -- many at once ---------------------------------------------------------------------------


def crowd(url: str, base_url: str, debates: int) -> dict[str, float]:
    """So many debates at once in one worker: memory and threads at their height."""
    with open_service(url) as service:
        service.upgrade()
        enqueue_ours(service, base_url, ["structured"] * debates, "crowd")
        most, threads, began, at_once = 0.0, 0, time.perf_counter(), 0
        with serving_alone(url, debates) as worker:
            while (tally := service.runs.tally("")).get("ended", 0) < debates:
                memory, count = footsay(worker.pid)
                most, threads = max(most, memory), max(threads, count)
                at_once = max(at_once, tally.get("running", 0))
                time.sleep(0.1)
                assert time.perf_counter() - began < 300, tally
    return {"rss_mb": most, "threads": threads, "at_once": at_once, "seconds": time.perf_counter() - began}


def footsay(pid: int) -> tuple[float, int]:
    try:
        status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        return int(status["VmRSS"].split()[0]) / 1024, int(status["Threads"])
    except (OSError, KeyError):
        return 0.0, 0


def stay(url: str, debates: int) -> None:
    SCENES.update({protocol: waves_of(protocol) for protocol in PROTOCOLS})
    with Worker(url, models, Duty(concurrency=debates, at_once=debates, polling=0.1, drain=0)):
        DBOS.register_queue("bare", worker_concurrency=debates, polling_interval_sec=0.1)
        settle_in()
        say("ready")
        while os.getppid() != 1:
            time.sleep(0.2)


# -- all of it ------------------------------------------------------------------------------


@contextmanager
def fresh(kind: str) -> Iterator[str]:
    if kind == "postgres":
        with database() as url:
            yield url
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield sqlite_file(Path(folder))


def main() -> None:
    cli = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    cli.add_argument("--debates", type=int, default=32)
    cli.add_argument("--rounds", type=int, default=5)
    cli.add_argument("--only", choices=["steps", "wall", "crowd"])
    cli.add_argument("--databases", default="sqlite,postgres")
    cli.add_argument("--worker", nargs=2)
    args = cli.parse_args()
    if args.worker:
        return stay(args.worker[0], int(args.worker[1]))
    figures: dict[str, float] = {}
    for kind in args.databases.split(","):
        with serving() as provider:
            if args.only in (None, "steps"):
                with fresh(kind) as url:
                    found = ratio(url, provider.base_url, args.debates, args.rounds)
                say(f"{kind:9} " + ", ".join(f"{name} {value:.2f}" for name, value in found.items()))
                figures[f"steps_ratio_{kind}"] = round(found["ratio"], 3)
            if args.only in (None, "wall"):
                provider.plan(delay=0.3)
                with fresh(kind) as url:
                    found = wall_ratio(url, provider.base_url, 0.3)
                say(f"{kind:9} wall: {found['seconds']:.2f} s for {found['waves']} waves: {found['ratio']:.3f}")
                figures["wall_ratio"] = round(max(figures.get("wall_ratio", 0), found["ratio"]), 3)
            if args.only in (None, "crowd"):
                provider.plan(delay=2.0)
                with fresh(kind) as url:
                    found = crowd(url, provider.base_url, 500)
                say(f"{kind:9} 500 debates: {found}")
                figures["rss_mb_500"] = round(max(figures.get("rss_mb_500", 0), found["rss_mb"]))
    say(json.dumps(figures))
    return None


if __name__ == "__main__":
    main()
