"""The verdict page: what a reader sees before scrolling, how heavy it is set, and what a fault looks like."""

from contextlib import closing
from importlib.resources import files
from itertools import product
from urllib.parse import unquote

import pytest

from hustings.db import tokens
from hustings.db.connection import connect
from hustings.db.tokens import Access
from hustings.judging.dossier import Dossier
from hustings.llm.improviser import Improviser
from hustings.report.failure_text import CALL_FAULTS
from hustings.report.formats import share
from hustings.runs.recording import load, name_of, packaged
from hustings.runs.request import DebateRequest, build_spec
from hustings.transcript.notes import BudgetStopped, Cancelled, Failed

from . import stored
from .conftest import AXE, PHONE
from .test_access import faults
from .test_people import Room

pytestmark = pytest.mark.timeout(180)
WIDE = {"width": 1440, "height": 900}
WAYS = [*product(("light", "dark"), (WIDE, PHONE))]
NAMES = [name_of(file) for file in packaged()]
WEAK = {"rewrite", "small-model"}
"""Recordings whose result is too close, or not to be relied on."""
LATER = pytest.mark.nightly("half a minute for all recordings; one of them is looked at on every change")
EVERY = [NAMES[0], *(pytest.param(name, marks=LATER) for name in NAMES[1:])]
SEEN = "(one) => one.getBoundingClientRect().bottom <= innerHeight"
TOP = "(one) => one.getBoundingClientRect().top"
SIZES = """[...document.querySelectorAll("main *")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
  .map((one) => parseFloat(getComputedStyle(one).fontSize))"""
ACROSS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Addresses of the recorded debates, each a file to share."""
    folder, page = tmp_path_factory.mktemp("shared"), files("hustings").joinpath(share.PAGE).read_text("utf-8")
    made = {}
    for file in packaged():
        told = load(file.read_bytes(), file.name)
        kept = {"judgement": told.remains.judgement, "expenses": told.remains.expenses, "summary": told.remains.summary}
        path = folder / f"{name_of(file)}.html"
        path.write_text(share.render(Dossier(proceedings=told.proceedings, **kept), page), "utf-8")
        made[name_of(file)] = path.as_uri()
    return made


def opened(looking, address, size=WIDE, **options):
    page = looking(size, **options).page
    page.goto(address)
    page.get_by_role("heading", level=2).first.wait_for()
    page.evaluate("document.fonts.ready")
    return page


# -- before scrolling ----------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_outcome_trust_both_strongest_claims_and_care_are_seen_without_scrolling(looking, shared, name):
    page = opened(looking, shared[name])
    card = page.get_by_role("region", name=page.get_by_role("heading", level=2).first.inner_text())
    claims = page.get_by_role("region", name="Strongest claim of each side").get_by_role("article")
    # An earlier release recorded no strongest claims.
    assert claims.count() == (0 if name == "small-model" else 2)
    parts = [card.get_by_text("How sure"), *claims.all(), page.get_by_text("Limits of this result")]
    assert card.evaluate(TOP) <= 160
    assert all(part.evaluate(SEEN) for part in parts)


@pytest.mark.parametrize("name", EVERY)
def test_a_phone_shows_outcome_bars_and_trust_without_scrolling(looking, shared, name):
    page = opened(looking, shared[name], PHONE)
    card = page.get_by_role("heading", level=2).first.locator("xpath=ancestor::section[1]")
    assert card.evaluate(TOP) <= 200
    assert card.get_by_role("img").last.evaluate(SEEN)
    assert card.get_by_text("How sure").evaluate(SEEN)


@pytest.mark.parametrize("name", EVERY)
def test_the_weight_of_the_sentence_follows_confidence(looking, shared, name):
    heading = opened(looking, shared[name]).get_by_role("heading", level=2).first
    weight = int(heading.evaluate("(one) => getComputedStyle(one).fontWeight"))
    assert (weight < 500) == (name in WEAK)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("width", [320, 768, 1024])
def test_no_width_needs_scrolling_sideways(looking, shared, name, width):
    assert opened(looking, shared[name], {"width": width, "height": 800}).evaluate(ACROSS) <= 0


@pytest.mark.parametrize("name", EVERY)
def test_no_text_is_set_smaller_than_twelve_pixels(looking, shared, name):
    sizes = opened(looking, shared[name]).evaluate(SIZES)
    assert min(sizes) >= 12


@pytest.mark.parametrize("name", EVERY)
def test_a_verdict_page_has_no_fault(looking, shared, name):
    page = opened(looking, shared[name], bypass_csp=True)
    page.evaluate(AXE.read_text("utf-8"))
    found = {f"{theme}, {size['width']} wide": faults(page, theme, size) for theme, size in WAYS}
    assert [(way, wrong) for way, wrong in found.items() if wrong] == []


# -- what broke ----------------------------------------------------------------------------


def broken_by(site, ending):
    """The id of a debate that ended like this."""
    spec = build_spec(DebateRequest(protocol="structured", question="Should it rain?", model="improviser"), {})
    proceedings, events = stored.played(spec, Improviser(1))
    return stored.keep(site, spec, proceedings.model_copy(update={"ending": ending}), events)


@pytest.fixture(scope="module")
def broken(site):
    """The id of a debate that broke off because Pro's model never answered."""
    reason = CALL_FAULTS["timed_out"].replace("SEAT", "PRO")
    return broken_by(site, Failed(code="SeatFailed", reason=f"pro: {reason} (no first word within 60 s)"))


