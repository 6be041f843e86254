"""A new debate: what it is for, what it takes, and that it is begun, by keyboard too."""

import re

import pytest

from hustings.runs.judging_spec import JudgingRequest, panel

from .conftest import PHONE
from .test_journey import DEBATE, FOCUS, go, tab_to

pytestmark = pytest.mark.timeout(180)
MOTION = "Should night trains come back?"


def test_from_the_list_to_a_debate_by_keyboard_alone(looking):
    page = looking().at("/", "text=New debate")
    go(page, "New debate")
    page.get_by_text("Estimate", exact=True).wait_for()
    tab_to(page, "Decide")
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("radio", name="Stress-test a document").is_checked()
    page.keyboard.press("ArrowLeft")
    tab_to(page, "Your question")
    page.keyboard.type(MOTION)
    assert page.evaluate(FOCUS)[1]
    page.keyboard.press("Control+Enter")
    page.wait_for_url(DEBATE)


def test_a_purpose_sets_protocol_judges_repeats_and_seats(looking):
    page = looking().at("/new", "text=Estimate")
    page.get_by_role("radio", name="Practise").check()
    assert page.get_by_label("CON", exact=True).input_value() == "human"
    page.get_by_role("radio", name="Research").check()
    assert page.get_by_label("CON", exact=True).input_value() == ""
    assert page.get_by_label("Compare with no debate").is_checked()
    page.get_by_role("button", name="Start 3 debates").wait_for()
    page.get_by_role("radio", name="Stress-test a document").check()
    assert page.get_by_role("radio", name="Critique").is_checked()
    page.get_by_role("button", name="Start the debate").click()
    page.get_by_text("Add the document that is to be tested.").first.wait_for()


def test_practising_with_two_people_begins_and_is_judged_by_the_model_above(looking, site):
    page = looking().at("/new", "text=Estimate")
    page.get_by_role("radio", name="Practise").check()
    page.get_by_label("PRO", exact=True).select_option("human")
    page.get_by_label("Your question").fill(MOTION)
    page.get_by_role("button", name="Start the debate").click()
    page.wait_for_url(DEBATE)
    run_id = page.url.rpartition("/")[2]
    runs = site.state.operator.runs
    assert [judge.model for judge in panel(runs.spec(run_id), JudgingRequest(), {})] == ["improviser"]


def test_several_debates_are_begun_with_seeds_of_their_own(looking, site):
    page = looking().at("/new", "text=Estimate")
    page.get_by_label("Your question").fill("Should bells ring at night?")
    page.get_by_label("How often").fill("3")
    page.get_by_role("button", name="Start 3 debates").click()
    page.wait_for_url(re.compile(r"/$"))
    found = site.http.get("/api/debates", params={"q": "bells"}).json()["debates"]
    seeds = {site.state.operator.runs.spec(one["run_id"]).seed for one in found}
    assert (len(found), seeds) == (3, {1, 2, 3})


def test_a_draft_that_comes_back_says_so_and_can_be_put_away(looking):
    page = looking().at("/new", "text=Estimate")
    page.get_by_label("Your question").fill(MOTION)
    page.reload()
    page.get_by_text("Your draft is back.").wait_for()
    assert page.get_by_label("Your question").input_value() == MOTION
    page.get_by_role("button", name="Start over").click()
    assert page.get_by_label("Your question").input_value() == ""


def test_on_a_phone_cost_and_start_are_always_in_sight(looking):
    page = looking(PHONE).at("/new", "text=Estimate")
    page.get_by_text("It is free.").last.wait_for()
    seen = page.get_by_role("button", name="Start the debate").bounding_box()
    assert seen["y"] + seen["height"] <= PHONE["height"]
    assert page.get_by_role("button", name="Start the debate").count() == 1
