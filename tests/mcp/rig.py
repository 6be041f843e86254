"""Clients of the official SDK, over a pipe and over HTTP, and what stands outside the marks of an answer."""

import json
import os
import re
import sys
from contextlib import asynccontextmanager

import httpx2
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

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
    async with Client(command(folder, url), mode=mode) as client:
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
