"""Who may do what: every route, asked by every kind of caller, and what votes and links are bound to."""

import time

import httpx2 as httpx
import pytest

from hustings.db import activity, tokens
from hustings.db.tokens import Access
from hustings.lab.routes import ROUTES
from hustings.web.app import api
from tests.rig.waiting import until

from .rig import MOTION, fresh, messages, served

CALLERS = ("none", "wrong", "viewer", "judge", "judge of one", "seat", "other", "owner")
ANYONE_KNOWN = {"viewer": 200, "judge": 200, "judge of one": 200, "seat": 200, "other": 200, "owner": 200}
NOBODY_ELSE = {"viewer": 403, "judge": 403, "judge of one": 403, "seat": 403, "other": 404}
OWNERS = {**NOBODY_ELSE, "other": 0}
"""0 stands for what the owner gets."""
MATRIX = {
    "GET /api/about": ANYONE_KNOWN,
    "GET /api/debates": {**ANYONE_KNOWN, "judge of one": 403, "seat": 403},
    "GET /api/discovery": {**OWNERS, "owner": 200},
    "GET /api/recordings": {**ANYONE_KNOWN, "judge of one": 403, "seat": 403},
    "GET /api/recordings/{name}": {**ANYONE_KNOWN, "judge of one": 403, "seat": 403},
    "GET /api/recordings/{name}/events": {**ANYONE_KNOWN, "judge of one": 403, "seat": 403},
    "GET /api/debates/{run_id}": {**ANYONE_KNOWN, "other": 404},
    "GET /api/debates/{run_id}/view": {**ANYONE_KNOWN, "other": 404},
    "GET /api/debates/{run_id}/events": {**NOBODY_ELSE, "viewer": 200, "seat": 200, "owner": 200},
    "GET /api/debates/{run_id}/export": {**NOBODY_ELSE, "viewer": 200, "owner": 200},
    "GET /api/debates/{run_id}/evaluation": {**NOBODY_ELSE, "viewer": 404, "owner": 404},
    "GET /api/debates/{run_id}/documents": {**ANYONE_KNOWN, "other": 404},
    "GET /api/debates/{run_id}/documents/{document}": {**ANYONE_KNOWN, "other": 404},
    "GET /api/debates/{run_id}/advice/{seat}": {**NOBODY_ELSE, "viewer": 200, "seat": 200, "owner": 200},
    "GET /api/debates/{run_id}/votes": {**NOBODY_ELSE, "judge": 403, "owner": 403},
    "GET /api/comparisons": {**NOBODY_ELSE, "viewer": 200, "owner": 200},
    "GET /api/comparisons/evaluations": {**NOBODY_ELSE, "viewer": 200, "owner": 200},
    "GET /api/stats": {**NOBODY_ELSE, "viewer": 200, "owner": 200, "other": 200},
    "GET /api/costs": {**NOBODY_ELSE, "viewer": 200, "owner": 200, "other": 200},
    "GET /api/settings": {**OWNERS, "owner": 403},
    "GET /api/checkup": {**OWNERS, "owner": 403},
    "POST /api/checkup/calls": {**OWNERS, "owner": 403},
    "GET /api/panels": {**OWNERS, "owner": 200},
    "POST /api/panels": {**OWNERS, "owner": 201},
    "DELETE /api/panels": {**OWNERS, "owner": 204},
    "GET /api/awaited": {**OWNERS, "owner": 200},
    "GET /api/search": {**NOBODY_ELSE, "viewer": 200, "owner": 200, "other": 200},
    "PATCH /api/debates/{run_id}": {**NOBODY_ELSE, "owner": 200},
    "POST /api/debates/deletions": {**NOBODY_ELSE, "owner": 404},
    "GET /api/stability": {**NOBODY_ELSE, "viewer": 422, "owner": 422, "other": 422},
    "POST /api/estimates": {**OWNERS, "owner": 200},
    "POST /api/debates": {**OWNERS, "owner": 202},
    "POST /api/documents/read": {**OWNERS, "owner": 200},
    "POST /api/debates/import": {**OWNERS, "owner": 201},
    "POST /api/debates/{run_id}/pause": {**NOBODY_ELSE, "owner": 409},
    "POST /api/debates/{run_id}/resume": {**NOBODY_ELSE, "owner": 409},
    "POST /api/debates/{run_id}/cancel": {**NOBODY_ELSE, "owner": 409},
    "POST /api/debates/{run_id}/retry": {**NOBODY_ELSE, "owner": 202},
    "POST /api/debates/{run_id}/repeats": {**NOBODY_ELSE, "owner": 202},
    "POST /api/debates/{run_id}/questions": {**NOBODY_ELSE, "owner": 202},
    "POST /api/debates/{run_id}/forks": {**NOBODY_ELSE, "owner": 202},
    "POST /api/debates/{run_id}/verdicts": {**NOBODY_ELSE, "owner": 202},
    "POST /api/debates/{run_id}/estimates": {**NOBODY_ELSE, "owner": 200},
    "POST /api/debates/{run_id}/evaluations": {**NOBODY_ELSE, "owner": 202},
    "POST /api/debates/{run_id}/evaluations/estimates": {**NOBODY_ELSE, "owner": 200},
    "POST /api/debates/{run_id}/links": {**NOBODY_ELSE, "owner": 201},
    "POST /api/debates/{run_id}/speeches": {**NOBODY_ELSE, "seat": 409, "owner": 409},
    "POST /api/debates/{run_id}/instructions": {**NOBODY_ELSE, "owner": 409},
    "GET /api/debates/{run_id}/outcome": {**NOBODY_ELSE, "viewer": 200, "owner": 200},
    "POST /api/debates/{run_id}/outcome": {**NOBODY_ELSE, "owner": 201},
    "POST /api/debates/{run_id}/ratings": {**NOBODY_ELSE, "owner": 201},
    "POST /api/debates/{run_id}/votes": {**NOBODY_ELSE, "judge": 201, "judge of one": 201, "owner": 201},
    "DELETE /api/debates/{run_id}": {**NOBODY_ELSE, "owner": 204},
}
"""What a good request comes to, by caller; without a token, or with a wrong one, it is 401 everywhere.

The debate is over, so that 409 is the answer to a caller who may steer it; the vote is the caller's first.
"""
BODIES = {
    "POST /api/estimates": {"motion": MOTION, "judges": "none"},
    "POST /api/debates": {"motion": MOTION, "judges": "none"},
    "POST /api/panels": {"name": "Ours", "protocol": "structured"},
    "POST /api/debates/{run_id}/forks": {"turn": "r1.t0"},
    "POST /api/debates/{run_id}/verdicts": {"judges": ["improviser"]},
    "POST /api/debates/{run_id}/estimates": {"judges": ["improviser"]},
    "POST /api/debates/{run_id}/evaluations": {"judges": ["improviser"]},
    "POST /api/debates/{run_id}/evaluations/estimates": {"judges": ["improviser"]},
    "POST /api/debates/{run_id}/links": {"seat": "con"},
    "POST /api/debates/{run_id}/speeches": {"seat": "con", "text": "Words."},
    "POST /api/debates/{run_id}/instructions": {"text": "Be brief."},
    "POST /api/debates/{run_id}/votes": {"winner": None},
    "POST /api/debates/{run_id}/outcome": {"option": "yes"},
    "POST /api/debates/{run_id}/ratings": {"stars": 4},
    "PATCH /api/debates/{run_id}": {"tags": ["ours"]},
    "POST /api/debates/{run_id}/retry": {},
    "POST /api/debates/{run_id}/repeats": {},
    "POST /api/debates/{run_id}/questions": {"question": "And then?"},
    "POST /api/debates/deletions": {"runs": ["never-was"]},
}
FILES = {
    "POST /api/debates/import": {
        "content": b"Is it so?\nAda: Yes.\nBen: No.\nAda: It is.\nBen: It is not.",
        "headers": {"Content-Type": "application/octet-stream"},
    },
    "POST /api/documents/read": {"content": b"Words.", "headers": {"Content-Type": "application/octet-stream"}},
}
SIGNING = {"POST /api/session", "DELETE /api/session"}


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    """A server with a worker, and two debates of ann's in which a person held the seat `con`; they are over."""
    with fresh("sqlite", tmp_path_factory.mktemp("team")) as url, served(url, works=True) as site:
        ann = site.caller("ann")
        yield site, _argued(site, ann), _argued(site, ann)


