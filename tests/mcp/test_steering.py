"""A debate is paused, resumed and stopped by an assistant; what was said is kept."""

import asyncio
from functools import partial

import pytest

from hustings.llm.environment import Environment
from tests.rig.provider import serving
from tests.web.rig import fresh, served

from .rig import MOTION, over, over_http, refused, text, told

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def steered(tmp_path_factory):
    """What each call answered, on a debate with many waves whose model takes its time."""

    async def steer(site):
        async with over_http(site.url) as client:
            run_id = (await told(client, "debate_start", question=MOTION, protocol="moderated"))["run_id"]
            while (await told(client, "debate_wait", run_id=run_id, seconds=0.2))["turns"] < 1:
                pass
            await told(client, "debate_steer", run_id=run_id, what="pause")
            return {
                "early": await refused(client, "debate_result", run_id=run_id),
                "paused": await over(client, run_id),
                "resumed": await told(client, "debate_steer", run_id=run_id, what="resume"),
                "stopping": await told(client, "debate_steer", run_id=run_id, what="stop"),
                "stopped": await over(client, run_id),
                "transcript": await text(client, run_id=run_id, part="transcript"),
                "again": await refused(client, "debate_steer", run_id=run_id, what="resume"),
            }

    with serving(delay=1.5) as provider, fresh("sqlite", tmp_path_factory.mktemp("steered")) as url:
        set_up = {"LLM_PROVIDER": "openai_compatible", "LLM_MODEL": "m", "LLM_BASE_URL": provider.base_url}
        with served(url, works=True, look=partial(Environment, set_up, {})) as site:
            yield asyncio.run(steer(site))


def test_a_result_before_the_end_names_the_call_that_waits(steered):
    assert "has not ended: wait for it: debate_wait(" in steered["early"]


def test_a_paused_debate_ends_the_wait_and_names_the_call_that_resumes(steered):
    assert steered["paused"]["state"] == "paused"
    assert 'what="resume"' in steered["paused"]["next"]


def test_a_resumed_debate_goes_on(steered):
    assert "debate_wait(" in steered["resumed"]["next"]


def test_a_stopped_debate_ends_without_a_verdict(steered):
    assert (steered["stopped"]["state"], steered["stopped"]["outcome"]) == ("ended", "cancelled")
    assert "before a verdict" in steered["stopped"]["next"]


def test_what_was_said_is_kept(steered):
    assert "transcript of" in steered["transcript"]
    assert steered["stopped"]["turns"] >= 1


def test_a_stopped_debate_is_not_resumed(steered):
    assert "is over or was stopped" in steered["again"]