def test_a_failure_says_why_and_what_to_do_and_offers_no_judging(looking, broken):
    page = looking(WIDE).at(f"/debates/{broken}", "text=Broke off")
    told = page.locator("main").inner_text()
    assert "Pro gave no usable answer, so the debate broke off." in told
    assert "No answer in time (no first word within 60 s)." in told
    assert "Allow more: PRO_LLM_FIRST_TOKEN_TIMEOUT" in told
    assert "6 turns are saved" in told
    assert page.get_by_role("button", name="Judge it").count() == 0
    assert page.get_by_role("link", name="Judge it yourself").count() == 0


ONE_CLASS = pytest.mark.nightly("a debate for each class of fault; one that timed out goes on on every change")
ENDINGS = [
    *(
        pytest.param(Failed(code="SeatFailed", reason=f"pro: {CALL_FAULTS[kind]}"), id=kind, marks=ONE_CLASS)
        for kind in CALL_FAULTS
        if kind not in {"timed_out", "broke", "called_off"}
    ),
    pytest.param(Failed(code="SeatFailed", reason=f"pro: {CALL_FAULTS['timed_out']}"), id="timed_out"),
    pytest.param(Failed(code="rejected", reason=CALL_FAULTS["rejected"]), id="first call rejected", marks=ONE_CLASS),
    pytest.param(Failed(code="KeyError", reason="'x'"), id="fault of a protocol", marks=ONE_CLASS),
    pytest.param(BudgetStopped(spent=1.0, cap=1.0, unit="USD"), id="broke", marks=ONE_CLASS),
    pytest.param(Cancelled(by="ann"), id="called_off", marks=ONE_CLASS),
]
"""Every way in which the engine ends a debate before its script does."""


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_first_button_of_a_failure_goes_on_with_the_debate(looking, site, ending):
    run_id = broken_by(site, ending)
    page = looking(WIDE).at(f"/debates/{run_id}", "main section:has(button:text('Try again'))")
    first = page.locator("main section:has(h2)").filter(has=page.get_by_text("Try again")).get_by_role("button").first
    assert first.inner_text() == "Try again from here"
    first.click()
    assert ending_after(page, site, run_id) == "played"


def ending_after(page, site, run_id):
    """How the debate ends that a button began."""
    page.wait_for_url(lambda url: not url.endswith(run_id))
    again = unquote(page.url.rpartition("/")[2])
    site.ended(again)
    return site.http.get(f"/api/debates/{again}").json()["report"]["ending"]


def test_a_run_that_no_worker_can_go_on_with_is_tried_again_from_its_page(looking, site):
    spec = build_spec(DebateRequest(protocol="structured", question="Should it rain?", model="improviser"), {})
    _, events = stored.played(spec, Improviser(1))
    run_id = stored.begun(site, spec, events[:3], "the spec is of a later release")
    page = looking(WIDE).at(f"/debates/{run_id}", "text=The debate can't go on.")
    assert "the spec is of a later release" in page.locator("main").inner_text()
    page.get_by_role("button", name="Try again from here").click()
    assert ending_after(page, site, run_id) == "played"


def test_a_failure_has_no_fault_of_its_own(looking, broken):
    page = looking(WIDE, bypass_csp=True).at(f"/debates/{broken}", "text=Broke off")
    page.evaluate(AXE.read_text("utf-8"))
    found = {f"{theme}, {size['width']} wide": faults(page, theme, size) for theme, size in WAYS}
    assert [(way, wrong) for way, wrong in found.items() if wrong] == []


def test_a_debate_that_is_not_there_leads_to_all_debates(looking):
    page = looking(absent=True).at("/debates/there-is-none", "role=alert")
    page.get_by_role("link", name="All debates").click()
    page.get_by_role("heading", level=1).wait_for()
    assert page.url.endswith("/")


def test_who_has_to_sign_in_gets_the_form_alone_and_then_the_page(browser, tmp_path):
    with Room(tmp_path).open() as room, browser.new_context(viewport=WIDE) as context:
        with closing(connect(room.url)) as database:
            token = tokens.issue(database, Access("ann"))
        page = context.new_page()
        page.goto(f"{str(room.http.base_url).rstrip('/')}/stats")
        page.get_by_label("Access token").fill(token)
        others = [page.get_by_role("alert"), page.get_by_role("link", name="New debate")]
        assert [other.count() for other in others] == [0, 0]
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("heading", level=1, name="Statistics").wait_for()


# -- the frame -----------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "most"), [(WIDE, 160), (PHONE, 200)], ids=["desk", "phone"])
def test_the_verdict_begins_high_on_the_page_beside_all_actions(looking, judged, size, most):
    page = looking(size).at(f"/debates/{judged[0]}", "text=How sure")
    page.locator("summary[aria-label=More]").wait_for()
    card = page.get_by_role("heading", level=2).first.locator("xpath=ancestor::section[1]")
    assert card.evaluate(TOP) <= most


def test_actions_are_one_menu_on_a_phone(looking, judged):
    page = looking(PHONE).at(f"/debates/{judged[0]}", "text=How sure")
    assert page.get_by_role("link", name="Judge it yourself").locator("visible=true").count() <= 1
    page.locator("summary[aria-label=More]").click()
    shown = page.locator("details[open]").first.inner_text()
    assert [what for what in ("Judge it yourself", "Judge it again", "Markdown", "Print") if what not in shown] == []


def test_tabs_do_not_move_when_actions_have_loaded(looking, judged):
    page = looking(WIDE).page
    page.route("**/api/about", lambda route: (page.wait_for_timeout(400), route.continue_())[1])
    page.goto(f"{looking(WIDE).base}/debates/{judged[0]}")
    tabs = page.get_by_role("navigation", name="Views of this debate")
    tabs.wait_for()
    before = tabs.bounding_box()
    page.get_by_role("button", name="Judge it again").wait_for()
    assert tabs.bounding_box() == before
