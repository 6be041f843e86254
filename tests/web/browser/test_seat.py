"""A person's turn, step by step: ids are given, faults are named and led to, and all is read before it is sent."""

import re
from textwrap import dedent

import pytest
from playwright.sync_api import expect

from tests.rig.waiting import until

from .conftest import AXE, PHONE
from .test_access import faults

pytestmark = pytest.mark.timeout(180)
WIDE = {"width": 1440, "height": 900}
WAYS = [(theme, size) for theme in ("light", "dark") for size in (WIDE, PHONE)]
STEPS = "Your turn, step by step"
PLAN = "The quay floods twice a year.\n\nRepairs took three weeks and cost the town its market."


def taken(site, **asked):
    """The id of a debate in which Con, a person, is asked."""
    run_id = site.begin(model="improviser", seats={"con": "human"}, **asked)
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"])
    return run_id


@pytest.fixture
def seat(looking, site):
    """The place of a person who is asked for an opening."""
    run_id = taken(site)
    yield looking(WIDE).at(f"/debates/{run_id}/seat/con", "text=Your turn")
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


def fill_step(page):
    """Every field of the open step that needs words or a choice."""
    for name in ("Claim", "Reasoning", "Evidence", "Answer", "Position", "Why"):
        if (box := page.get_by_role("textbox", name=name, exact=True)).count():
            box.fill(f"{name}: people who cannot park nearby go elsewhere, as was counted.")
    for group in page.locator("form fieldset:has(input[type=radio])").all():
        group.get_by_role("radio").nth(1).check()
    if (more := page.get_by_role("button", name="Add to Follow ups")).count():
        more.click()
        page.get_by_role("textbox", name="Follow up 1").fill("Who counted them, and when?")


def fill_in(page):
    steps = page.get_by_role("navigation", name=STEPS).get_by_role("button")
    for n in range(steps.count()):
        steps.nth(n).click()
        fill_step(page)


def speak(page):
    page.get_by_role("button", name="Read it over and speak").click()
    page.get_by_role("heading", name="This is what you will say").wait_for()
    page.get_by_role("button", name="Speak", exact=True).click()
    page.get_by_text("Your answer is on the record.").or_(page.get_by_text("The debate has ended.")).wait_for()


def test_a_turn_that_cannot_be_sent_moves_the_focus_to_the_number_of_faults(seat):
    seat.get_by_role("button", name="Read it over and speak").click()
    summary = seat.get_by_role("region", name="9 things to fix before you can speak")
    summary.wait_for()
    assert summary.evaluate("box => box === document.activeElement")
    assert summary.get_by_role("listitem").count() == 9


def test_a_fault_in_the_summary_leads_to_its_field(seat):
    seat.get_by_role("button", name="Read it over and speak").click()
    seat.get_by_role("button", name="CON-2: Reasoning: Required.").click()
    box = seat.get_by_role("region", name="CON-2").get_by_label("Reasoning")
    box.wait_for()
    until(lambda: box.evaluate("field => field === document.activeElement"))
    assert box.get_attribute("aria-invalid") == "true"


def test_ids_are_given_and_do_not_count_as_words(seat):
    assert seat.get_by_role("navigation", name=STEPS).get_by_role("button").count() == 3
    assert seat.get_by_label("Id", exact=True).count() == 0
    seat.get_by_text("0 words").wait_for()
    assert re.search(r"\d:\d\d elapsed", seat.inner_text("main"))


def test_an_argument_is_added_and_taken_away_and_the_rest_is_numbered_anew(seat):
    steps = seat.get_by_role("navigation", name=STEPS).get_by_role("button")
    seat.get_by_role("button", name="Add to arguments").click()
    seat.get_by_role("region", name="CON-4").get_by_label("Claim").fill("The fourth of them.")
    steps.nth(0).click()
    seat.get_by_role("button", name="Remove CON-1").click()
    steps.nth(2).click()
    assert seat.get_by_role("region", name="CON-3").get_by_label("Claim").input_value() == "The fourth of them."


def test_a_whole_debate_is_spoken_step_by_step(looking, site):
    run_id = taken(site)
    page = looking(WIDE).at(f"/debates/{run_id}/seat/con", "text=Your turn")
    for turn in ("Opening", "Cross-examination", "Closing"):
        page.get_by_role("heading", name=f"Your turn: {turn}").wait_for()
        fill_in(page)
        speak(page)
    page.get_by_text("The debate has ended.").wait_for()
    view = site.http.get(f"/api/debates/{run_id}/view").json()
    assert sum(speech["seat"] == "con" for speech in view["speeches"]) == 3


