"""Speeches from forms are cards wherever they are read; replies carry their claim, and rounds follow the scroll."""

import pytest

from .conftest import PHONE

pytestmark = pytest.mark.timeout(180)
PLACES = {
    "transcript": "/debates/{first}/transcript",
    "judge": "/debates/{second}/judge",
    "compare": "/compare?first={first}&second={second}",
}


@pytest.mark.parametrize("name", PLACES)
def test_a_speech_from_a_form_is_cards_and_not_the_text_of_its_form(looking, judged, name):
    path = PLACES[name].format(first=judged[0], second=judged[1])
    page = looking().at(path, "main article article, main article")
    page.get_by_text("Evidence", exact=True).first.wait_for()
    told = page.inner_text("main")
    assert [form for form in ("[PRO-1]", "[CON-1]", "Reasoning:", "Evidence:", "Question:") if form in told] == []


def test_a_reply_carries_the_claim_it_answers(looking, judged, site):
    view = site.http.get(f"/api/debates/{judged[0]}/view").json()
    claim = next(claim for claim in view["claims"] if claim["id"] == "CON-1")
    page = looking().at(f"/debates/{judged[0]}/transcript#CON-1/response", ".led-to")
    assert claim["claim"] in page.locator(".led-to").first.inner_text()


def test_an_id_that_names_its_side_stands_alone(looking, judged):
    page = looking().at(f"/debates/{judged[0]}/transcript", "article article")
    told = " ".join(page.inner_text("main").split())
    assert [doubled for doubled in ("PRO PRO-", "CON CON-", "PRO pro", "CON con ") if doubled in told] == []


@pytest.mark.parametrize("size", [None, PHONE], ids=["list", "menu"])
def test_the_choice_of_rounds_follows_the_scroll(looking, judged, size):
    page = (looking(size) if size else looking()).at(f"/debates/{judged[0]}/transcript", "article")
    page.wait_for_function(READ, arg="opening")
    page.keyboard.press("End")
    page.wait_for_function(READ, arg="closing")
    if not size:
        assert page.locator("nav[aria-label=Rounds] [aria-current=step]").inner_text() == "closing"


READ = "round => document.querySelector('nav[aria-label=Rounds] select').selectedOptions[0].text === round"


def test_the_scores_of_a_competition_are_shown_one_part_at_a_time(looking, judged):
    page = looking().at(f"/debates/{judged[2]}/scores", "table")
    page.get_by_role("button", name="Scores of each speech").click()
    assert page.get_by_role("heading", level=2).all_inner_texts() == ["Scores of each speech"]
