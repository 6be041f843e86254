"""Before the first debate: from an empty list to a sample that plays, and to a model. No test here begins a debate."""

import re

import pytest

from tests.config.ports import answering, whole

from .conftest import AXE, PHONE
from .test_access import faults

pytestmark = pytest.mark.timeout(180)
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
    offered = [page.get_by_role(role, name=re.compile("^(Judge it|Evaluat)")) for role in ("link", "button")]
    assert [found.count() for found in (*offered, page.get_by_text("Export", exact=True))] == [0, 0, 0]
    assert site.http.get("/api/debates").json()["debates"] == []


def test_on_a_phone_the_verdict_of_a_sample_begins_high_on_the_page(looking):
    page = looking(PHONE).at("/samples/last-boat", "text=How sure")
    card = page.get_by_role("heading", level=2).first.locator("xpath=ancestor::section[1]")
    assert card.bounding_box()["y"] <= 200


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


PAGES = {
    "welcome": ("/", "text=Look again"),
    "samples": ("/samples", "text=Sample debates"),
    "sample": ("/samples/monolith", "text=We wrote every word of it"),
    "sample's replay": ("/samples/monolith/replay", "text=We wrote every word of it"),
    "new": ("/new", "text=Even in the worst case"),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_beginning_has_no_fault(looking, name):
    path, seen = PAGES[name]
    page = looking(bypass_csp=True).at(path, seen)
    page.wait_for_load_state("networkidle")
    page.evaluate(AXE.read_text("utf-8"))
    assert [faults(page, *way) for way in WAYS] == [[]] * 4


@pytest.mark.parametrize("width", [320, 768, 1024])
def test_nothing_of_the_beginning_reaches_over_the_edge(looking, width):
    look = looking({"width": width, "height": 800})
    over = {}
    for path, seen in (
        ("/", "text=Look again"),
        ("/samples", "li"),
        ("/new", "text=Estimate"),
        ("/samples/monolith", "h1"),
    ):
        page = look.at(path, seen)
        over[path] = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert [path for path, columns in over.items() if columns > 0] == []
