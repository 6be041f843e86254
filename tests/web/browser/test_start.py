"""The beginning: from an empty list to a sample that plays, and from the list to a debate of one's own."""

import re

import pytest

from tests.config.ports import answering, whole

from .conftest import AXE, DESKTOP, PHONE
from .test_access import faults
from .test_journey import DEBATE, FOCUS, go, tab_to

pytestmark = pytest.mark.timeout(180)
MOTION = "Should night trains come back?"
WIDE = {"width": 1440, "height": 900}
WELCOME = "text=Hear both sides before you decide."
WAYS = [(theme, size) for theme in ("light", "dark") for size in (WIDE, PHONE)]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server of which nothing was asked yet: no debate, no model, no worker."""
    from tests.web.rig import fresh, served  # noqa: PLC0415  the engine takes seconds to load

    with fresh("sqlite", tmp_path_factory.mktemp("first")) as url, served(url) as made:
        yield made


def test_a_sample_plays_after_two_clicks_at_most(looking):
    page = looking().at("/", WELCOME)
    page.get_by_role("link", name="Watch Should").first.click()
    page.get_by_role("button", name="Pause").wait_for()
    page.locator("article").wait_for()
    assert re.search(r"/samples/[a-z-]+/replay", page.url)


@pytest.mark.parametrize("path", ["", "/map", "/transcript", "/replay", "/scores"])
def test_a_page_of_a_sample_says_that_we_wrote_it_and_offers_nothing_that_needs_a_run(looking, site, path):
    page = looking().at(f"/samples/monolith{path}", "text=We wrote every word of it")
    offered = [link for name in ("Judge", "Export", "Evaluation") for link in page.get_by_text(name, exact=True).all()]
    assert offered == []
    assert site.http.get("/api/debates").json()["debates"] == []


def test_links_on_a_sample_lead_to_its_own_pages(looking):
    page = looking().at("/samples/monolith", "h1")
    page.get_by_role("link", name="Transcript", exact=True).click()
    page.wait_for_url("**/samples/monolith/transcript")
    page.locator("article").first.wait_for()
    page.reload()
    page.locator("article").first.wait_for()


def test_a_recording_of_a_model_names_the_model(looking):
    page = looking().at("/samples/small-model", "text=Recorded with")
    assert page.get_by_text("We wrote every word of it").count() == 0


def test_a_sample_that_there_is_none_of_is_told(looking):
    page = looking(absent=True).at("/samples/there-is-none", "role=alert")
    assert "no recording of that name" in page.get_by_role("alert").inner_text()


def test_looking_again_finds_a_model_that_was_started_meanwhile(looking, monkeypatch):
    page = looking().at("/", "text=No model found yet")
    with answering(whole({"data": [{"id": "tiny"}]})) as port:
        monkeypatch.setenv("HUSTINGS_ENDPOINT", f"http://127.0.0.1:{port}/v1")
        page.get_by_role("button", name="Look again").click()
        page.get_by_text("Models are ready").wait_for()
        assert f"Your server at 127.0.0.1:{port} 1 model" in page.inner_text("main")
    monkeypatch.delenv("HUSTINGS_ENDPOINT")
    page.get_by_role("button", name="Look again").click()
    page.get_by_text("No model found yet").wait_for()


def test_from_the_list_to_a_debate_by_keyboard_alone(looking):
    page = looking().at("/", WELCOME)
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


def test_several_debates_are_begun_with_seeds_of_their_own(looking, site):
    page = looking().at("/new", "text=Estimate")
    page.get_by_label("Your question").fill("Should bells ring at night?")
    page.get_by_label("How often").fill("3")
    page.get_by_role("button", name="Start 3 debates").click()
    page.wait_for_url(re.compile(r"/$"))
    found = site.http.get("/api/debates", params={"q": "bells"}).json()["debates"]
    seeds = {site.state.operator.runs.spec(one["run_id"]).debate.seed for one in found}
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


PAGES = {
    "samples": ("/samples", "text=Sample debates"),
    "sample": ("/samples/monolith", "text=We wrote every word of it"),
    "sample's replay": ("/samples/monolith/replay", "text=We wrote every word of it"),
    "new": ("/new", "text=It is free."),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_beginning_has_no_fault(looking, name):
    path, seen = PAGES[name]
    page = looking(bypass_csp=True).at(path, seen)
    page.wait_for_load_state("networkidle")
    page.evaluate(AXE.read_text("utf-8"))
    assert [faults(page, *way) for way in WAYS] == [[]] * 4


def test_the_first_page_has_no_fault(tmp_path_factory, browser):
    from tests.web.rig import fresh, served  # noqa: PLC0415  the engine takes seconds to load

    with (
        fresh("sqlite", tmp_path_factory.mktemp("welcome")) as url,
        served(url) as site,
        browser.new_context(bypass_csp=True, viewport=DESKTOP, reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        page.goto(f"{site.url}/")
        page.get_by_role("button", name="Look again").wait_for()
        page.evaluate(AXE.read_text("utf-8"))
        assert [faults(page, *way) for way in WAYS] == [[]] * 4


@pytest.mark.parametrize("width", [320, 768, 1024])
def test_nothing_of_the_beginning_reaches_over_the_edge(looking, width):
    look = looking({"width": width, "height": 800})
    over = {}
    for path, seen in (("/samples", "li"), ("/new", "text=Estimate"), ("/samples/monolith", "h1")):
        page = look.at(path, seen)
        over[path] = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert [path for path, columns in over.items() if columns > 0] == []
