"""Ways in for other programs: list of tools, hosts at once, a killed server, broken lines (`make reach`)."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import httpx2
from mcp import StdioServerParameters
from mcp.client import Client

from hustings.mcp.shapes import tools
from hustings.runs.queries import RunQueries
from tests.mcp.rig import MOTION, command, environment, over, over_http, over_pipe, told
from tests.mcp.test_many_hosts import killed_while_waiting
from tests.rig.postgres import sqlite_file
from tests.rig.provider import serving
from tests.web.rig import Site, fresh, served

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
    figures: dict[str, Any] = {}
    for step in (list_of_tools, listing, longest_wait, hosts, kill, broken_lines):
        with tempfile.TemporaryDirectory() as folder:
            figures |= step(Path(folder))
    print(json.dumps(figures))  # noqa: T201  the figures are the point


def list_of_tools(_: Path) -> dict[str, Any]:
    listed = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools()]
    shown = [{name: value for name, value in tool.items() if name != "outputSchema"} for tool in listed]
    return {"tools": len(listed), "characters": len(json.dumps(listed)), "without_answers": len(json.dumps(shown))}


def listing(folder: Path) -> dict[str, Any]:
    """Seconds from the start of a server to its list of tools, by turns with a server that has nothing else to do."""
    ours = command(folder, sqlite_file(folder))
    bare = StdioServerParameters(command=sys.executable, args=["-c", BARE], env=environment(folder), cwd=str(folder))
    took: dict[str, list[float]] = {"ours": [], "bare": []}
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
            run_id = (await told(client, "debate_start", motion=MOTION, model="improviser"))["run_id"]
            begun = time.perf_counter()
            await told(client, "debate_wait", run_id=run_id, seconds=45)
            return time.perf_counter() - begun

    with fresh("sqlite", folder) as url, served(url) as site:
        return {"longest_wait_seconds": round(asyncio.run(wait(site)), 1)}


def hosts(folder: Path) -> dict[str, Any]:
    async def one(site: Site, number: int) -> tuple[str, str]:
        async with over_http(site.url) as client:
            asked = {"motion": f"{MOTION} Number {number}.", "model": "improviser"}
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


if __name__ == "__main__":
    main()
