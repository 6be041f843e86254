"""A debate from its start to its result with the SDK's client: over a pipe and over HTTP, in both protocols."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from hustings.runs.registry import exports
from tests.rig.postgres import ready_sqlite_file
from tests.web.rig import fresh, served

from .rig import MOTION, outside, over, over_http, over_pipe, refused, text, told

pytestmark = pytest.mark.timeout(120)


async def trial(client):
    """Everything that a host does with a debate."""
    progress = []

    async def on_progress(done, total, message):
        progress.append((done, message))

    started = await told(client, "debate_start", question=MOTION, model="improviser")
    ended = await over(client, started["run_id"], on_progress)
    run_id = started["run_id"]
    asked = await client.get_prompt("debate", {"question": MOTION})
    return {
        "tools": [tool.name for tool in (await client.list_tools()).tools],
        "prompts": [prompt.name for prompt in (await client.list_prompts()).prompts],
        "templates": [one.uri_template for one in (await client.list_resource_templates()).resource_templates],
        "prompt": asked.messages[0].content.text,
        "started": started,
        "ended": ended,
        "progress": progress,
        "texts": {part: await text(client, run_id=run_id, part=part) for part in ("briefing", "trace", "transcript")},
        "resource": (await client.read_resource(f"debate://{run_id}/md")).contents[0].text,
        "found": await told(client, "debate_find", words="centres"),
        "late": await refused(client, "debate_steer", run_id=run_id, what="pause"),
        "protocol": await refused(client, "debate_start", question=MOTION, protocol="oxford"),
        "arguments": await refused(client, "debate_wait", run_id=run_id, seconds=46),
        "unknown": await refused(client, "debate_wait", run_id="nothing-like-it"),
    }


@asynccontextmanager
async def way_in(way, folder, site):
    kind, _, mode = way.partition(" ")
    if kind == "pipe":
        async with over_pipe(folder, ready_sqlite_file(folder), mode) as client:
            yield client
    else:
        async with over_http(site.url, mode=mode) as client:
            yield client


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with fresh("sqlite", tmp_path_factory.mktemp("site")) as url, served(url, works=True) as made:
        yield made


LATER = pytest.mark.nightly("a host and a debate for each; each way and each handshake is tried on every change")
WAYS = ["pipe auto", pytest.param("pipe legacy", marks=LATER), pytest.param("http auto", marks=LATER), "http legacy"]


@pytest.fixture(scope="module", params=WAYS)
def seen(request, tmp_path_factory, site):
    async def try_it():
        async with way_in(request.param, tmp_path_factory.mktemp("host"), site) as client:
            return await trial(client)

    return asyncio.run(try_it())


def test_all_tools_the_prompt_and_the_resource_are_listed(seen):
    assert (len(seen["tools"]), seen["prompts"], seen["templates"]) == (7, ["debate"], ["debate://{run_id}/{format}"])


def test_the_prompt_has_the_question(seen):
    assert seen["prompt"].endswith(MOTION)


def test_a_start_answers_with_the_next_call(seen):
    run_id = seen["started"]["run_id"]
    assert f'debate_wait(run_id="{run_id}"' in seen["started"]["next"]


def test_the_wait_ends_with_a_recommendation_and_its_caveats(seen):
    ended = seen["ended"]
    assert (ended["state"], ended["turns"]) == ("ended", 6)
    assert "argued better" in ended["recommendation"] or "No clear winner" in ended["recommendation"]
    assert "All judges are one kind of model" in ended["caveats"]
    assert f'debate_result(run_id="{ended["run_id"]}"' in ended["next"]


def test_progress_grows_and_says_who_speaks(seen):
    counts = [done for done, _ in seen["progress"]]
    assert counts == sorted(set(counts))
    assert "turn" in seen["progress"][0][1]


def test_each_part_of_the_result_names_the_next_call(seen):
    assert all("\n\nnext: " in part and "debate_result(" in part for part in seen["texts"].values())


def test_the_parts_are_what_they_are_called(seen):
    texts = seen["texts"]
    assert "**Bottom line:**" in texts["briefing"]
    assert "run,id," in texts["trace"].replace("argument", "id")
    assert "pro" in texts["transcript"]


def test_the_resource_is_the_export_between_marks(seen):
    assert seen["resource"].startswith("<<")
    assert outside(seen["resource"]) == ""


def test_a_debate_is_found_by_its_words(seen):
    assert seen["ended"]["run_id"] in [one["run_id"] for one in seen["found"]["debates"]]


def test_what_is_over_is_not_paused(seen):
    assert "is over or was stopped" in seen["late"]


def test_an_unknown_protocol_is_refused_in_our_words(seen):
    assert "rotocol" in seen["protocol"]
    assert "structured" in seen["protocol"]


def test_no_wait_is_longer_than_a_host_allows(seen):
    assert "seconds: must be at most 45" in seen["arguments"]


def test_an_unknown_debate_is_refused_with_the_call_that_finds_one(seen):
    assert seen["unknown"] == "no debate 'nothing-like-it': find it: debate_find(words=…)"


def test_every_format_can_be_read(site):
    async def read():
        async with over_http(site.url) as client:
            run_id = (await told(client, "debate_start", question=MOTION, model="improviser"))["run_id"]
            await over(client, run_id)
            return {
                name: (await client.read_resource(f"debate://{run_id}/{name}")).contents[0].text for name in exports()
            }

    assert all(outside(found) == "" for found in asyncio.run(read()).values())
