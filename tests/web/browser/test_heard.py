"""What those who listen to a page hear: its outline, a name for each control, and one sentence for each speech."""

from itertools import pairwise
from textwrap import dedent

import pytest
from playwright.sync_api import expect

from tests.rig.waiting import until
from tests.web.command import OPENING

pytestmark = pytest.mark.timeout(180)
PAGES = ("", "/map", "/transcript", "/trace", "/scores", "/replay")
LEVELS = """[...document.querySelectorAll("h1,h2,h3,h4,h5,h6")]
  .filter((one) => one.checkVisibility()).map((one) => Number(one.tagName[1]))"""
HEARD = """
  window.heard = [];
  const live = "[role=status],[role=alert],[role=log],[aria-live]:not([aria-live=off])";
  new MutationObserver((changes) => {
    const places = changes.map(({ target }) => (target.nodeType === 1 ? target : target.parentElement)?.closest(live));
    for (const place of new Set(places)) if (place?.innerText.trim()) window.heard.push(place.innerText.trim());
  }).observe(document, { subtree: true, childList: true, characterData: true });
"""
NAMELESS = """[...document.querySelectorAll("main :is(a[href],button,input,select,textarea,summary,[tabindex='0'])")]
  .filter((one) => one.checkVisibility() && !one.ariaLabel && !one.labels?.length && !one.innerText.trim() && !one.title
    && !one.getAttribute("aria-labelledby")).map((one) => one.outerHTML)"""


@pytest.mark.parametrize("path", PAGES)
def test_headings_go_down_a_level_at_a_time_and_every_control_has_a_name(looking, judged, path):
    page = looking().at(f"/debates/{judged[0]}{path}", "main :is(h2, article, table, [data-box], input):visible")
    levels = page.evaluate(LEVELS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert [(up, down) for up, down in pairwise(levels) if down > up + 1] == []
    assert page.evaluate(NAMELESS) == []


def test_a_verdict_is_heard_before_what_it_rests_on(looking, judged):
    page = looking().at(f"/debates/{judged[0]}", "text=Go on from here")
    expect(page.locator("main")).to_match_aria_snapshot(
        dedent("""
        - main:
          - heading "Should towns close their centres to cars?" [level=1]
          - navigation "Views of this debate":
            - list:
              - listitem:
                - link "Verdict"
          - region:
            - heading [level=2]
        """)
    )


def test_each_speech_is_told_in_one_sentence_and_no_more(looking, site):
    look = looking()
    look.page.add_init_script(HEARD)
    run_id = site.begin(model="improviser", seats={"con": "human"})
    page = look.at(f"/debates/{run_id}", "text=Answer for Con")
    page.evaluate("window.heard = []")
    site.http.post(f"/api/debates/{run_id}/speeches", json={"seat": "con", "text": OPENING})
    page.wait_for_selector("#r1\\.t1")
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"])
    page.get_by_text("Answer for Con").wait_for()
    page.wait_for_timeout(2_000)  # clocks run, and are not told
    heard = page.evaluate("window.heard")
    site.http.post(f"/api/debates/{run_id}/cancel")
    assert 1 <= len(heard) <= page.locator("[data-turn]").count()
    assert [said for said in heard if said.rstrip(".").count(". ")] == []


def test_a_debate_under_way_says_how_it_stands_who_sits_there_and_what_was_said(looking, awaiting):
    page = looking().at(f"/debates/{awaiting}", "text=Answer for Con")
    expect(page.locator("main")).to_match_aria_snapshot(
        dedent("""
        - main:
          - region "The debate now":
            - heading "Should towns close their centres to cars?" [level=1]
            - button "Pause"
            - button "Stop"
          - status
          - complementary "Speakers":
            - region:
              - list:
                - listitem: /Pro/
          - link "Answer for Con"
        """)
    )
