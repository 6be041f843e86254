"""Every page, light and dark, on a desk and on a phone, before a checker of accessibility."""

from itertools import product

import pytest

from .conftest import AXE, DESKTOP, PHONE

pytestmark = pytest.mark.timeout(180)
PAGES = {
    "runs": ("/", "tbody tr"),
    "new": ("/new", "text=Estimate"),
    "live": ("/debates/{awaiting}", "text=Answer for Con"),
    "seat": ("/debates/{awaiting}/seat/con", "text=Read it over and speak"),
    "nobody's seat": ("/debates/{awaiting}/seat/pro", "text=is not a human speaker"),
    "too early": ("/debates/{awaiting}/transcript", "h1"),
    "too early to judge": ("/debates/{awaiting}/judge", "text=has not ended yet"),
    "briefing": ("/debates/{first}", "h1"),
    "transcript": ("/debates/{first}/transcript", "article"),
    "trace": ("/debates/{first}/trace", "table"),
    "map": ("/debates/{first}/map", "[data-box]"),
    "claim in focus": ("/debates/{first}/map#PRO-1", "[data-main]"),
    "map of a competition": ("/debates/{competition}/map", "[data-box]"),
    "outline": ("/debates/{cited}/map", "text=No arguments"),
    "scores": ("/debates/{competition}/scores", "table"),
    "replay": ("/debates/{first}/replay", "input[type=range]"),
    "documents": ("/debates/{cited}/documents", "table"),
    "document": ("/debates/{cited}/documents/DOC-1", "mark"),
    "no document": ("/debates/{cited}/documents/DOC-9?there-is-none", "role=alert"),
    "judge": ("/debates/{second}/judge", "text=Who argued better"),
    "unjudged": ("/debates/{unjudged}", "h1"),
    "no debate": ("/debates/there-is-none", "role=alert"),
    "no debate to judge": ("/debates/there-is-none/judge", "role=alert"),
    "no page": ("/there-is-none", "text=Page not found"),
    "nothing to compare": ("/compare", "text=Select two"),
    "compare": ("/compare?first={first}&second={second}", "text=Turns side by side"),
    "stability": ("/stability?run={first}&run={second}", "h1"),
    "enter": ("/enter", "h1"),
    "settings": ("/settings", "table"),
    "check-up": ("/doctor", "table"),
    "costs": ("/costs", "table"),
}
AT_ONCE = ("briefing", "transcript")
LATER = pytest.mark.nightly("two minutes for all pages; the briefing and the transcript are checked on every change")
WAYS = [*product(("light", "dark"), (DESKTOP, PHONE))]
SETTLED = "document.fonts.ready.then(() => new Promise((go) => setTimeout(() => requestAnimationFrame(go))))"


@pytest.fixture(scope="module")
def debates(site, judged, awaiting):
    names = ("first", "second", "competition")
    others = {"awaiting": awaiting, "unjudged": site.play(model="improviser")}
    documents = [{"text": "Nights were very loud."}]
    others["cited"] = site.play(model="improviser", protocol="roundtable", documents=documents)
    return {**dict(zip(names, judged, strict=True)), **others}


@pytest.mark.parametrize("name", [*AT_ONCE, *(pytest.param(p, marks=LATER) for p in PAGES if p not in AT_ONCE)])
def test_a_page_has_no_fault(looking, debates, name):
    path, seen = PAGES[name]
    # The checker is put into the page by force; what the page itself may load is tried without that.
    look = looking(bypass_csp=True, absent="there-is-none" in path)
    page = look.at(path.format(**debates), seen)
    page.evaluate(AXE.read_text("utf-8"))
    found = {f"{theme}, {size['width']} wide": faults(page, theme, size) for theme, size in WAYS}
    assert [(way, wrong) for way, wrong in found.items() if wrong] == []


def faults(page, theme, size):
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size(size)
    page.evaluate(SETTLED)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [(fault["id"], [node["html"][:120] for node in fault["nodes"][:2]]) for fault in found]