def _argued(site, ann):
    """A debate of a person and the improviser, stopped while it waited for the person."""
    documents = {"background": {"text": "A plan."}, "documents": [{"text": "A memo of ours.", "seats": ["con"]}]}
    run_id = site.begin(ann, seats={"con": "human"}, model="improviser", **documents)
    until(lambda: ann.get(f"/api/debates/{run_id}").json()["questions"])
    ann.post(f"/api/debates/{run_id}/cancel")
    return site.ended(run_id, ann)


def caller(team, who):
    site, run_id, _ = team
    return {
        "none": lambda: site.http,
        "wrong": lambda: site.with_token("no-such-token"),
        "viewer": lambda: site.caller("ann", "viewer"),
        "judge": lambda: site.caller("ann", "judge"),
        "judge of one": lambda: site.caller("ann", "judge", run_id),
        "seat": lambda: site.caller("ann", "seat", run_id, "con"),
        "other": lambda: site.caller("bob"),
        "owner": lambda: site.caller("ann"),
    }[who]()


def asked(http, route, run_id):
    """The answer to a good request."""
    method, path = route.split(" ")
    params = {
        "/api/comparisons": [("first", run_id), ("second", run_id)],
        "/api/comparisons/evaluations": [("first", run_id), ("second", run_id)],
        "/api/stability": [("run", run_id)],
        "/api/documents/read": [("name", "a.txt")],
        "/api/search": [("words", "towns")],
    } | ({"/api/panels": [("name", "Ours")]} if method == "DELETE" else {})
    named = {"{run_id}": run_id, "{seat}": "con", "{document}": "DOC-1", "{name}": "monolith"}
    where = path
    for field, value in named.items():
        where = where.replace(field, value)
    body = FILES[route] if route in FILES else {"json": BODIES.get(route)}
    return http.request(method, where, params=params.get(path, []), **body)


