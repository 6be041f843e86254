"""The map at first sight: words that can be read, boxes that stand apart, and a way through it by keyboard alone."""

import pytest
from inline_snapshot import snapshot

from hustings.llm.improviser import Improviser
from hustings.runs.request import DebateRequest, build_spec

from .conftest import PHONE
from .stored import keep, played

pytestmark = pytest.mark.timeout(180)
LARGE = {"width": 1440, "height": 900}
MAP = "section[aria-label='Argument map']"
COUNTS = (8, 45, 200)


@pytest.fixture(scope="module")
def argued(site):
    """Ids of structured debates by how many arguments they have; the first of each side was answered."""
    return {count: keep(site, *put_forward(count)) for count in COUNTS}


def put_forward(count):
    """A debate of two sides, whose openings put forward that many arguments, and who reply to the first alone."""
    request = DebateRequest(protocol="structured", question="Should bells ring at night?", model="improviser")
    spec = build_spec(request, {})
    proceedings, events = played(spec, Improviser())
    notes = tuple(many(note, count) if note.kind == "points" else note for note in proceedings.notes)
    return spec, proceedings.model_copy(update={"notes": notes}), events


def many(note, count):
    turn = note.about[0].turn_id
    round_, place = int(turn[1]), int(turn[-1])
    side, other = ("PRO", "CON") if place == 0 else ("CON", "PRO")
    if round_ == 1:
        own = count // 2 + (count % 2 if side == "PRO" else 0)
        points = [
            {"id": f"{side}-{n}", "kind": "argument", "claim": claim(side, n), "words": claim(side, n)}
            for n in range(1, own + 1)
        ]
    elif round_ == 2:
        points = [reply(f"{other}-1/response", "refute", f"{other}-1", "It is not so, and here is why.")]
    else:
        points = [reply(f"{side}-1/answer", "answer", f"{side}-1/response", "It is so all the same.")]
    return note.model_copy(update={"body": {"points": points}})


def claim(side, n):
    """The first four are short, most others take several lines."""
    return (
        f"Reason {n} of {side.lower()} is a sentence "
        + "that goes on " * ((n % 4) if n < 5 else 3 * (n % 4))
        + "and ends."
    )


def reply(name, kind, target, words):
    return {"id": name, "kind": kind, "target": target, "words": words}


def opened(look, run_id, place="map", seen="[data-box]"):
    return look.at(f"/debates/{run_id}/{place}", seen)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("all_of_it", [False, True], ids=["at first", "with the weaker ones"])
def test_every_word_can_be_read_and_no_box_stands_over_another(looking, argued, count, all_of_it):
    page = opened(looking(LARGE), argued[count])
    while all_of_it and page.get_by_role("button", name=" more").count():
        page.get_by_role("button", name=" more").first.click()
    shown = page.evaluate(FIGURES, MAP)
    wanted = count if all_of_it else min(count, 12)
    assert shown == {"claims": wanted, "smallest": shown["smallest"], "scaled": 0, "overlaps": 0, "clipped": 0}
    assert shown["smallest"] >= 12


@pytest.mark.parametrize("place", ["map", "map#PRO-1"])
def test_nothing_is_named_by_its_id_alone(looking, argued, place):
    page = opened(looking(LARGE), argued[8], place, "[data-box], [data-main]")
    boxes = page.locator("[data-box], [data-card], [data-main], nav[aria-label='All claims'] a").all_inner_texts()
    assert len(boxes) > 8
    assert [text for text in boxes if len(text.split()) < 5] == []


def test_a_wing_says_how_many_weaker_claims_there_are_and_opens(looking, judged, argued):
    page = opened(looking(LARGE), argued[45])
    assert page.get_by_role("button", name=" more").all_inner_texts() == ["17 more", "16 more"]
    page.get_by_role("button", name="17 more").click()
    assert page.locator(f"{MAP} [data-key^='PRO-']:not([data-key*=' '])").count() == 23


def test_the_tab_key_goes_through_the_map_as_it_is_read(looking, argued):
    page = opened(looking(LARGE), argued[8])
    drawn = page.locator(f"{MAP} [data-key]").evaluate_all("all => all.map((one) => one.dataset.key)")
    page.locator("[data-key=motion]").focus()
    passed = ["motion"]
    for _ in drawn[1:]:
        page.keyboard.press("Tab")
        passed.append(page.evaluate("document.activeElement.dataset.key"))
    assert passed == drawn
    tops = page.locator(f"{MAP} [data-key^='PRO-']:not([data-key*=' '])").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)


