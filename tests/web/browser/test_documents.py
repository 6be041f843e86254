"""Documents in the browser: dropped, debated, quoted, and read at the place that was quoted."""

import re

import pytest

from tests.rig.waiting import until

from .conftest import AXE, DESKTOP, PHONE
from .test_access import faults

pytestmark = pytest.mark.timeout(180)
MOTION = "Should night buses run until five?"
TITLE = "<img src=x onerror=alert(1)> & plan"
PLAN = f"# {TITLE}\n\nThe last bus leaves at midnight. <script>alert(2)</script> We propose one bus an hour until five."
LONG = "They did not ask for more buses. " * 20
SURVEY = "<b>Survey</b>\n\n" + "\n\n".join(f"Answer {n}. {LONG}" for n in range(60))
DROPPED = """(zone, files) => {
  const data = new DataTransfer();
  for (const [name, text] of files) data.items.add(new File([text], name));
  for (const kind of ["dragover", "drop"])
    zone.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
DEBATE = re.compile(r"/debates/[^/?#]+$")


@pytest.fixture(scope="module", autouse=True)
def rehearsed(site):
    """The server plays every protocol once before it can tell how long each is."""
    site.http.get("/api/about", timeout=120)


def drop(page, *files):
    page.eval_on_selector("[data-drop]", DROPPED, list(files))


def test_a_dropped_file_is_debated_and_a_quote_opens_it_at_its_words(looking, site):
    page = looking().at("/new", "text=Estimate")
    page.fill("textarea", MOTION)
    drop(page, ("plan.md", PLAN), ("survey.md", SURVEY))
    listed = page.get_by_role("list", name="Documents of this debate").get_by_role("listitem")
    listed.nth(1).wait_for()
    assert listed.first.inner_text().split("\n")[0] == TITLE
    page.get_by_role("radio", name="Roundtable").check()
    page.get_by_label("Model for every speaker").select_option("improviser")
    page.get_by_role("radio", name="No judging").check()
    page.get_by_role("button", name="Start the debate").click()
    page.wait_for_url(DEBATE)
    run_id = page.url.rpartition("/")[2]
    site.ended(run_id, seconds=90)
    page.goto(f"{site.url}/debates/{run_id}/transcript")
    page.locator("article a[href*='/documents/DOC-']").first.click()
    mark = page.locator("mark.quoted-here").first
    mark.wait_for()
    quoted = next(one for one in site.http.get(f"/api/debates/{run_id}/documents").json()["quotes"] if one["accepted"])
    words = " ".join(" ".join(page.locator("mark.quoted-here").all_inner_texts()).split())
    assert words == quoted["excerpt"]["words"]
    page.wait_for_function("document.querySelector('mark.quoted-here').getBoundingClientRect().top < innerHeight")
    page.get_by_role("link", name="All documents").click()
    page.get_by_role("table").nth(1).get_by_text("accepted").first.wait_for()


def test_what_cannot_be_read_is_named_with_its_reason_and_can_be_dismissed(looking):
    page = looking(absent=True).at("/new", "text=Estimate")
    drop(page, ("<b>photo</b>.png", "no\0picture"), ("notes.txt", "Some notes."))
    page.get_by_role("alert").get_by_text("<b>photo</b>.png could not be read").wait_for()
    page.get_by_role("button", name="Dismiss: <b>photo</b>.png").click()
    page.get_by_role("button", name="Remove Some notes.").click()
    assert page.get_by_role("list", name="Documents of this debate").count() == 0


def test_a_text_can_be_pasted_and_given_to_one_speaker_by_keyboard(looking, site):
    page = looking(PHONE).at("/new", "text=Estimate")
    page.get_by_text("Paste text").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Our memo\n\nOnly the drivers object.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_label("Who reads Our memo").focus()
    page.keyboard.press("ArrowDown")
    page.fill("textarea >> nth=0", MOTION)
    page.get_by_role("button", name="Start the debate").click()
    page.wait_for_url(DEBATE)
    (found,) = site.http.get(f"/api/debates/{page.url.rpartition('/')[2]}/documents").json()["documents"]
    assert (found["title"], found["seats"]) == ("Our memo", ["pro"])


def test_a_person_reads_their_documents_beside_the_answer(looking, site):
    documents = [{"title": TITLE, "text": PLAN}, {"title": "Theirs", "text": "Only for Ada.", "seats": ["ada"]}]
    asked = {"protocol": "roundtable", "model": "improviser", "seats": {"ben": "human"}, "documents": documents}
    run_id = site.begin(**asked)
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"])
    look = looking(bypass_csp=True)
    page = look.at(f"/debates/{run_id}/seat/ben", "text=Your words")
    page.get_by_role("button", name="Documents", exact=True).click()
    page.get_by_text("Your documents").wait_for()
    assert page.get_by_text("Theirs").count() == 0
    page.get_by_role("button", name=TITLE).click()
    page.get_by_text("<script>alert(2)</script>").wait_for()
    page.evaluate(AXE.read_text("utf-8"))
    assert faults(page, "dark", PHONE) == []
    page.get_by_role("button", name="Back to the list").click()
    until(lambda: page.evaluate("document.activeElement.dataset.document") == "DOC-1")
    site.http.post(f"/api/debates/{run_id}/cancel")


def test_the_list_of_dropped_documents_has_no_fault(looking):
    page = looking(bypass_csp=True, absent=True).at("/new", "text=Estimate")
    drop(page, ("plan.md", PLAN), ("photo.png", "no\0picture"))
    page.get_by_text("photo.png could not be read").wait_for()
    # While a new estimate is on its way, the old one is faded.
    page.wait_for_load_state("networkidle")
    page.locator('[aria-busy="true"]').wait_for(state="detached")
    page.evaluate(AXE.read_text("utf-8"))
    assert [faults(page, theme, size) for theme in ("light", "dark") for size in (DESKTOP, PHONE)] == [[], [], [], []]


def test_the_palette_leads_to_a_document_of_the_debate_that_is_open(looking, site):
    documents = [{"text": "Nights were very loud.", "title": "Complaints"}]
    run_id = site.play(model="improviser", protocol="roundtable", documents=documents, settings={"rounds": 1})
    page = looking().at(f"/debates/{run_id}", "h1")
    page.keyboard.press("Control+k")
    page.keyboard.type("complaints")
    page.get_by_role("group", name="Documents").get_by_role("option").click()
    page.wait_for_url(re.compile("/documents/DOC-1$"))
