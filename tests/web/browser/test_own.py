"""Settings, check-up, costs, saved panels and the call to a person, as a person in a browser meets them."""

import pytest

from tests.rig.waiting import until

from .conftest import DESKTOP, PHONE

pytestmark = pytest.mark.timeout(180)
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
PAGES = {"/settings": "Settings", "/doctor": "Check-up", "/costs": "Costs"}


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_every_page_is_reached_by_keyboard_and_fits_the_screen(looking, site, size):
    site.play(model="improviser")
    page = looking(size).at("/", "tbody tr")
    for path, title in PAGES.items():
        page.get_by_label("Costs and settings").press("Enter")
        page.get_by_role("link", name=title, exact=True).press("Enter")
        page.wait_for_url(f"**{path}*")
        page.get_by_role("heading", level=1, name=title).wait_for()
        page.locator("table").first.wait_for()
        assert page.evaluate(WIDE) <= 0


def test_a_panel_is_saved_and_fills_in_a_new_debate(looking):
    name = "Ours <img src=x onerror=alert(1)>"
    page = looking().at("/new", "h1")
    page.get_by_label("How often").fill("3")
    page.get_by_label("No judging").check()
    page.get_by_text("Save this panel").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Name", exact=True).press("Enter")
    page.get_by_text(f"“{name}” is saved.").wait_for()
    page.evaluate("sessionStorage.clear()")
    page.reload()
    page.get_by_label("Use a saved panel").select_option(name)
    page.get_by_text(f"“{name}” is filled in.").wait_for()
    assert page.get_by_label("How often").input_value() == "3"
    assert page.get_by_label("No judging").is_checked()
    page.get_by_role("button", name=f"Delete “{name}”").click()
    page.get_by_text(f"“{name}” is deleted.").wait_for()
    assert page.get_by_label("Use a saved panel").count() == 0


def test_a_person_is_called_by_mark_title_and_notification_and_nobody_asks_unasked(looking, awaiting):
    look = looking()
    look.page.add_init_script(
        """window.told = []; window.asked = 0;
        class Notice { static permission = "default";
          static async requestPermission() { window.asked++; Notice.permission = "granted"; return "granted"; }
          constructor(title, more) { window.told.push([title, more.body, more.tag]); } close() {} }
        window.Notification = Notice; document.hasFocus = () => false;"""
    )
    page = look.at("/settings", "h1")
    mark = page.get_by_role("banner").get_by_role("link", name="Needs you")
    mark.wait_for()
    page.wait_for_function("document.title.startsWith('(1) ')")
    assert page.evaluate("[asked, told.length]") == [0, 0]
    page.get_by_role("button", name="Notify me when it is my turn").click()
    page.get_by_text("You are notified when it is your turn").wait_for()
    assert page.evaluate("asked") == 1
    mark.click()
    page.wait_for_url(f"**/debates/{awaiting}/seat/con")
    page.wait_for_function("document.title.startsWith('(1) ')")


def test_a_question_is_notified_once_and_only_after_a_yes(looking, awaiting):
    look = looking()
    look.page.add_init_script(
        """window.told = [];
        class Notice { static permission = "granted";
          constructor(title, more) { window.told.push([title, more.body]); } close() {} }
        window.Notification = Notice; document.hasFocus = () => false;"""
    )
    page = look.at("/costs", "h1")
    page.get_by_role("banner").get_by_role("link", name="Needs you").wait_for()
    until(lambda: page.evaluate("told.length"))
    assert page.evaluate("told") == [["It is your turn", "Should towns close their centres to cars?"]]
