"""The pages in German: chosen by the browser or by hand, whole on small screens, English where the server writes."""

from importlib.resources import files

import pytest
from playwright.sync_api import expect

from hustings.judging.dossier import Dossier
from hustings.report.formats import share
from hustings.runs.recording import load, name_of, packaged

from .conftest import AXE, DESKTOP, PHONE
from .test_access import faults

pytestmark = pytest.mark.timeout(180)
SMALL = {"width": 320, "height": 700}
SAMPLE = "/samples/monolith"
PAGES = {
    "first": ("/", "text=Hören Sie beide Seiten"),
    "verdict": (SAMPLE, "text=Wie sicher"),
    "new": ("/new", "text=Wofür ist die Debatte?"),
    "live": ("/debates/{awaiting}", "text=Für Con antworten"),
    "seat": ("/debates/{awaiting}/seat/con", "text=Durchlesen und sprechen"),
    "trace": (f"{SAMPLE}/trace", "text=Was es bewegte"),
    "map": (f"{SAMPLE}/map", "[data-box]"),
    "list": ("/", "text=Ergebnisse bis zu meiner Stimme verbergen"),
}
AT_ONCE = ("first", "verdict", "live", "seat")
LATER = pytest.mark.nightly("seconds for each page; four of them are looked at on every change")
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll('header button, header a, header summary, main button, main summary')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.sr-only'))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1 && box.height > 1 && getComputedStyle(document.body).position !== 'fixed');
  const fixed = (one) => { for (let at = one; at; at = at.parentElement)
    if (/fixed|sticky/.test(getComputedStyle(at).position)) return true; return false; };
  const out = [];
  for (const [one, a] of boxes) for (const [two, b] of boxes)
    if (one !== two && !one.contains(two) && !two.contains(one) && !fixed(one) && !fixed(two) &&
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)
      out.push(`${one.innerText || one.ariaLabel} / ${two.innerText || two.ariaLabel}`);
  return out;
}"""


@pytest.mark.parametrize("name", [*AT_ONCE, *(pytest.param(p, marks=LATER) for p in PAGES if p not in AT_ONCE)])
def test_a_page_is_in_german_and_whole_on_a_small_screen(looking, request, name):
    path, seen = PAGES[name]
    if "{" in path or name == "list":
        path = path.format(awaiting=request.getfixturevalue("awaiting"))
    page = looking(bypass_csp=True, locale="de-DE").at(path, seen)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.evaluate(AXE.read_text("utf-8"))
    for size in (DESKTOP, PHONE, SMALL):
        assert faults(page, "light", size) == []
        assert page.evaluate(TOO_WIDE) <= 0, size
        assert page.evaluate(OVERLAPS) == [], size


def test_what_the_server_writes_is_marked_as_english_and_the_page_says_so(looking):
    page = looking(locale="de-AT").at(SAMPLE, "text=Wie sicher")
    expect(page.locator("main h2").first).to_have_attribute("lang", "en")
    expect(page.get_by_text("schreibt hustings auf Englisch")).to_be_visible()


def test_a_language_that_is_chosen_stays_after_a_reload(looking):
    page = looking().at(SAMPLE, "text=How sure")
    page.get_by_label("Language").click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_text("Wie sicher")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Wie sicher")).to_be_visible()
    page.get_by_label("Sprache").click()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_text("How sure")).to_be_visible()


def test_a_browser_in_english_loads_no_german(looking):
    look = looking()
    asked = []
    look.page.on("request", lambda one: asked.append(one.url.rpartition("/")[2]))
    look.at(SAMPLE, "text=How sure")
    look.page.wait_for_load_state("networkidle")
    assert [name for name in asked if name.startswith("de-")] == []


def test_a_shared_file_is_in_german_too(looking, tmp_path):
    (sample,) = (one for one in packaged() if name_of(one) == "monolith")
    told = load(sample.read_bytes(), sample.name)
    dossier = Dossier(proceedings=told.proceedings, judgement=told.remains.judgement, expenses=told.remains.expenses)
    file = tmp_path / "shared.html"
    file.write_text(share.render(dossier, files("hustings").joinpath(share.PAGE).read_text("utf-8")), "utf-8")
    page = looking(locale="de-DE").page
    page.goto(file.as_uri())
    expect(page.get_by_text("Wie sicher")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")
