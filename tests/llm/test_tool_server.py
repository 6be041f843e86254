"""Servers of tools: over a pipe or an address, asked for what is on the list, and ended with the call."""

import asyncio
import subprocess
import time
from contextlib import contextmanager, suppress

import pytest
from pydantic import SecretStr

from hustings.errors import Unreachable
from hustings.llm.egress import PUBLIC, PUBLIC_OR_LOOPBACK
from hustings.llm.model import LlmRequest
from hustings.llm.tool_server import McpTool, ToolServer, uses_of
from hustings.script.prompt import Prompt
from tests.rig.postgres import free_port
from tests.rig.tool_server import ROOT, tool_server

pytestmark = pytest.mark.timeout(120)
NOTHING = Prompt("", (), "", None)


def called(server, use, policy=PUBLIC_OR_LOOPBACK, **inputs):
    request = LlmRequest(NOTHING, 1, name="run/key", seconds=30, extra={"use": use, "inputs": inputs})
    return asyncio.run(McpTool(server, policy).answer(request, lambda _: None))


@contextmanager
def listening():
    """The same server at an address of this machine."""
    port = free_port()
    command = [*tool_server("http", port).command]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        try:
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.kill()


def looked_up(server, seconds=60):
    """What it offers, once it listens."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(Unreachable):
            return uses_of(server, PUBLIC_OR_LOOPBACK, 20)
        time.sleep(0.2)
    raise TimeoutError("the server does not listen")


def test_a_server_at_an_address_is_asked_like_a_command():
    with listening() as url:
        server = ToolServer("web", ("search",), url=url, key=SecretStr("token"))
        (use,) = looked_up(server)
        response = called(server, use, query="shops")
        assert (response.kind, response.billed) == ("ok", "yes")
        assert response.text.startswith("Of 900 shops 210 lost customers")
        refused = called(server, use, PUBLIC, query="shops")
        assert (refused.kind, refused.billed) == ("unreachable", "no")


def test_a_server_of_the_package_is_asked_like_the_quick_one_that_most_tests_start():
    both = [tool_server(mode) for mode in ("honest", "package")]
    (quick,), (package,) = (uses_of(server, PUBLIC_OR_LOOPBACK, 60) for server in both)
    assert quick == package
    responses = [called(server, quick, query="shops") for server in both]
    assert responses[0].kind == "ok"
    assert responses[0] == responses[1]


def test_a_command_that_is_not_there_is_unreachable_in_words():
    with pytest.raises(Unreachable, match=r"the tool web does not answer \(its server could not be started"):
        uses_of(ToolServer("web", ("search",), ("/no/such/program",)), PUBLIC_OR_LOOPBACK, 5)


def test_a_command_gets_no_variable_that_was_not_named(monkeypatch, tmp_path):
    monkeypatch.setenv("OTHER_API_KEY", "other")
    seen = tmp_path / "seen"
    server = ToolServer("web", ("search",), ("sh", "-c", f"env > {seen}"), variables={"OWN": SecretStr("own")})
    with pytest.raises(Unreachable):
        uses_of(server, PUBLIC_OR_LOOPBACK, 10)
    names = {line.partition("=")[0] for line in seen.read_text().splitlines()}
    assert ("OWN" in names, "OTHER_API_KEY" in names) == (True, False)
