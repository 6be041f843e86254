"""People in the room: whoever sits at the table goes on where a killed server left off, and whoever judges is blind."""

import json
import re
from contextlib import closing, contextmanager

import pytest

from hustings.db import tokens
from hustings.db.connection import connect
from hustings.db.tokens import Access
from tests.rig.postgres import ready_sqlite_file
from tests.web.command import OPENING, serving
from tests.web.rig import MOTION, messages

from .conftest import DESKTOP
from .test_seat import STEPS
from .test_seat import fill_in as step_by_step

pytestmark = pytest.mark.timeout(300)
PATIENCE = 90_000
"""Milliseconds; a worker that was killed is given up by the next after fifteen seconds."""
BROKEN = "Connection lost. Reconnecting. Nothing is lost."
TURN, OVER = re.compile("^Your turn: "), "The debate has ended."
MINE = "Shops in the centre lose whoever came by car."


@pytest.fixture
def page(browser):
    """One tab that stays open, whatever becomes of the server."""
    errors = []
    with browser.new_context(viewport=DESKTOP, reduced_motion="reduce") as context:
        made = context.new_page()
        made.set_default_timeout(PATIENCE)
        made.on("pageerror", lambda error: errors.append(str(error)))
        yield made
    assert errors == []


class Room:
    """A server that can be killed and comes back at the same address with the same database."""

    def __init__(self, folder):
        self.folder, self.url, self.port = folder, ready_sqlite_file(folder), "0"

    @contextmanager
    def open(self):
        with serving(self.folder, self.url, "--port", self.port) as (self.process, self.http):
            self.port = str(self.http.base_url.port)
            yield self

    def kill(self):
        self.process.kill()
        self.process.wait()

    def get(self, *path):
        return self.http.get("/".join(["/api/debates", *path])).json()

    def told(self, run_id):
        """Every event that is on record."""
        with self.http.stream("GET", f"/api/debates/{run_id}/events") as answer:
            return [event for number, event in messages(answer.iter_lines()) if number is not None]


def take_a_seat(room, page, seat, *, protocol="Structured", **settings):
    """From the page that starts debates to the place of a person, whose turn it is; the id of the debate."""
    page.goto(f"{room.http.base_url}/new")
    page.get_by_label("Your question").fill(MOTION)
    page.get_by_role("radio", name=protocol).check()
    if settings:
        page.get_by_role("heading", name="Settings").click()
    for name, words in settings.items():
        page.get_by_label(name.replace("_", " ").capitalize(), exact=True).fill(str(words))
    page.get_by_label("Model for every speaker").select_option("improviser")
    page.get_by_text("Choose per speaker").click()
    page.get_by_label(seat, exact=True).select_option("human")
    page.get_by_label("These models:").check()
    page.get_by_role("checkbox", name="improviser").check()
    page.get_by_role("button", name="Start the debate").click()
    page.get_by_role("link", name="Answer for").click()
    page.get_by_role("heading", name=TURN).wait_for()
    return page.url.split("/")[-3]


def asks(page):
    page.get_by_label("To", exact=True).select_option("con_3")


DOES = {"Questions": asks}


def claims(page):
    """What stands in the claims of an opening, step by step."""
    steps, found = steps_of(page), []
    for n in range(steps.count()):
        steps.nth(n).click()
        found.append(page.get_by_label("Claim", exact=True).input_value())
    return found


def opens(page):
    for n in range(steps_of(page).count()):
        steps_of(page).nth(n).click()
        page.get_by_label("Claim", exact=True).fill(f"{MINE} It is number {n + 1} of them.")


def steps_of(page):
    return page.get_by_role("navigation", name=STEPS).get_by_role("button")


def fill_in(page):
    """The steps of this turn, its form, or plain words; returns what it was."""
    turn = page.get_by_role("heading", name=TURN).inner_text().partition(": ")[2]
    if steps_of(page).count():
        step_by_step(page)
        if turn == "Opening":
            opens(page)
        return turn
    DOES.get(turn, lambda _: None)(page)
    for n, box in enumerate(page.locator("form textarea").all()):
        if not box.input_value():
            box.fill(f"Whoever cannot park nearby goes elsewhere, as was counted {n} times.")
    return turn


def say(page):
    """Until it is on record, which the page itself tells."""
    if (over := page.get_by_role("button", name="Read it over and speak")).count():
        over.click()
    page.get_by_role("button", name=re.compile("^(Submit|Speak)$")).click()
    page.get_by_text("Your answer is on the record.").or_(page.get_by_text(OVER)).wait_for()


def play_on(page):
    """Answers all that is asked until the debate is over; what was asked."""
    asked = []
    while True:
        page.get_by_role("heading", name=TURN).or_(page.get_by_text(OVER)).wait_for()
        if page.get_by_text(OVER).is_visible():
            return asked
        asked.append(fill_in(page))
        say(page)


