"""Over HTTP, tools need what the API needs: a token, a role, a debate of one's own, a host name, room."""

import asyncio

import httpx2
import pytest
from mcp.shared.exceptions import MCPError

from hustings.db import tokens
from hustings.db.tokens import Access
from hustings.mcp.shapes import ARGUMENTS
from hustings.web.limits import Limits
from tests.web.rig import fresh, served

from .rig import MOTION, over, over_http, refused, text, told

pytestmark = pytest.mark.timeout(120)
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A server with two owners, and a judged debate of the first."""
    with fresh("sqlite", tmp_path_factory.mktemp("access")) as url, served(url, works=True) as site:

        def token(*access):
            return tokens.issue(site.state.database, Access(*access))

        async def begin():
            async with over_http(site.url, token("ann")) as client:
                run_id = (await told(client, "debate_start", question=MOTION, model="improviser"))["run_id"]
                await over(client, run_id)
                return run_id

        yield site, asyncio.run(begin()), token


def asked(site, token, work):
    async def run():
        async with over_http(site.url, token) as client:
            return await work(client)

    return asyncio.run(run())


def test_without_a_token_nothing_is_answered(shared):
    site, _, _ = shared
    answer = httpx2.post(f"{site.url}/mcp", json=PING, headers=ACCEPT)
    assert answer.status_code == 401


def test_a_foreign_host_name_is_refused(shared):
    site, _, token = shared
    headers = {**ACCEPT, "Authorization": f"Bearer {token('ann')}", "Host": "evil.example"}
    assert httpx2.post(f"{site.url}/mcp", json=PING, headers=headers).status_code == 421


def test_a_page_of_another_site_is_refused(shared):
    site, _, token = shared
    headers = {**ACCEPT, "Authorization": f"Bearer {token('ann')}", "Origin": "http://evil.example"}
    assert httpx2.post(f"{site.url}/mcp", json=PING, headers=headers).status_code == 403


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_and_no_session(shared, method):
    site, _, token = shared
    headers = {**ACCEPT, "Authorization": f"Bearer {token('ann')}"}
    assert httpx2.request(method, f"{site.url}/mcp", headers=headers).status_code == 405


def test_a_debate_of_another_owner_does_not_exist(shared):
    site, run_id, token = shared
    for tool, more in (("debate_wait", {}), ("debate_result", {}), ("debate_steer", {"what": "stop"})):
        said = asked(
            site, token("bob"), lambda client, tool=tool, more=more: refused(client, tool, run_id=run_id, **more)
        )
        assert said == f"no debate {run_id!r}: find it: debate_find(words=…)"


def test_a_debate_of_another_owner_is_not_found(shared):
    site, _, token = shared
    assert asked(site, token("bob"), lambda client: told(client, "debate_find"))["debates"] == []


def test_a_resource_of_another_owner_does_not_exist(shared):
    site, run_id, token = shared

    async def read(client):
        with pytest.raises(MCPError, match="no debate"):
            await client.read_resource(f"debate://{run_id}/md")

    asked(site, token("bob"), read)


def test_a_viewer_reads(shared):
    site, run_id, token = shared
    assert "Bottom line" in asked(site, token("ann", "viewer"), lambda client: text(client, run_id=run_id))


VALUES = {"question": MOTION, "what": "stop", "key": "k", "words": "Words."}


@pytest.mark.parametrize("tool", sorted({*ARGUMENTS} - {"debate_wait", "debate_result", "debate_find"}))
def test_a_viewer_changes_nothing(shared, tool):
    site, run_id, token = shared
    given = {**VALUES, "run_id": run_id}
    wanted = {name: given[name] for name in ARGUMENTS[tool].model_fields if name in given}
    said = asked(site, token("ann", "viewer"), lambda client: refused(client, tool, **wanted))
    assert said.startswith("Your access token is read-only")


@pytest.mark.parametrize("role", ["judge", "seat"])
def test_those_who_must_not_see_the_result_have_no_tools(shared, role):
    site, run_id, token = shared
    access = ("ann", role, run_id, "con" if role == "seat" else "")
    said = asked(site, token(*access), lambda client: refused(client, "debate_result", run_id=run_id))
    assert "access token" in said


def test_a_token_for_one_debate_opens_no_other(shared):
    site, run_id, token = shared
    one = token("ann", "viewer", run_id)
    assert "Bottom line" in asked(site, one, lambda client: text(client, run_id=run_id))
    assert "Debate not found" in asked(site, one, lambda client: refused(client, "debate_result", run_id="last"))
    assert "access token" in asked(site, one, lambda client: refused(client, "debate_find"))


def test_models_that_the_server_does_not_offer_are_refused(shared):
    site, _, token = shared
    said = asked(
        site,
        token("ann"),
        lambda client: refused(
            client, "debate_start", question=MOTION, model="openai_compatible/m@http://127.0.0.1:1/v1"
        ),
    )
    assert "does not offer" in said


def test_debates_per_minute_are_limited_as_for_the_api(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url, limits=Limits(1_000, 1, 10)) as site:

        async def twice(client):
            await told(client, "debate_start", question=MOTION, model="improviser")
            return await refused(client, "debate_start", question=MOTION, model="improviser")

        assert "Too many debates per minute" in asked(site, "", twice)


def test_open_waits_are_limited_as_for_the_api(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url, limits=Limits(1_000, 1_000, 2)) as site:

        async def three(client):
            run_id = (await told(client, "debate_start", question=MOTION, model="improviser"))["run_id"]
            waits = [client.call_tool("debate_wait", {"run_id": run_id, "seconds": 1}) for _ in range(3)]
            return sorted(found.is_error for found in await asyncio.gather(*waits))

        assert asked(site, "", three) == [False, False, True]


def test_without_a_worker_the_wait_says_what_is_missing(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url) as site:

        async def wait(client):
            run_id = (await told(client, "debate_start", question=MOTION, model="improviser"))["run_id"]
            return await told(client, "debate_wait", run_id=run_id, seconds=0)

        assert "hustings worker" in asked(site, "", wait)["next"]
