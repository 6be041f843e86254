"""From nothing to a shared file, as somebody with a mouse does it, and the beginning once more by keyboard alone."""

import re
from urllib.parse import unquote

import pytest

from tests.web.command import OPENING

from .conftest import PHONE

pytestmark = pytest.mark.timeout(180)
MOTION = "Should night trains come back?"
DEBATE = re.compile(r"/debates/[^/?#]+$")


def test_a_debate_is_started_watched_and_read(looking, site):
    look = looking()
    page = look.at("/new", "text=Estimate")
    page.fill("textarea", MOTION)
    page.get_by_role("radio", name="Competition").check()  # long enough to be seen while it goes on
    page.select_option("select >> nth=0", "improviser")
    page.get_by_role("button", name="Start the debate").click()
    page.wait_for_url(DEBATE)
    page.wait_for_selector("[data-turn]")
    site.ended(page.url.rpartition("/")[2], follows=1, seconds=90)
    page.get_by_role("link", name="Read the briefing").click()
    page.get_by_text("How sure", exact=True).first.wait_for()
    assert page.get_by_role("heading", level=1).inner_text() == MOTION


FOCUS = """() => {
  const at = document.activeElement;
  const marks = [at, at.closest("label")].filter(Boolean).map((one) => getComputedStyle(one));
  const seen = marks.some((look) => look.outlineStyle !== "none" && parseFloat(look.outlineWidth) > 0);
  return [at.ariaLabel ?? at.labels?.[0]?.innerText ?? at.innerText ?? "", seen];
}"""


def tab_to(page, wanted, key="Tab"):
    """By the key alone; wherever it comes to on its way, one sees where one is."""
    for _ in range(100):
        page.keyboard.press(key)
        name, seen = page.evaluate(FOCUS)
        assert seen, f"one does not see that the focus is at {name!r}"
        if re.match(wanted, name):
            return
    raise AssertionError(f"the key never came to {wanted!r}")


def go(page, wanted):
    tab_to(page, wanted)
    page.keyboard.press("Enter")


def test_it_can_be_started_by_keyboard_alone(looking):
    page = looking().at("/new", "text=Estimate")
    tab_to(page, "Your question")
    page.keyboard.type(MOTION)
    tab_to(page, r"(✓\s+)?Structured")
    page.keyboard.press("ArrowDown")
    assert not page.get_by_role("radio", name="Structured").is_checked()
    page.keyboard.press("ArrowUp")
    go(page, "Start the debate")
    page.wait_for_url(DEBATE)


def test_it_can_be_watched_by_keyboard_alone(looking, site):
    """Con is a person, so that it does not run away from whoever watches."""
    run_id = site.begin(model="improviser", seats={"con": "human"})
    page = looking().at(f"/debates/{run_id}", "text=Waiting for Con")
    go(page, "Pause")
    page.get_by_role("button", name="Resume", disabled=False).wait_for()
    assert page.evaluate(FOCUS) == ["Resume", True]
    tab_to(page, "Stop")
    tab_to(page, "Resume", "Shift+Tab")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Pause", disabled=False).wait_for()
    site.http.post(f"/api/debates/{run_id}/speeches", json={"seat": "con", "text": OPENING})
    page.wait_for_selector("[data-turn]")
    tab_to(page, "Link to turn r1.t0")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.matches('[data-turn]')")
    page.get_by_text("Waiting for Con").wait_for()
    tab_to(page, "Answer for Con")
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


def test_it_can_be_read_by_keyboard_alone(looking, site):
    site.play(question="Should bells ring at night?", model="improviser", judges="auto", follows=1)
    page = looking().at("/", "tbody tr")
    go(page, "Should bells ring at night")
    page.get_by_text("How sure", exact=True).first.wait_for()
    go(page, "Transcript")
    page.wait_for_selector("article")
    go(page, "Map")
    page.wait_for_selector("[data-box]")
    go(page, r"PRO-1\s")
    page.wait_for_selector("[data-main]")
    go(page, "In the transcript")
    page.wait_for_selector(".led-to")
    go(page, "Arguments")
    page.wait_for_selector("table")
    go(page, "Strength")
    assert page.locator("th[aria-sort]").inner_text().startswith("Strength")
    go(page, "PRO-2")
    page.wait_for_selector(".led-to")