def nothing_lost_or_doubled(events, seat, turns):
    assert [event["seq"] for event in events] == [*range(len(events))]
    assert "recovered" in {event["kind"] for event in events}
    entered = [event["turn"] for event in events if event["kind"] == "turn_entered"]
    assert len({turn["turn_id"] for turn in entered}) == len(entered)
    assert len([turn for turn in entered if turn["speaker_id"] == seat]) == turns
    assert [event["ending"]["kind"] for event in events if event["kind"] == "debate_ended"] == ["played"]


@pytest.mark.nightly("a minute and a half; tests/web/test_serve.py kills a server on every change")
def test_a_person_outlives_the_server_and_learns_from_the_judgement(page, tmp_path):
    room = Room(tmp_path)
    with room.open():
        run_id = take_a_seat(room, page, "CON")
        page.get_by_label("Claim", exact=True).first.fill(MINE)
        room.kill()
        page.get_by_text(BROKEN).wait_for()
        fill_in(page)
        page.get_by_role("button", name="Read it over and speak").click()
        page.get_by_role("button", name="Speak", exact=True).click()
        page.get_by_role("alert").wait_for()
    with room.open():
        page.get_by_text(BROKEN).wait_for(state="detached")
        assert claims(page) == [f"{MINE} It is number {n} of them." for n in (1, 2, 3)]
        say(page)
        assert play_on(page) == ["Cross-examination", "Closing"]
        page.get_by_role("heading", name="Feedback").wait_for()
        learned = room.get(run_id, "advice", "con")
        nothing_lost_or_doubled(room.told(run_id), "con", turns=3)
    shown = page.locator("section", has_text="Feedback").inner_text()
    assert learned["strengths"]
    assert [
        title for title in ("What was strong", "Left unanswered", "The strongest argument") if title not in shown
    ] == []
    lines = [*learned["strengths"], *learned["unanswered"], *learned["missed"]]
    assert [line for line in lines if line not in shown] == []


@pytest.mark.nightly("a minute; tests/web/test_serve.py kills a server on every change")
def test_a_speaker_of_a_team_goes_on_after_the_server_was_killed(page, tmp_path):
    room = Room(tmp_path)
    with room.open():
        short = {"free_words": 200, "free_speech_words": 50, "question_words": 100}
        run_id = take_a_seat(room, page, "PRO Pro 2", protocol="Competition", **short)
        assert fill_in(page) == "Questions"
        room.kill()
        page.get_by_text(BROKEN).wait_for()
    with room.open():
        page.get_by_text(BROKEN).wait_for(state="detached")
        say(page)
        further = play_on(page)
        assert "Free debate" in further
        nothing_lost_or_doubled(room.told(run_id), "pro_2", turns=1 + len(further))


def test_words_of_another_tab_are_not_lost_when_the_question_was_answered(looking, site):
    run_id = site.begin(model="improviser", seats={"con": "human"})
    first, second = (looking().at(f"/debates/{run_id}/seat/con", "text=Your turn") for _ in range(2))
    second.get_by_label("Claim", exact=True).first.fill(MINE)
    fill_in(first)
    say(first)
    second.get_by_text("This question was answered elsewhere").wait_for()
    assert MINE in second.locator("aside").inner_text()
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


SEALED = {"model", "judgement", "outcome", "standing", "marks", "totals", "board", "winners", "panel"}


def sealed(value):
    """Whatever of it tells who spoke, or what a machine made of it."""
    if isinstance(value, list):
        return [found for one in value for found in sealed(one)]
    if not isinstance(value, dict):
        return []
    return [f"{key}: {one}" for key, one in value.items() if key in SEALED and one] + sealed([*value.values()])


def test_whoever_judges_sees_no_model_and_no_score_before_the_vote(looking, site):
    run_id = site.play(model="improviser", judges="auto", follows=1)
    full = site.http.get(f"/api/debates/{run_id}/view").json()
    assert {"model", "judgement", "standing", "totals"} <= {found.partition(":")[0] for found in sealed(full)}
    told = [full["judgement"]["reason"], *(traced["reason"] for traced in full["judgement"]["trace"])]
    look, heard = looking(), []
    look.page.on("response", lambda answer: "/assets/" not in answer.url and heard.append(answer))
    page = look.at(f"/debates/{run_id}/judge", "text=Who argued better")
    page.wait_for_load_state("networkidle")
    # What the server offers, every model included, is the same for every debate.
    bodies = {answer.url: answer.text() for answer in heard if not answer.url.endswith("/api/about")}
    assert [url for url, body in bodies.items() if "/api/" in url and sealed(json.loads(body))] == []
    seen = [*bodies.values(), page.content()]
    assert [words for words in ("improviser", *told) if any(words in text for text in seen)] == []
    assert any(url.endswith("view?blind=true") for url in bodies)


@pytest.mark.nightly("waits for three judged debates")
def test_the_way_to_a_ballot_shows_no_outcome_either(looking, site, judged):
    page = looking().at("/", "h1")
    row = page.locator(f'tr[data-run="{judged[0]}"]')
    row.wait_for()
    said = "argued better|too close|no verdict|not judged"
    assert re.search(said, row.inner_text())
    page.get_by_label("Hide results").check()
    page.wait_for_url("**/?blind=yes")
    assert not re.search(said, row.inner_text())
    row.get_by_role("link").first.click()
    page.get_by_text("Who argued better").wait_for()