def test_arrow_keys_follow_the_lines_enter_opens_and_escape_goes_back(looking, argued):
    page = opened(looking(LARGE), argued[8])
    page.locator("[data-key='PRO-1']").focus()
    passed = []
    for key in ("ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        passed.append(page.evaluate("document.activeElement.dataset.key"))
    assert passed[:3] == ["PRO-1 PRO-1/response", "PRO-1", "motion"]
    assert passed[3].startswith("CON-")
    page.locator("[data-key='CON-1']").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-main]")
    assert page.evaluate("document.activeElement.matches('[data-main]')")
    page.keyboard.press("ArrowUp")
    assert "It is so all the same" in page.evaluate("document.activeElement.innerText")
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-box]")
    assert page.evaluate("document.activeElement.dataset.key") == "CON-1"


def test_the_key_o_changes_between_wings_and_outline(looking, argued):
    page = opened(looking(LARGE), argued[8])
    page.keyboard.press("o")
    page.wait_for_selector("article")
    assert page.locator("[data-box]").count() == 0
    page.keyboard.press("o")
    page.wait_for_selector("[data-box]")


def test_a_claim_in_focus_says_what_attacks_it_what_it_says_and_why_it_stands(looking, judged):
    page = opened(looking(LARGE), judged[0], "map#PRO-1", "[data-main]")
    for part in ("− Attacks on it", "+ Support for it", "Scores of its judges", "What would change it"):
        assert page.get_by_text(part, exact=True).count() == 1, part
    assert page.locator("[data-main]").inner_text().count("Evidence") == 1


def test_on_a_phone_the_map_is_an_outline_with_one_level_open(looking, argued):
    page = opened(looking(PHONE), argued[8], "map", "article")
    assert page.locator("[data-box], details[open]").count() == 0
    assert page.locator(f"{MAP} article").count() == 8


def test_those_who_listen_hear_claims_with_their_replies(looking, argued):
    page = opened(looking(LARGE), argued[8])
    assert page.locator(MAP).get_by_role("list", name="Against: 4 claims").count() == 1
    wing = page.locator(MAP).get_by_role("list", name="For: 4 claims")
    assert wing.aria_snapshot().replace(argued[8], "RUN") == snapshot("""\
- 'list "For: 4 claims"':
  - listitem:
    - link "PRO-1 not judged Reason 1 of pro is a sentence that goes on and ends.":
      - /url: /debates/RUN/map#PRO-1
    - list:
      - listitem:
        - link "CON refutes It is not so, and here is why.":
          - /url: /debates/RUN/map#PRO-1/response
      - listitem:
        - link "PRO answers It is so all the same.":
          - /url: /debates/RUN/map#PRO-1/answer
  - listitem:
    - link "PRO-2 not judged Reason 2 of pro is a sentence that goes on that goes on and ends.":
      - /url: /debates/RUN/map#PRO-2
    - list:
      - listitem:
        - paragraph: No one answered this.
  - listitem:
    - link "PRO-3 not judged Reason 3 of pro is a sentence that goes on that goes on that goes on and ends.":
      - /url: /debates/RUN/map#PRO-3
    - list:
      - listitem:
        - paragraph: No one answered this.
  - listitem:
    - link "PRO-4 not judged Reason 4 of pro is a sentence and ends.":
      - /url: /debates/RUN/map#PRO-4
    - list:
      - listitem:
        - paragraph: No one answered this.\
""")


FIGURES = """within => {
  const map = document.querySelector(within);
  const boxes = [...map.querySelectorAll("[data-key]")];
  const at = boxes.map((one) => one.getBoundingClientRect());
  const texts = document.createTreeWalker(map, NodeFilter.SHOW_TEXT);
  const sizes = [];
  while (texts.nextNode())
    if (texts.currentNode.data.trim()) sizes.push(getComputedStyle(texts.currentNode.parentElement).fontSize);
  const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return {
    claims: boxes.filter(({ dataset }) => /^(PRO|CON)-\\d+$/.test(dataset.key)).length,
    smallest: Math.min(...sizes.map(parseFloat)),
    scaled: boxes.filter((one, n) => Math.abs(at[n].width - one.offsetWidth) > 1).length,
    overlaps: at.flatMap((a, n) => at.slice(n + 1).filter((b) => over(a, b))).length,
    clipped: boxes.filter((one) => one.scrollHeight > one.clientHeight + 1).length,
  };
}"""