def test_the_matrix_names_every_route():
    document = api(added=[ROUTES]).openapi()["paths"]
    routes = {f"{method.upper()} {path}" for path, methods in document.items() for method in methods}
    assert routes - SIGNING == set(MATRIX)


@pytest.mark.parametrize("who", CALLERS)
def test_every_route_answers_every_caller_as_the_matrix_says(team, who):
    http, (_, run_id, spare) = caller(team, who), team
    deletes = "DELETE /api/debates/{run_id}"
    found = {route: asked(http, route, spare if route == deletes else run_id).status_code for route in MATRIX}
    wanted = {route: 401 if who in ("none", "wrong") else row[who] or row["owner"] for route, row in MATRIX.items()}
    assert found == wanted


@pytest.mark.parametrize("role", ["judge", "seat"])
def test_a_token_for_one_debate_opens_no_other(team, role):
    site, run_id, _ = team
    http = site.caller("ann", role, run_id, "con" if role == "seat" else "")
    other = site.begin(site.caller("ann"), seats={"con": "human"}, model="improviser")
    answers = [http.get(f"/api/debates/{run}{what}") for run in (other, "never-was") for what in ("", "/view")]
    assert [answer.status_code for answer in answers] == [404] * 4


def test_a_seat_link_speaks_for_its_seat_alone(team):
    site, run_id, _ = team
    http = site.caller("ann", "seat", run_id, "con")
    said = [http.post(f"/api/debates/{run_id}/speeches", json={"seat": s, "text": "Words."}) for s in ("pro", "con")]
    assert [answer.status_code for answer in said] == [403, 409]  # the second: nothing is asked of it any more
    assert http.get(f"/api/debates/{run_id}/advice/pro").status_code == 403


def test_a_seat_link_opens_a_session_of_the_same_seat(team):
    site, run_id, _ = team
    link = site.caller("ann").post(f"/api/debates/{run_id}/links", json={"seat": "con", "hours": 1}).json()
    path, _, token = link["path"].partition("#link=")
    assert (path, token) == (f"/debates/{run_id}/seat/con", link["token"])
    with httpx.Client(base_url=site.url) as browser:
        browser.post("/api/session", json={"token": token})
        about = browser.get("/api/about").json()
    assert (about["role"], about["run_id"], about["seat"]) == ("seat", run_id, "con")


