"""The assistant plays the seats: questions with whole prompts, answers that are taken or come back, its own judging."""

import asyncio

import pytest

from hustings.db import tokens
from hustings.db.tokens import Access
from tests.web.rig import fresh, served

from .rig import MOTION, ScriptedHost, over_http, refused, told

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A structured debate from its start to its verdict, by calls of tools alone; no worker, no model."""

    async def play(site):
        async with over_http(site.url) as client:
            host = ScriptedHost(site.state.operator.runs, client)
            started = await told(client, "debate_start", question=MOTION, brain="you", model="claude-test")
            run_id = started["run_id"]
            first = await told(client, "debate_next", run_id=run_id)
            key = first["questions"][0]["key"]
            short = await told(client, "debate_answer", run_id=run_id, key=key, words="I agree.")
            waited = await told(client, "debate_wait", run_id=run_id, seconds=45)
            over = await host.play(run_id)
            judging = over.partition('debate_next(run_id="')[2].partition('"')[0]
            judged = await host.play(judging)
            return {
                "run_id": run_id,
                "started": started,
                "first": first,
                "short": short,
                "waited": waited,
                "over": over,
                "judged": judged,
                "asked": host.asked,
                "ended": await told(client, "debate_wait", run_id=run_id, seconds=0),
                "late": await refused(client, "debate_answer", run_id=run_id, key=key, words="Again."),
            }

    with fresh("sqlite", tmp_path_factory.mktemp("brain")) as url, served(url) as site:
        yield asyncio.run(play(site))


def test_the_start_leads_to_the_first_questions(played):
    assert f'debate_next(run_id="{played["run_id"]}")' in played["started"]["next"]


def test_each_question_has_its_whole_prompt(played):
    prompts = [question["prompt"] for question in played["first"]["questions"]]
    assert {question["seat"] for question in played["first"]["questions"]} == {"pro", "con"}
    assert all(MOTION in prompt for prompt in prompts)


def test_an_answer_that_fits_no_form_comes_back_with_the_reason(played):
    assert (played["short"]["taken"], played["short"]["why"].startswith("<<")) == (False, True)
    assert "new key" in played["short"]["next"]


def test_waiting_for_oneself_is_not_waiting(played):
    """It answers at once, and names the call that goes on."""
    assert "You play it" in played["waited"]["next"]


def test_the_end_of_the_debate_leads_to_its_judging(played):
    assert "Judge it: debate_next(" in played["over"]


def test_the_end_of_the_judging_leads_to_the_verdict(played):
    assert f'debate_wait(run_id="{played["run_id"]}"' in played["judged"]


def test_the_verdict_says_that_one_mind_played_the_seats(played):
    assert played["ended"]["recommendation"]
    assert "host" in played["ended"]["caveats"].lower() or "one mind" in played["ended"]["caveats"].lower()


def test_the_cost_is_unknown_and_not_nothing(played):
    assert played["ended"]["spent_usd"] is None


def test_what_is_over_takes_no_answer(played):
    assert "debate_next(" in played["late"] or "first answer counts" in played["late"]


def test_a_debate_that_models_hold_is_not_played_by_the_host(tmp_path):
    async def ask(site):
        async with over_http(site.url) as client:
            run_id = (await told(client, "debate_start", question=MOTION, model="improviser"))["run_id"]
            return await refused(client, "debate_next", run_id=run_id)

    with fresh("sqlite", tmp_path) as url, served(url) as site:
        assert "models hold" in asyncio.run(ask(site))


def test_a_debate_of_another_owner_is_not_played(tmp_path):
    async def ask(site):
        ann, bob = (tokens.issue(site.state.database, Access(owner)) for owner in ("ann", "bob"))
        async with over_http(site.url, ann) as client:
            run_id = (await told(client, "debate_start", question=MOTION, brain="you"))["run_id"]
            key = (await told(client, "debate_next", run_id=run_id))["questions"][0]["key"]
        async with over_http(site.url, bob) as client:
            return [
                await refused(client, "debate_next", run_id=run_id),
                await refused(client, "debate_next", run_id=f"{run_id}.judging-00000000"),
                await refused(client, "debate_answer", run_id=run_id, key=key, words="Mine."),
            ]

    with fresh("sqlite", tmp_path) as url, served(url) as site:
        found = asyncio.run(ask(site))
    assert all("no debate" in said or "is not open" in said for said in found)
