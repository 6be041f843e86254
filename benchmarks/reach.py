"""Ways in for other programs, and what operators see of them: `make proof NAME=reach`; the last line is JSON.

`--steps` chooses some of them, `--runs` how many debates are compared with the ledger.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import httpx2
from mcp import StdioServerParameters
from mcp.client import Client

from hustings.mcp.shapes import tools
from hustings.runs.queries import RunQueries
from hustings.runs.registry import protocols
from hustings.transcript.rules import check_document
from tests.mcp.rig import MOTION, ScriptedHost, command, environment, over, over_http, over_pipe, told
from tests.mcp.test_many_hosts import killed_while_waiting
from tests.rig.postgres import sqlite_file
from tests.rig.provider import serving
from tests.web.command import serving as process_serving
from tests.web.rig import Site, fresh, served

from .observed import hidden_secrets, logs_and_metrics

T = TypeVar("T")

ROUNDS = 5
HOSTS = 20
QUESTIONS, CUTS = 10, 10
BARE = """
from mcp.server import MCPServer
server = MCPServer("bare")
@server.tool()
def add(one: int, other: int) -> int:
    return one + other
server.run()
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", nargs="*", default=list(STEPS), choices=list(STEPS))
    parser.add_argument("--runs", type=int, default=1000, help="debates whose logs and metrics are compared")
    given = parser.parse_args()
    figures: dict[str, Any] = {}
    for name in given.steps:
        with tempfile.TemporaryDirectory() as folder:
            found = STEPS[name](Path(folder), given.runs)
        sys.stderr.write(f"{name} {found}\n")
        figures |= found
    print(json.dumps(figures))  # noqa: T201  the figures are the point
    sys.exit(not figures.get("by_commands", {"ok": True})["ok"])


def list_of_tools() -> dict[str, Any]:
    listed = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools()]
    shown = [{name: value for name, value in tool.items() if name != "outputSchema"} for tool in listed]
    characters = len(json.dumps(shown))
    return {
        "tools": len(listed),
        "characters": len(json.dumps(listed)),
        "without_answers": characters,
        "tokens_at_4_characters": characters // 4,
    }


def listing(folder: Path) -> dict[str, Any]:
    """Seconds from the start of a server to its list of tools, by turns with a server that has nothing else to do."""
    ours = command(folder, sqlite_file(folder))
    bare = StdioServerParameters(command=sys.executable, args=["-c", BARE], env=environment(folder), cwd=str(folder))
    took: dict[str, list[float]] = {"ours": [], "bare": []}
    for params in (ours, bare):  # the first start of either compiles its modules
        asyncio.run(_listed(params))
    for _ in range(ROUNDS):
        for name, params in (("ours", ours), ("bare", bare)):
            took[name].append(asyncio.run(_listed(params)))
    seconds = {name: median(times) for name, times in took.items()}
    return {
        "listed_seconds": round(seconds["ours"], 2),
        "bare_seconds": round(seconds["bare"], 2),
        "listed_ratio": round(seconds["ours"] / seconds["bare"], 2),
        "database_opened": any(folder.glob("*.db")),
    }


async def _listed(params: StdioServerParameters) -> float:
    begun = time.perf_counter()
    async with Client(params) as client:
        await client.list_tools()
        return time.perf_counter() - begun


def longest_wait(folder: Path) -> dict[str, Any]:
    """Seconds of the longest wait that is allowed, for a debate that no worker takes."""

    async def wait(site: Site) -> float:
        async with over_http(site.url) as client:
            run_id = (await told(client, "debate_start", question=MOTION, model="improviser"))["run_id"]
            begun = time.perf_counter()
            await told(client, "debate_wait", run_id=run_id, seconds=45)
            return time.perf_counter() - begun

    with fresh("sqlite", folder) as url, served(url) as site:
        return {"longest_wait_seconds": round(asyncio.run(wait(site)), 1)}