def test_no_link_is_made_to_a_seat_that_no_person_holds(team):
    site, run_id, _ = team
    answer = site.caller("ann").post(f"/api/debates/{run_id}/links", json={"seat": "pro"})
    assert (answer.status_code, answer.json()["fields"]) == (422, ["seat"])


def test_a_judge_sees_names_and_results_after_the_vote(team):
    site, *_ = team
    run_id = site.play(site.caller("ann"), judges=["improviser"], follows=1)
    judge = site.caller("ann", "judge")

    def seen():
        state, view = (judge.get(f"/api/debates/{run_id}{what}").json() for what in ("", "/view"))
        return bool(state["report"]["outcome"]), len(state["follows"]), view["judgement"] is not None

    before = seen()
    judge.post(f"/api/debates/{run_id}/votes", json={"winner": None})
    assert (before, seen()) == ((False, 0, False), (True, 1, True))
    assert all(one["outcome"] is None for one in judge.get("/api/debates").json()["debates"])


def test_a_vote_is_bound_to_its_token_in_every_session_and_after_rotation(team):
    site, *_ = team
    run_id = site.play(site.caller("ann"))
    database, path = site.state.database, f"/api/debates/{run_id}/votes"
    token = tokens.issue(database, Access("ann", "judge"), "one vote")
    token_id = next(kept.id for kept in tokens.every(database) if kept.name == "one vote")
    ways = [{"Authorization": f"Bearer {token}"}]
    ways += [{"Cookie": f"hustings={tokens.open_session(database, token)}"} for _ in range(2)]
    ways += [{"Authorization": f"Bearer {tokens.rotate(database, token_id, 60.0)}"}]
    votes = [site.http.post(path, json={"winner": None}, headers=headers).status_code for headers in ways]
    assert votes == [201, 409, 409, 409]


def test_votes_are_shown_to_those_who_have_voted(team):
    site, *_ = team
    run_id = site.play(site.caller("ann"))
    ann, bob = (site.caller("ann", "judge") for _ in range(2))
    path = f"/api/debates/{run_id}/votes"
    assert ann.get(path).status_code == 403
    assert ann.post(path, json={"winner": "pro", "sure": 80}).json()["votes"] == 1
    assert bob.get(path).status_code == 403
    assert bob.post(path, json={"winner": None}).json()["winners"] == {"pro": 1, "": 1}
    assert ann.get(path).json()["mine"]["winner"] == "pro"


@pytest.mark.parametrize("way", ["token", "session"])
def test_a_stream_ends_within_two_seconds_of_the_loss_of_its_token(tmp_path, way):
    """The debate waits, so nothing else wakes the stream. A busy machine may take a second more."""
    with fresh("sqlite", tmp_path) as url, served(url) as site:
        database = site.state.database
        token = tokens.issue(database, Access("ann"))
        run_id = site.begin(site.with_token(token))
        session = tokens.open_session(database, token)
        headers = {"Authorization": f"Bearer {token}"} if way == "token" else {"Cookie": f"hustings={session}"}
        with site.http.stream("GET", f"/api/debates/{run_id}/events", headers=headers) as answer:
            lines = answer.iter_lines()
            assert next(lines).startswith("retry")
            time.sleep(1)
            tokens.revoke(database, tokens.every(database)[0].id)
            begun = time.monotonic()
            assert "end" not in [event for _, event in messages(lines)]
            assert time.monotonic() - begun < 3


def test_the_activity_log_tells_who_started_stopped_downloaded_and_deleted(team):
    site, *_ = team
    ann = site.caller("ann")
    run_id = site.play(ann)
    ann.get(f"/api/debates/{run_id}/export?format=json")
    ann.delete(f"/api/debates/{run_id}")
    with site.state.database.reading() as db:
        found = activity.latest(db, 10, subject=run_id)
    assert [row.action for row in found] == ["debate deleted", "debate downloaded", "debate started"]
    assert len({row.actor for row in found} & {f"token:{kept.id}" for kept in tokens.every(site.state.database)}) == 1
