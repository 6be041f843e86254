"""Clients of the official SDK, over a pipe and over HTTP, and what stands outside the marks of an answer."""

import json
import os
import re
import sys
from contextlib import asynccontextmanager

import httpx2
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from hustings.engine.people import open_calls, short_key
from hustings.llm.improviser import Improviser
from tests.cli.console import ENTRY

MOTION = "Should towns close their centres to cars?"
FENCED = re.compile(r"<<([0-9a-f]{10}) [^<>]*>>\n.*?\n<<end \1>>", re.DOTALL)


def environment(folder):
    """Without the settings and keys of the person who runs the tests."""
    known = {name: value for name, value in os.environ.items() if "LLM_" not in name and not name.endswith("_API_KEY")}
    return {**known, **{f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CONFIG", "DATA", "STATE")}}


def command(folder, url):
    arguments = ["-c", ENTRY, "mcp", "--database", url]
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment(folder), cwd=str(folder))


@asynccontextmanager
async def over_pipe(folder, url, mode="auto"):
    async with Client(stdio_client(command(folder, url)), mode=mode) as client:
        yield client


@asynccontextmanager
async def over_http(base, token="", mode="auto"):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{base}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


async def told(client, tool, **arguments):
    """The structured answer of a tool; its text must say the same."""
    found = await client.call_tool(tool, arguments)
    assert not found.is_error, found.content[0].text
    assert json.loads(found.content[0].text) == found.structured_content
    return found.structured_content


async def refused(client, tool, **arguments):
    found = await client.call_tool(tool, arguments)
    assert found.is_error
    return found.content[0].text


async def text(client, **arguments):
    found = await client.call_tool("debate_result", arguments)
    assert not found.is_error, found.content[0].text
    return found.content[0].text


async def over(client, run_id, on_progress=None, seconds=20.0):
    """The answer of `debate_wait` once nothing more will come."""
    while True:
        found = await client.call_tool(
            "debate_wait", {"run_id": run_id, "seconds": seconds}, progress_callback=on_progress
        )
        assert not found.is_error, found.content[0].text
        if "debate_wait" not in found.structured_content["next"]:
            return found.structured_content


def outside(words):
    """What stands outside marks, in a text or anywhere in a structured answer."""
    match words:
        case str():
            return FENCED.sub("", words)
        case dict():
            return "\n".join(map(outside, words.values()))
        case list():
            return "\n".join(map(outside, words))
        case _:
            return ""


class ScriptedHost:
    """Stands in for the assistant: the improviser's words for every question, or those that `words` makes of them."""

    def __init__(self, runs, client, words=lambda said: said):
        self.runs, self.client, self.words, self.asked = runs, client, words, 0
        self.seen = []
        """Every answer that a tool gave."""

    async def call(self, tool, **arguments):
        found = await told(self.client, tool, **arguments)
        self.seen.append(found)
        return found

    def answers(self, run_id):
        """Words for every open question, by its key."""
        spec = self.runs.whole_spec(run_id)
        calls = open_calls(spec, self.runs.answers(run_id).get, self.runs.instructions(run_id))
        return {short_key(call.key): self.words(Improviser(3).words(call)) for call in calls}

    async def play(self, run_id):
        """Answer every question of a run; return what comes next."""
        while True:
            wave = await self.call("debate_next", run_id=run_id)
            if not wave["questions"]:
                return wave["next"]
            words = self.answers(run_id)
            for question in wave["questions"]:
                await self.call("debate_answer", run_id=run_id, key=question["key"], words=words[question["key"]])
                self.asked += 1

    async def play_and_judge(self, run_id):
        """Questions of the debate and of its judging."""
        over = await self.play(run_id)
        asked = self.asked
        await self.play(over.partition('debate_next(run_id="')[2].partition('"')[0])
        return asked, self.asked - asked
