"""A real browser before a real server with the pages as they are built."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from hustings.web.app import BUNDLE
from tests.rig.waiting import until

CHROMIUM = Path("/usr/bin/chromium-headless-shell")
AXE = Path(__file__).parents[3] / "frontend/node_modules/axe-core/axe.min.js"
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


def pytest_collection_modifyitems(items):
    here = [item for item in items if Path(__file__).parent in item.path.parents]
    if not CHROMIUM.exists() or not (BUNDLE / "index.html").is_file():
        for item in here:
            item.add_marker(pytest.mark.skip(reason="needs chromium (make browser) and the pages (make frontend)"))


@pytest.fixture(scope="module")
def browser(site):  # the server first: where a browser is driven, the engine cannot be started any more
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@dataclass
class Look:
    """A page, and whatever went wrong in it."""

    page: Page
    base: str
    faults: list[str] = field(default_factory=list)
    absent: bool = False
    """Whether something is asked for that is not there: the browser says so, sooner or later."""

    @property
    def unforgiven(self):
        return [fault for fault in self.faults if not (self.absent and "Failed to load resource" in fault)]

    def at(self, path, seen):
        self.page.goto(f"{self.base}{path}")
        self.page.wait_for_selector(seen)
        return self.page


@pytest.fixture
def looking(browser, site):
    """Opens pages; at the end nothing may have gone wrong in any of them, and nobody else may have been called."""
    opened = []

    def look(size=DESKTOP, theme="light", *, absent=False, **options):
        context = browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce", **options)
        page = context.new_page()
        page.set_default_timeout(20_000)
        made = Look(page, site.url, absent=absent)
        page.on("pageerror", lambda error: made.faults.append(f"error: {error}"))
        page.on("console", lambda said: said.type == "error" and made.faults.append(f"console: {said.text}"))
        page.on("dialog", lambda dialog: made.faults.append(f"dialog: {dialog.message}"))
        page.on("request", lambda asked: _own(asked.url, site.url) or made.faults.append(f"called: {asked.url}"))
        opened.append((context, made))
        return made

    yield look
    for context, made in opened:
        context.close()
        assert made.unforgiven == []


def _own(address, base):
    return address.startswith((f"{base}/", "data:", "blob:", "file:"))


@pytest.fixture(scope="module")
def judged(site):
    """Ids of debates that are over and judged: two of one motion, and a competition."""
    asked = [{}, {"settings": {"closing_words": 100}}, {"protocol": "competition"}]
    begun = [site.begin(model="improviser", judges="auto", **one) for one in asked]
    return [site.ended(run_id, follows=1, seconds=90) for run_id in begun]


@pytest.fixture(scope="module")
def awaiting(site):
    """The id of a debate that goes on: it waits for what Con, a person, says."""
    run_id = site.begin(model="improviser", seats={"con": "human"})
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"])
    yield run_id
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)