def hosts(folder: Path) -> dict[str, Any]:
    async def one(site: Site, number: int) -> tuple[str, str]:
        async with over_http(site.url) as client:
            asked = {"question": f"{MOTION} Number {number}.", "model": "improviser"}
            run_id = (await told(client, "debate_start", **asked))["run_id"]
            return run_id, (await over(client, run_id))["state"]

    async def all_of_them(site: Site) -> list[tuple[str, str]]:
        return await asyncio.gather(*(one(site, number) for number in range(HOSTS)))

    with fresh("sqlite", folder) as url, served(url, works=True) as site:
        begun = time.perf_counter()
        found = asyncio.run(all_of_them(site))
    return {
        "hosts": HOSTS,
        "hosts_debates": len({run_id for run_id, _ in found}),
        "hosts_states": dict(Counter(state for _, state in found)),
        "hosts_seconds": round(time.perf_counter() - begun, 1),
    }


def kill(folder: Path) -> dict[str, Any]:
    """A server that is killed while a host waits, and started again."""
    url = sqlite_file(folder)

    async def come_back(run_id: str) -> dict[str, Any]:
        async with over_pipe(folder, url) as client:
            return await over(client, run_id)

    with serving(delay=0.3) as provider:
        model = f"openai_compatible/m@{provider.base_url}"
        run_id, killed = asyncio.run(killed_while_waiting(folder, url, model))
        ended = asyncio.run(come_back(run_id))
        calls = provider.calls()
    before = {call.key for call in calls if call.ended and call.ended < killed - 1}
    again = {key for key, count in Counter(call.key for call in calls).items() if count > 1}
    return {
        "killed_same_debate": ended["run_id"] == run_id,
        "killed_state": ended["state"],
        "killed_calls": len(calls),
        "killed_answers_paid_twice": len(again & before),
    }


def broken_lines(folder: Path) -> dict[str, Any]:
    """Requests that are cut at random moments and sent again: debates, and those that should not be there."""
    rng = random.Random(21)

    def cut(site: Site, words: str, *, stream: bool) -> None:
        body = {"model": "hustings/structured", "messages": [{"role": "user", "content": words}], "stream": stream}
        patience = httpx2.Timeout(5, read=rng.uniform(0.01, 0.5))
        try:
            with site.http.stream("POST", "/v1/chat/completions", json=body, timeout=patience) as answer:
                for _ in zip(range(rng.randrange(12)), answer.iter_lines(), strict=False):
                    pass
        except httpx2.TimeoutException:
            return

    with fresh("sqlite", folder) as url, served(url, works=True, openai=True) as site:
        for number in range(QUESTIONS):
            for line in range(CUTS):
                cut(site, f"Is metal number {number} good?", stream=line % 2 == 0)
        held = len([run for run in RunQueries(site.state.database).latest(most=1000) if not run.judged])
    return {"lines_broken": QUESTIONS * CUTS, "second_debates": held - QUESTIONS}


# -- own brain ---------------------------------------------------------------------------------


def own_brain(folder: Path) -> dict[str, Any]:
    """Every protocol played and judged by calls of tools alone, and its record checked by every rule."""
    with fresh("sqlite", folder) as url, served(url) as site:
        found = {name: asyncio.run(_played(site, name)) for name in sorted(protocols())}
    return {"own_brain": found, "slowest_tool_seconds": max(one["slowest"] for one in found.values())}


async def _played(site: Site, protocol: str) -> dict[str, Any]:
    runs = site.state.operator.runs
    async with over_http(site.url) as client:
        host = TimedHost(runs, client)
        started = await host.call("debate_start", question=MOTION, brain="you", model="scripted", protocol=protocol)
        asked, judged = await host.play_and_judge(started["run_id"])
        ended = await host.call("debate_wait", run_id=started["run_id"], seconds=0)
    broken = [found.code for found in check_document(runs.finished(started["run_id"]).document())]
    return {
        "questions": asked,
        "judging": judged,
        "outcome": ended["outcome"],
        "broken_rules": len(broken),
        "slowest": round(host.slowest, 1),
    }


