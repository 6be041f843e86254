"""Pictures of browser pages for the documentation, taken of a sample debate: `python -m tools.page_pictures`."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from hustings.judging.dossier import Dossier
from hustings.report.formats import share
from hustings.runs.recording import load, name_of, packaged

from .pages import CHROMIUM

SAMPLE = "monolith"
FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
PAGES = {"browser-briefing": "", "browser-map": "map"}
SIZE = {"width": 1280, "height": 900}


def main() -> int:
    (file,) = (file for file in packaged() if name_of(file) == SAMPLE)
    told = load(file.read_bytes(), file.name)
    about = Dossier(
        proceedings=told.proceedings,
        judgement=told.remains.judgement,
        expenses=told.remains.expenses,
        summary=told.remains.summary,
    )
    page_file = files("hustings").joinpath(share.PAGE).read_text("utf-8")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        shared = Path(folder) / "debate.html"
        shared.write_text(share.render(about, page_file), "utf-8")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, part in PAGES.items():
            page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
            run_id = about.proceedings.transcript.run_id
            page.goto(f"{shared.as_uri()}#/debates/{run_id}/{part}".rstrip("/"))
            page.locator("h1").first.wait_for()
            page.wait_for_timeout(1_500)
            page.screenshot(path=FOLDER / f"{name}.png")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
