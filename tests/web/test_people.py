"""People in a debate, over HTTP: their turn, their vote, and what they learn."""

import json

import pytest

from hustings.web.routes.participation import offering
from tests.rig.waiting import until


def question(site, run_id, seat="con"):
    def asked():
        state = site.http.get(f"/api/debates/{run_id}").json()
        return next((q for q in state["questions"] if q["seat"] == seat), None)

    return until(asked)


def say(site, run_id, seat, text, key=""):
    return site.http.post(f"/api/debates/{run_id}/speeches", json={"seat": seat, "text": text, "key": key})


def test_a_question_says_all_that_a_person_needs(site):
    run_id = site.begin(seats={"con": "human"})
    asked = question(site, run_id)
    assert asked["task"]
    assert asked["form"]["type"] == "object"
    assert asked["readable"] == []
    assert asked["since"] >= site.http.get(f"/api/debates/{run_id}").json()["report"]["created_at"]
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


def test_whoever_is_waited_for_is_named_in_the_list(site):
    run_id = site.begin(seats={"con": "human"})
    question(site, run_id)
    assert site.http.get("/api/debates").json()["awaited"] == {run_id: ["con"]}
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)
    assert site.http.get("/api/debates").json()["awaited"] == {}


def test_a_form_says_what_may_be_named_in_it():
    named = {"type": "string", "x-choice": "claim"}
    form = {"type": "object", "properties": {"all": {"type": "array", "items": named}, "id": {"x-choice": "own"}}}
    told = offering(form, {"claim": ("PRO-1", "PRO-2"), "own": ("CON",)})
    assert told["properties"] == {
        "all": {"type": "array", "items": {**named, "enum": ["PRO-1", "PRO-2"]}},
        "id": {"x-choice": "own", "x-own": "CON"},
    }


def test_a_speech_that_is_too_long_is_told_how_long_it_may_be(site):
    told = say(site, "any-000000000000", "con", "w" * 100_001)
    assert (told.status_code, told.json()["title"]) == (422, "text: at most 100,000 characters.")


def test_words_that_do_not_fit_come_back_with_the_complaints(site):
    run_id = site.begin(seats={"con": "human"})
    asked = question(site, run_id)
    answer = say(site, run_id, "con", json.dumps({"arguments": []}), asked["key"])
    assert (answer.status_code, answer.json()["fields"]) == (422, ["text"])
    assert "arguments" in answer.json()["title"]
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


def test_a_seat_that_is_not_asked_cannot_speak(site):
    run_id = site.begin(seats={"con": "human"})
    question(site, run_id)
    assert say(site, run_id, "pro", "Me, too!").status_code == 409
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


def test_a_person_speaks_and_the_debate_goes_on(site):
    run_id = site.begin(seats={"con": "human"})
    asked = question(site, run_id)
    opening = {
        "arguments": [
            {
                "id": f"CON-{n}",
                "claim": f"Shops in the centre lose every {n}th customer who came by car.",
                "reasoning": "Whoever cannot park nearby goes elsewhere, and elsewhere has the same goods.",
                "evidence": f"The chamber of commerce counted in year {n}.",
            }
            for n in (1, 2, 3)
        ]
    }
    answer = say(site, run_id, "con", json.dumps(opening), asked["key"])
    assert answer.status_code == 202, answer.text
    assert say(site, run_id, "con", json.dumps({**opening, "x": 1}), asked["key"]).status_code == 409
    second = until(lambda: (found := question(site, run_id)) and found["key"] != asked["key"] and found)
    assert set(second["readable"]) >= {"r1.t0", "r1.t1"}
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


@pytest.fixture(scope="module")
def judged(site):
    return site.play(judges=["improviser"], follows=1)


def test_a_server_without_tokens_takes_one_vote_from_an_address(site, judged):
    path = f"/api/debates/{judged}/votes"
    cookies = ({}, {}, {"Cookie": "hustings_voter=made-up"}, {"Cookie": "hustings=made-up"})
    answers = [site.http.post(path, json={"winner": "pro"}, headers=headers).status_code for headers in cookies]
    assert answers == [201, 409, 409, 409]
    assert site.http.get(path).json()["votes"] == 1


def test_no_link_is_made_that_would_lock_its_maker_out(still):
    answer = still.http.post(f"/api/debates/{still.begin(seats={'con': 'human'})}/links", json={"seat": "con"})
    assert (answer.status_code, still.http.get("/api/about").status_code) == (409, 200)


def test_nobody_votes_on_a_debate_that_goes_on(still):
    assert still.http.post(f"/api/debates/{still.begin()}/votes", json={"winner": None}).status_code == 409


def test_a_seat_is_advised_when_it_is_over(site, judged):
    found = site.http.get(f"/api/debates/{judged}/advice/pro").json()
    assert found["seat"] == "pro"
    assert found["strengths"] + found["unanswered"] + found["missed"]
    assert site.http.get(f"/api/debates/{judged}/advice/nobody").status_code == 404


def test_two_debates_stand_side_by_side(site, judged):
    other = site.play(judges=["improviser"], follows=1)
    found = site.http.get("/api/comparisons", params={"first": judged, "second": other}).json()
    assert found["comparison"]["runs"] == [judged, other]
    assert found["turns"][0]["turns"] == ["r1.t0", "r1.t0"]


def test_one_motion_over_several_runs(site, judged):
    other = site.play(judges=["improviser"], follows=1)
    found = site.http.get("/api/stability", params=[("run", judged), ("run", other)]).json()
    assert {report["run_id"] for report in found["runs"]} == {judged, other}
    assert all(0 < claim["share"] <= 1 for claim in found["claims"])


def test_an_owner_tells_speakers_something(still):
    run_id = still.begin(judges="none")
    answer = still.http.post(f"/api/debates/{run_id}/instructions", json={"text": "Be brief.", "seat": "con"})
    assert (answer.status_code, answer.json()) == (202, {"seats": ["con"]})


def test_what_nobody_could_be_told_is_refused(still):
    run_id, posthoc = still.begin(judges="none"), still.begin(judges="none", protocol="roundtable")
    asked = {"unknown seat": (run_id, {"text": "x", "seat": "nobody"}), "posthoc": (posthoc, {"text": "x"})}
    told = {what: still.http.post(f"/api/debates/{run}/instructions", json=body) for what, (run, body) in asked.items()}
    assert {what: answer.status_code for what, answer in told.items()} == {"unknown seat": 422, "posthoc": 409}


def test_a_debate_that_takes_retries_takes_words_from_outside(still):
    run_id = still.begin(judges="none", protocol="roundtable", retries=1)
    answer = still.http.post(f"/api/debates/{run_id}/instructions", json={"text": "Be brief.", "seat": "ada"})
    assert (answer.status_code, answer.json()) == (202, {"seats": ["ada"]})
