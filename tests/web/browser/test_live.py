"""The page of a running debate: it keeps still, its clock runs, a wait explains itself, a cut line loses nothing."""

import random
import re
import time
from urllib.parse import unquote
from uuid import uuid4

import pytest

from hustings.db.instants import instant
from hustings.llm.model_spec import ModelSpec
from hustings.runs.registry import find_protocol
from hustings.runs.request import cast_with
from hustings.runs.spec import RunSpec, new_fence
from hustings.runs.staging import plan
from tests.rig.provider import serving
from tests.rig.proxy import proxied
from tests.rig.waiting import until
from tests.web import agreed
from tests.web.command import OPENING
from tests.web.rig import MOTION

from .conftest import AXE, DESKTOP, PHONE
from .test_access import WAYS, faults
from .test_people import TURN

pytestmark = pytest.mark.timeout(180)
STILL = 0.1
"""Largest sum of layout shifts within a window that is called good."""
AGAIN = re.compile(r"(Pro|Con) has not answered for \d+ s; asking again, 2 of 2\.")
SHIFTS = """() => {
  window.shifts = [];
  const named = (each) => each.node?.outerHTML?.slice(0, 90);
  const note = (list) => list.getEntries().forEach((one) => {
    if (!one.hadRecentInput) window.shifts.push([one.startTime, one.value, one.sources.map(named)]);
  });
  new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
}"""
KEPT = """() => {
  window.said = [];
  const keep = () => window.said.push(document.body.innerText);
  new MutationObserver(keep).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
"""Keeps all that the page says from now on."""
SPOKEN = "[...document.querySelectorAll('[data-turn]')].map((one) => [one.id, one.innerText])"
SHOWN = "document.querySelector('main').innerText.replace(/\\d+:\\d\\d(:\\d\\d)?/g, '')"
"""All that the page says but its clocks."""
SCORES = "Object.fromEntries([...document.querySelectorAll('[data-score]')].map((b) => [b.dataset.score, b.innerText]))"


def windowed(shifts):
    """The worst window: shifts at most a second apart, five seconds at most."""
    worst = window = began = last = 0.0
    for at, value, _ in shifts:
        if at - last > 1_000 or at - began > 5_000:
            window, began = 0.0, at
        window, last = window + value, at
        worst = max(worst, window)
    return worst


def totals(site, run_id):
    """The score at the table when the debate is over, as the record has it."""
    *_, (_, teams, _, _) = agreed.stands(site.state.operator.runs.events(run_id))
    return {team: f"{round(total, 9):.1f}" for team, (total, _) in teams.items()}


@pytest.mark.nightly("a whole competition; on a busy machine parts of the page come late enough to move others")
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_a_competition_is_followed_from_start_to_end_without_a_jump(looking, site, size):
    look = looking(size)
    look.page.add_init_script(f"({SHIFTS})()")
    run_id = site.begin(protocol="competition", model="improviser", question="Should bells ring?")
    page = look.at(f"/debates/{run_id}", "h1")
    page.get_by_text("The debate has ended").wait_for(timeout=90_000)
    shifts = page.evaluate("window.shifts")
    assert windowed(shifts) <= STILL, sorted(shifts, key=lambda one: -one[1])[:5]
    assert page.evaluate(SCORES) == totals(site, run_id)
    marks = page.get_by_label("Marks of the judge")
    assert marks.count() == page.locator("[data-turn]").count() > 20


def test_the_time_runs_although_nothing_happens(looking, awaiting):
    page = looking().at(f"/debates/{awaiting}", "text=Answer for Con")
    timer = page.get_by_role("timer", name="Time since the start")
    first = timer.inner_text()
    page.wait_for_function(
        "first => document.querySelector('[role=timer]').innerText !== first", arg=first, timeout=5_000
    )


def test_a_reader_at_the_end_is_still_there_when_the_window_becomes_narrow(looking, awaiting):
    page = looking().at(f"/debates/{awaiting}", "text=Answer for Con")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_text("Scores, rules and cost").wait_for()
    page.wait_for_timeout(300)
    assert page.get_by_role("button", name="Jump to live").count() == 0


def test_a_speaker_who_waits_for_another_is_shown_as_held_back(looking, awaiting):
    page = looking().at(f"/debates/{awaiting}", "text=Answer for Con")
    page.get_by_text("Pro has spoken; you will hear it once Con has spoken too.").wait_for()
    assert page.locator("[data-seat=pro]").get_attribute("data-state") == "held back"


@pytest.fixture(scope="module")
def provider():
    with serving(hang=60) as made:
        yield made


@pytest.fixture
def stalled(site, provider):
    """Begins debates whose model never answers; ends them afterwards."""
    begun = []

    def begin(**limits):
        debate = plan(find_protocol("structured"), MOTION)
        # A model of its own: what a debate before it did to the health of its endpoint holds back no call of this one.
        named = {"model": f"m-{uuid4().hex[:6]}", "base_url": provider.always("hang")}
        told = {"provider": "openai_compatible", "local": True, **named}
        model_specs = {seat.id: ModelSpec(**told, **limits) for seat in debate.seats}
        run_id = f"stalled-{uuid4().hex[:6]}"
        made = {"debate": cast_with(debate, model_specs), "model_specs": model_specs, "created_at": instant()}
        site.state.operator.control.enter(RunSpec(run_id=run_id, lineage=run_id, fence=new_fence(), **made))
        until(lambda: site.http.get(f"/api/debates/{run_id}").json()["live"]["calls"], 60)
        begun.append(run_id)
        return run_id

    yield begin
    for run_id in begun:
        site.http.post(f"/api/debates/{run_id}/cancel")


def shown_after(page, text):
    begun = time.monotonic()
    page.get_by_text(text).first.wait_for()
    return time.monotonic() - begun


def test_a_model_that_stalls_shows_its_try_and_its_deadline_and_so_does_a_reload(looking, site, stalled):
    """A busy machine is given what it takes to ask the server once, five times over."""
    run_id = stalled()
    begun = time.monotonic()
    site.http.get(f"/api/debates/{run_id}")
    busy = 5 * (time.monotonic() - begun)
    page = looking().at(f"/debates/{run_id}", "h1")
    for _ in range(2):
        assert shown_after(page, "Try 1 of 2.") <= 2 + busy
        assert page.get_by_text("Given up at 5:00.").count() == 2
        waited = page.locator("[data-wait] b").first.inner_text()
        page.reload()
        page.wait_for_selector("h1")
    assert page.locator("[data-wait] b").first.inner_text() >= waited


@pytest.mark.nightly("ten seconds until a wait is long; the route has its test on every change")
def test_a_model_that_keeps_everyone_waiting_is_given_time_or_replaced(looking, site, stalled):
    """Both seats of the first round hang: the first is given more time, then each is replaced in turn."""
    run_id = stalled()
    page = looking().at(f"/debates/{run_id}", "text=Try 1 of 2.")
    page.get_by_role("button", name="Ask again with 2 more minutes").first.click()
    page.wait_for_url(lambda url: not url.endswith(run_id))
    page.get_by_text("Given up at 7:00.").first.wait_for()
    for _ in range(2):
        here = page.url
        page.get_by_label("Another model").first.select_option("improviser")
        page.get_by_role("button", name="Seat it").first.click()
        page.wait_for_url(lambda url, here=here: url != here)
    again = site.ended(unquote(page.url.rpartition("/")[2]))
    assert site.http.get(f"/api/debates/{again}").json()["report"]["ending"] == "played"


@pytest.mark.nightly("ten seconds for a first try to be lost; the first try is looked at on every change")
def test_a_second_try_says_how_long_nothing_came_and_which_it_is(looking, stalled):
    run_id = stalled(first_token_timeout=8.0)
    page = looking().at(f"/debates/{run_id}", "text=Try 1 of 2.")
    until(lambda: page.get_by_text(AGAIN).count() == 2)
    page.reload()
    page.get_by_text("asking again, 2 of 2").first.wait_for()


@pytest.fixture
def through(browser, site):
    """A page behind a line that can be cut, and the line."""
    with (
        proxied("127.0.0.1", int(site.url.rpartition(":")[2])) as line,
        browser.new_context(viewport=DESKTOP, reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        page.set_default_timeout(20_000)
        yield page, line


def test_a_cut_line_is_told_and_nothing_is_missed_when_it_is_back(through, looking, site):
    page, line = through
    run_id = site.begin(model="improviser", seats={"con": "human"})
    page.goto(f"http://127.0.0.1:{line.port}/debates/{run_id}")
    page.get_by_text("Answer for Con").wait_for()
    line.down()
    page.get_by_text("Not connected to the server for").wait_for()
    site.http.post(f"/api/debates/{run_id}/speeches", json={"seat": "con", "text": OPENING})
    line.up()
    page.wait_for_selector("#r1\\.t1")
    page.get_by_text("Not connected to the server for").wait_for(state="detached")
    whole = looking().at(f"/debates/{run_id}", "#r1\\.t1")
    until(lambda: page.evaluate(SPOKEN) == whole.evaluate(SPOKEN))
    site.http.post(f"/api/debates/{run_id}/cancel")


def test_a_line_that_is_back_after_a_second_is_not_said_to_be_lost(through, site):
    page, line = through
    run_id = site.begin(model="improviser", seats={"con": "human"})
    page.goto(f"http://127.0.0.1:{line.port}/debates/{run_id}/seat/con")
    page.get_by_role("heading", name=TURN).wait_for()
    page.evaluate(f"({KEPT})()")
    with page.expect_request(lambda asked: f"{run_id}/events" in asked.url):
        line.reset()
    site.http.post(f"/api/debates/{run_id}/speeches", json={"seat": "con", "text": OPENING})
    page.get_by_role("heading", name="Your turn: Cross-examination").wait_for()
    site.http.post(f"/api/debates/{run_id}/cancel")
    assert [said for said in page.evaluate("window.said") if "Connection lost" in said] == []


@pytest.mark.nightly("a whole competition, cut a hundred times")
def test_a_competition_cut_a_hundred_times_shows_what_one_without_a_cut_shows(through, looking, site):
    page, line = through
    rng = random.Random(5)
    run_id = site.begin(protocol="competition", model="improviser", seats={"con_4": "human"})
    page.goto(f"http://127.0.0.1:{line.port}/debates/{run_id}")
    page.wait_for_selector("h1")  # a page whose program never came cannot show anything
    for _ in range(100):
        page.wait_for_timeout(rng.randint(10, 200))
        line.reset()
    page.get_by_text("Answer for Con 4").wait_for(timeout=60_000)
    whole = looking().at(f"/debates/{run_id}", "text=Answer for Con 4")
    until(lambda: page.evaluate(SHOWN) == whole.evaluate(SHOWN))
    log = site.state.operator.runs.events(run_id)
    spoken = [event.turn.turn_id for event in log if event.kind == "turn_entered"]
    until(lambda: [name for name, _ in page.evaluate(SPOKEN)] == spoken)
    assert page.evaluate(SCORES) == totals(site, run_id)
    site.http.post(f"/api/debates/{run_id}/cancel")


@pytest.mark.nightly("seconds for each way of looking at it; the page is followed on every change")
@pytest.mark.parametrize("kind", ["competition", "stalled"])
def test_the_live_page_has_no_fault(looking, site, stalled, kind):
    if kind == "stalled":
        run_id, seen = stalled(), "text=Try 1 of 2."
    else:
        run_id = site.begin(protocol="competition", model="improviser", seats={"con_4": "human"})
        seen = "text=Answer for Con 4"
    page = looking(bypass_csp=True).at(f"/debates/{run_id}", seen)
    page.evaluate(AXE.read_text("utf-8"))
    found = {f"{theme}, {size['width']} wide": faults(page, theme, size) for theme, size in WAYS}
    site.http.post(f"/api/debates/{run_id}/cancel")
    assert [(way, wrong) for way, wrong in found.items() if wrong] == []
