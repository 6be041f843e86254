"""Every screen of the browser, photographed and measured: `python -m tools.pages FOLDER [PART]`.

Desk and phone, light and dark. PART: only screens whose name contains it. A fault is listed and exits with 1.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, sync_playwright
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import TimeoutError as TooLate

from .page_faults import KINDS, PageFault, by_axe, by_boxes, by_width, settle
from .page_screens import Screen, every_screen

CHROMIUM = "/usr/bin/chromium-headless-shell"
SIZES = {"desk": (1440, 900), "phone": (390, 844)}
TALLEST = 3_000
"""Pixels of a page that its picture shows."""
WHOLE = """() => {
  const tall = document.querySelector("dialog:modal") ? 0 : document.documentElement.scrollHeight;
  return [innerWidth, Math.max(innerHeight, tall)];
}"""
PATIENCE = 20_000
QUIET = 2_500


def photograph(context: BrowserContext, name: str, screen: Screen, folder: Path) -> Iterator[tuple[str, PageFault]]:
    """Faults of one screen, each with the picture that shows it."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    try:
        _open(page, screen)
        yield from _looked_at(page, name, folder)
    except (TooLate, BrowserError) as error:
        page.screenshot(path=folder / f"{name}-fault.png")
        yield name, PageFault("error", str(error).split("\n", 1)[0])
    for error in wrong:
        yield name, PageFault("error", error)
    context.set_offline(False)
    page.close()


def _open(page: Page, screen: Screen) -> None:
    page.set_viewport_size(_size("desk"))
    page.emulate_media(color_scheme="light")
    page.goto(screen.address)
    page.locator(screen.seen).first.wait_for()
    with suppress(TooLate):  # one that follows a debate is never quiet
        page.wait_for_load_state("networkidle", timeout=QUIET)
    if screen.act:
        screen.act(page)


def _looked_at(page: Page, name: str, folder: Path) -> Iterator[tuple[str, PageFault]]:
    """Boxes are measured once a size, since colours move nothing; colours once a theme."""
    for size in SIZES:
        page.set_viewport_size(_size(size))
        page.emulate_media(color_scheme="light")
        page.wait_for_timeout(100)
        yield from ((f"{name}-{size}-light", fault) for fault in (*by_boxes(page), *by_axe(page)))
        _picture(page, folder / f"{name}-{size}-light.png")
        page.emulate_media(color_scheme="dark")
        yield from ((f"{name}-{size}-dark", fault) for fault in by_axe(page, "colours"))
        _picture(page, folder / f"{name}-{size}-dark.png")
    yield from ((name, fault) for fault in by_width(page))


def _size(name: str) -> dict[str, int]:
    width, height = SIZES[name]
    return {"width": width, "height": height}


def _picture(page: Page, path: Path) -> None:
    settle(page)
    if page.evaluate("scrollY"):  # one that follows a debate is shown as its viewer sees it
        page.screenshot(path=path)
        return
    width, tall = page.evaluate(WHOLE)
    page.screenshot(path=path, full_page=True, clip={"x": 0, "y": 0, "width": width, "height": min(TALLEST, tall)})


def main(folder: str, part: str = "") -> int:
    target = Path(folder).resolve()
    target.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    found: list[tuple[str, PageFault]] = []
    with every_screen(target) as screens, sync_playwright() as playwright:
        chosen: Mapping[str, Screen] = {name: screen for name, screen in screens.items() if part in name}
        print(f"{time.monotonic() - began:.0f} s: {len(chosen)} screens are ready", flush=True)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(reduced_motion="reduce", bypass_csp=True)
        for name, screen in chosen.items():
            for where, fault in photograph(context, name, screen, target):
                found.append((where, fault))
                print(f"{where}: {fault.kind}: {fault.what}  [{fault.where}]", flush=True)
        browser.close()
    counts = Counter(fault.kind for _, fault in found)
    told = {"screens": len(chosen), "pictures": 4 * len(chosen), "seconds": round(time.monotonic() - began)}
    print(json.dumps({**told, **{kind: counts[kind] for kind in KINDS}}))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
