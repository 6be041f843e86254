"""Measures a page that is open in a browser: overlaps, cut and small text, scrolling sideways, accessibility."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from playwright.sync_api import Page

HERE = Path(__file__).parent
MEASURE = (HERE / "page_faults.js").read_text("utf-8")
AXE = HERE.parent / "frontend/node_modules/axe-core/axe.min.js"
ACROSS = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const beyond = (one) => one.getBoundingClientRect().right > clientWidth + 1;
  const inner = [...document.body.querySelectorAll("*")].filter(beyond).findLast((one) => !one.closest(".frame"));
  return [scrollWidth - clientWidth, inner?.outerHTML.slice(0, 160) ?? ""];
}"""
SETTLED = "document.fonts.ready.then(() => new Promise((go) => requestAnimationFrame(() => setTimeout(go, 30))))"
WIDTHS = (320, 768, 1024)
KINDS = ("overlap", "cut", "small", "wide", "axe", "error")


class PageFault(NamedTuple):
    kind: str
    what: str
    where: str = ""


def settle(page: Page) -> None:
    """Wait for the fonts and the next frame."""
    page.evaluate(SETTLED)


def by_boxes(page: Page) -> list[PageFault]:
    """Text and controls that overlap, cut text, and text below 12 px, at the size that the page has now."""
    settle(page)
    found = [PageFault(*one) for one in page.evaluate(MEASURE)]
    return [*found, *sideways(page)]


def sideways(page: Page) -> list[PageFault]:
    across, first = page.evaluate(ACROSS)
    return [PageFault("wide", f"{across} px beyond the edge", first)] if across > 0 else []


def by_width(page: Page, widths: Iterable[int] = WIDTHS) -> list[PageFault]:
    """Widths at which the page scrolls sideways. Its size is changed."""
    found: list[PageFault] = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        found += [fault._replace(what=f"{fault.what} of {width} px") for fault in sideways(page)]
    return found


def by_axe(page: Page, rules: Literal["all", "colours"] = "all") -> list[PageFault]:
    """Violations that axe finds. The page must have been opened with `bypass_csp`."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE.read_text("utf-8"))
    options = {"resultTypes": ["violations"]}
    only = {"runOnly": {"type": "rule", "values": ["color-contrast"]}} if rules == "colours" else {}
    found = page.evaluate("(options) => axe.run(document, options)", {**options, **only})["violations"]
    return [PageFault("axe", rule["id"], node["html"][:160]) for rule in found for node in rule["nodes"][:3]]