def test_after_the_vote_people_and_panel_stand_beside_each_other(looking, site):
    run_id = site.play(model="improviser", judges="auto", follows=1)
    full = site.http.get(f"/api/debates/{run_id}/view").json()
    page = looking().at(f"/debates/{run_id}/judge", "text=Who argued better")
    page.get_by_role("radio", name="CON").check()
    page.get_by_label("Status of PRO-1").select_option("refuted")
    with page.expect_response(lambda answer: answer.url.endswith("/votes")) as given:
        page.get_by_role("button", name="Vote", exact=True).click()
    page.get_by_text("Results", exact=True).wait_for()
    panel, standing = given.value.json()["panel"], full["claims"][0]["standing"]
    shown = dict(
        zip(page.locator("dl dt").all_inner_texts(), page.locator("dl dt + dd").all_inner_texts(), strict=True)
    )
    assert shown["Your vote"] == "CON"
    assert shown["Voters who agree with the judges"] == ("100%" if panel == "con" else "0%")
    assert shown["Statuses on which voters and judges agree"] == ("100%" if standing == "refuted" else "0%")
    table = page.get_by_role("table")
    assert [f"{total['score']:.1f}" in table.first.inner_text() for total in full["judgement"]["totals"]] == [
        True,
        True,
    ]
    assert page.get_by_role("table", name="Speakers").inner_text().count("improviser") == 2


def test_a_link_for_a_student_leaves_the_teacher_signed_in(page, tmp_path):
    with Room(tmp_path).open() as room:
        asked = {"question": MOTION, "model": "improviser", "seats": {"con": "human"}, "judges": "none"}
        run_id = room.http.post("/api/debates", json=asked).json()["run_id"]
        page.goto(f"{room.http.base_url}/debates/{run_id}/seat/con")
        how = f"To let someone else answer: hustings serve --host NAME …, then hustings tokens link {run_id} con"
        page.get_by_text(how).wait_for()
        with closing(connect(room.url)) as database:
            tokens.issue(database, Access("local", "seat", run_id, "con"))
        assert room.http.get("/api/about").status_code == 401
        page.reload()
        page.get_by_role("button", name="Invite another person").wait_for()


def test_a_link_made_by_the_owner_signs_a_browser_in_to_its_seat_alone(browser, page, tmp_path):
    with Room(tmp_path).open() as room:
        with closing(connect(room.url)) as database:
            token = tokens.issue(database, Access("ann"))
        base, mine = str(room.http.base_url).rstrip("/"), {"Authorization": f"Bearer {token}"}
        asked = {"question": MOTION, "model": "improviser", "seats": {"con": "human"}, "judges": "none"}
        run_id = room.http.post("/api/debates", json=asked, headers=mine).json()["run_id"]
        page.request.post(f"{base}/api/session", data={"token": token})
        page.goto(f"{base}/debates/{run_id}/seat/con")
        page.get_by_role("button", name="Invite another person").click()
        link = page.get_by_label("Link", exact=True).input_value()
        page.get_by_text("It opens on this machine only. For others: hustings serve --host NAME").wait_for()
        with browser.new_context(viewport=DESKTOP) as context:
            guest = context.new_page()
            guest.goto(link)
            guest.get_by_role("heading", name=TURN).wait_for()
            assert (guest.url, guest.get_by_role("link", name="New debate").count()) == (link.partition("#")[0], 0)
            told = [guest.request.get(f"{base}{path}").status for path in ("/api/about", "/api/debates")]
            guest.goto(f"{base}/")
            guest.get_by_role("link", name="Back to your seat").click()
            guest.get_by_role("heading", name=TURN).wait_for()
            guest.goto(f"{base}/debates/{run_id}/seats/con")
            guest.get_by_role("heading", name=TURN).wait_for()
    assert told == [200, 403]


def test_a_guest_follows_by_one_line_although_some_events_are_not_theirs(page, tmp_path):
    with Room(tmp_path).open() as room:
        asked = {"question": MOTION, "model": "improviser", "seats": {"con": "human"}, "judges": "none"}
        run_id = room.http.post("/api/debates", json=asked).json()["run_id"]
        with closing(connect(room.url)) as database:
            token = tokens.issue(database, Access("local", "seat", run_id, "con"))
        lines = []
        page.on("request", lambda asked: f"{run_id}/events" in asked.url and lines.append(asked.url))
        page.request.post(f"{room.http.base_url}/api/session", data={"token": token})
        page.goto(f"{room.http.base_url}/debates/{run_id}/seat/con")
        page.get_by_role("heading", name="Your turn: Opening").wait_for()
        speech = {"seat": "con", "text": OPENING}
        mine = {"Authorization": f"Bearer {token}"}
        assert room.http.post(f"/api/debates/{run_id}/speeches", json=speech, headers=mine).is_success
        page.get_by_role("heading", name="Your turn: Cross-examination").wait_for()
        page.get_by_role("article", name="Pro, r1.t0").wait_for()
        assert (len(lines), page.get_by_text(BROKEN).count()) == (1, 0)