@pytest.mark.nightly("three debates; each page is walked by keys on every change")
def test_what_follows_a_debate_can_be_done_by_keyboard_alone(looking, site):
    """From the verdict: a file to share, a vote, a fork, which is stopped, and by the palette to a further debate."""
    motion = "Should bells ring at noon?"
    run_id = site.play(question=motion, model="improviser", judges="auto", follows=1)
    page = looking().at(f"/debates/{run_id}", "text=Go on from here")
    go(page, "Export")
    tab_to(page, "One file to share")
    page.keyboard.press("Escape")
    tab_to(page, "Judge it yourself", "Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/judge")
    page.wait_for_selector("main form, main article")
    page.keyboard.press("Control+k")
    page.keyboard.type(motion)
    page.get_by_role("group", name="Debates").get_by_role("option").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: unquote(url).endswith(run_id))
    page.get_by_role("heading", name="Go on from here").wait_for()
    assert page.evaluate("document.activeElement.tagName") in {"H1", "MAIN"}
    go(page, "Branch it")
    page.wait_for_url(lambda url: not unquote(url).endswith(run_id))
    site.ended(unquote(page.url.rpartition("/")[2]))


def test_a_debate_is_stopped_by_keyboard_alone(looking, site):
    run_id = site.begin(model="improviser", seats={"con": "human"})
    page = looking().at(f"/debates/{run_id}", "text=Answer for Con")
    go(page, "Stop")
    page.get_by_role("dialog").wait_for()
    go(page, "Stop")
    site.ended(run_id)
    assert site.http.get(f"/api/debates/{run_id}").json()["report"]["ending"] == "cancelled"


def test_an_argument_leads_from_the_map_to_its_words_and_back(looking, judged):
    look = looking()
    page = look.at(f"/debates/{judged[0]}/map", "[data-box]")
    page.locator("[data-key='PRO-1']").click()
    page.get_by_role("link", name="In the transcript").click()
    page.wait_for_url(re.compile("/transcript"))
    page.wait_for_selector(".led-to")
    page.go_back()
    page.wait_for_selector("[data-main]")


def test_the_table_holds_every_argument_of_the_map(looking, judged, site):
    ids = [traced["id"] for traced in site.http.get(f"/api/debates/{judged[0]}/view").json()["judgement"]["trace"]]
    page = looking().at(f"/debates/{judged[0]}/trace", "table")
    told = page.inner_text("main")
    assert [name for name in ids if name not in told] == []


def test_a_debate_that_nobody_judged_is_judged_from_its_page(looking, site):
    run_id = site.play(model="improviser")
    page = looking().at(f"/debates/{run_id}", "h1")
    page.get_by_role("button", name="Judge it", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("row", name="judging").get_by_text("free").wait_for()
    dialog.get_by_role("button", name="Judge it", exact=True).click()
    again = page.get_by_role("button", name="Judge it again")
    again.wait_for(timeout=60_000)
    assert page.get_by_text("Held up").count() > 0
    assert site.http.get(f"/api/debates/{run_id}/view").json()["judgement"]


def test_a_replay_ends_where_the_debate_ended(looking, judged):
    page = looking().at(f"/debates/{judged[0]}/replay", "input[type=range]")
    slider = page.locator("input[type=range]")
    slider.focus()
    page.keyboard.press("End")
    assert slider.input_value() == slider.get_attribute("max")


def test_two_debates_stand_side_by_side(looking, judged):
    first, second, _ = judged
    page = looking().at(f"/compare?first={first}&second={second}", "text=Turns side by side")
    assert "closing" in page.inner_text("main").casefold()


def test_a_shared_file_opens_from_disk_and_calls_nobody(looking, judged, tmp_path):
    look = looking(accept_downloads=True)
    page = look.at(f"/debates/{judged[0]}", "h1")
    title = page.get_by_role("heading", level=1).inner_text()
    page.get_by_text("Export").first.click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="One file to share").click()
    saved.value.save_as(tmp_path / "shared.html")
    page.context.set_offline(True)
    page.goto(f"file://{tmp_path}/shared.html")
    assert page.get_by_role("heading", level=1).inner_text() == title


@pytest.mark.nightly("twenty seconds for five pages of a competition")
def test_on_a_phone_nothing_reaches_over_the_edge(looking, judged):
    look = looking(PHONE)
    over = {}
    for place in ("", "/transcript", "/trace", "/scores", "/replay"):
        page = look.at(f"/debates/{judged[2]}{place}", "h1")
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        over[place] = page.evaluate(wide)
    assert [place for place, columns in over.items() if columns > 0] == []