def test_a_turn_of_many_steps_is_no_wider_than_a_phone(looking, site):
    run_id = taken(site)
    page = looking(PHONE).at(f"/debates/{run_id}/seat/con", "text=Your turn")
    for _ in range(2):
        page.get_by_role("button", name="Add to arguments").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


def test_words_of_the_other_side_are_marked_by_keyboard_and_stand_verbatim(looking, site):
    run_id = taken(site)
    page = looking(WIDE).at(f"/debates/{run_id}/seat/con", "text=Your turn")
    fill_in(page)
    speak(page)
    page.get_by_role("heading", name="Your turn: Cross-examination").wait_for()
    page.get_by_role("button", name="Mark words of PRO-1").click()
    text = page.get_by_label("Text to select from")
    text.focus()
    page.keyboard.press("Control+Home")
    for _ in range(30):
        page.keyboard.press("Shift+ArrowRight")
    page.get_by_role("button", name="Use these words").click()
    quoted = page.get_by_label("Accepts").input_value()
    shown = page.get_by_role("region", name="PRO-1").inner_text()
    assert (len(quoted) > 10, quoted in shown) == (True, True)
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


def test_words_marked_in_a_document_are_cited_as_they_stand(looking, site):
    run_id = taken(site, documents=[{"title": "The quay", "text": PLAN}])
    page = looking(WIDE).at(f"/debates/{run_id}/seat/con", "text=Your turn")
    page.get_by_role("button", name="Quote a document").last.click()
    text = page.get_by_label("Text to select from")
    text.focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Shift+End")
    page.get_by_role("button", name="Use these words").click()
    assert page.get_by_role("textbox", name="Evidence").input_value() == '[DOC-1: "The quay floods twice a year."]'
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


def test_the_tree_that_is_read_aloud_names_step_field_and_way_out(seat):
    expect(seat.locator("main form")).to_match_aria_snapshot(
        dedent("""
        - navigation "Your turn, step by step":
          - paragraph: Step 1 of 3
          - list:
            - listitem:
              - button /CON-1/
            - listitem:
              - button /CON-2/
            - listitem:
              - button /CON-3/
        - region "CON-1":
          - heading "CON-1" [level=3]
          - textbox "Claim"
          - textbox "Reasoning"
          - textbox "Evidence"
        - button "CON-2 →"
        - button "Read it over and speak"
        """)
    )


def test_the_seat_has_no_fault_in_any_state(looking, site):
    run_id = taken(site)
    page = looking(WIDE, bypass_csp=True).at(f"/debates/{run_id}/seat/con", "text=Your turn")
    page.evaluate(AXE.read_text("utf-8"))
    found = {"empty": [faults(page, *way) for way in WAYS]}
    page.get_by_role("button", name="Read it over and speak").click()
    found["refused"] = [faults(page, *way) for way in WAYS]
    fill_in(page)
    page.get_by_role("button", name="Read it over and speak").click()
    page.get_by_role("heading", name="This is what you will say").wait_for()
    found["read over"] = [faults(page, *way) for way in WAYS]
    page.get_by_role("button", name="Speak", exact=True).click()
    page.get_by_role("heading", name="Your turn: Cross-examination").wait_for()
    found["answering"] = [faults(page, *way) for way in WAYS]
    page.get_by_role("button", name="Mark words of PRO-1").click()
    found["marking"] = [faults(page, *way) for way in WAYS]
    assert {state: wrong for state, wrong in found.items() if wrong != [[]] * 4} == {}
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


def test_a_form_of_another_shape_is_filled_in_as_it_stands(looking, site):
    asked = {"protocol": "competition", "settings": {"free_words": 200}}
    run_id = site.begin(model="improviser", seats={"pro_2": "human"}, **asked)
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"], 60)
    page = looking(WIDE).at(f"/debates/{run_id}/seat/pro_2", "text=Your turn")
    assert page.get_by_role("navigation", name=STEPS).count() == 0
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("region", name=re.compile(r"^\d+ things? to fix")).wait_for()
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)