class TimedHost(ScriptedHost):
    slowest = 0.0

    async def call(self, tool: str, **arguments: Any) -> Any:
        begun = time.perf_counter()
        try:
            return await super().call(tool, **arguments)
        finally:
            self.slowest = max(self.slowest, time.perf_counter() - begun)


# -- by commands -------------------------------------------------------------------------------


def by_commands() -> dict[str, Any]:
    """The same by commands, which are killed before every statement; in a process of its own, because it forks."""
    typed = subprocess.run([sys.executable, "-m", "benchmarks.hosting"], stdout=subprocess.PIPE, text=True, check=False)
    return {"by_commands": json.loads(typed.stdout.splitlines()[-1])}


# -- twenty hosts and a killed server ----------------------------------------------------------


def killed_under_all(folder: Path) -> dict[str, Any]:
    """`hustings serve` is killed while every host waits, and started again: the same debates, nothing paid twice."""
    url = sqlite_file(folder)
    with serving(delay=0.3) as provider:
        model = f"openai_compatible/m@{provider.base_url}"
        with process_serving(folder, url, "--allow", model, "--debates-per-minute", "1000") as (process, http):
            names = asyncio.run(_all(_started(str(http.base_url), model, number) for number in range(HOSTS)))
            cut = asyncio.run(_cut(str(http.base_url), names, process))
            killed = time.time()
        with process_serving(folder, url, "--allow", model, "--debates-per-minute", "1000") as (_, http):
            ended = asyncio.run(_all(_come_back(str(http.base_url), name) for name in names))
        calls = provider.calls()
    before = {call.key for call in calls if call.ended and call.ended < killed - 1}
    again = {key for key, count in Counter(call.key for call in calls).items() if count > 1}
    return {
        "killed_under": cut,
        "came_back": len({one["run_id"] for one in ended} & set(names)),
        "came_back_states": dict(Counter(one["state"] for one in ended)),
        "came_back_paid_twice": len(again & before),
    }


async def _all(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    return await asyncio.gather(*work)


async def _started(base: str, model: str, number: int) -> str:
    async with over_http(base.rstrip("/")) as client:
        return (await told(client, "debate_start", question=f"{MOTION} Number {number}.", model=model))["run_id"]


async def _come_back(base: str, run_id: str) -> dict[str, Any]:
    async with over_http(base.rstrip("/")) as client:
        return await over(client, run_id)


async def _cut(base: str, names: list[str], process: subprocess.Popen[str]) -> int:
    """How many hosts were waiting when the server was killed."""
    lost = 0

    async def wait(run_id: str) -> None:
        nonlocal lost
        try:
            async with over_http(base.rstrip("/")) as client:
                await told(client, "debate_wait", run_id=run_id, seconds=45)
        except (Exception, BaseExceptionGroup):  # noqa: BLE001  the line is broken, however the client says so
            lost += 1

    waiting = asyncio.gather(*map(wait, names))
    await asyncio.sleep(5)
    process.kill()
    await asyncio.wait_for(waiting, 120)
    return lost


STEPS: dict[str, Callable[[Path, int], dict[str, Any]]] = {
    "list": lambda _, __: list_of_tools(),
    "listing": lambda folder, _: listing(folder),
    "own-brain": lambda folder, _: own_brain(folder),
    "commands": lambda _, __: by_commands(),
    "wait": lambda folder, _: longest_wait(folder),
    "hosts": lambda folder, _: hosts(folder),
    "kill": lambda folder, _: kill(folder),
    "kill-all": lambda folder, _: killed_under_all(folder),
    "broken-lines": lambda folder, _: broken_lines(folder),
    "logs": logs_and_metrics,
    "planted": lambda folder, _: hidden_secrets(folder),
}


if __name__ == "__main__":
    main()
