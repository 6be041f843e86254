"""Recorded debates over HTTP: those of `hustings demo`, readable without a run, a worker or a model."""

import pytest

from hustings.runs.recording import name_of, packaged

NAMES = [name_of(file) for file in packaged()]


def test_the_list_has_every_recording_of_the_demo(still):
    found = still.http.get("/api/recordings").json()
    assert [card["name"] for card in found] == NAMES
    assert all(card["topic"] and "\n" not in card["topic"] for card in found)


def test_a_recording_says_whether_we_wrote_it(still):
    found = {card["name"]: card for card in still.http.get("/api/recordings").json()}
    assert (found["monolith"]["written"], found["monolith"]["models"]) == (True, [])
    assert not found["small-model"]["written"]
    assert found["small-model"]["models"]


@pytest.mark.parametrize("name", ["monolith", "small-model"])
def test_a_recording_is_read_like_a_debate_that_is_over(still, name):
    found = still.http.get(f"/api/recordings/{name}").json()
    assert found["card"]["name"] == name
    assert found["view"]["ending"]["kind"] == "played"
    assert found["view"]["speeches"]


def test_its_events_come_in_order_from_the_first_to_the_end(still):
    came = still.http.get("/api/recordings/monolith/events").json()
    assert [one["event"]["seq"] for one in came] == [*range(len(came))]
    assert (came[0]["event"]["kind"], came[-1]["event"]["kind"]) == ("debate_started", "debate_ended")
    assert [one["at"] for one in came] == sorted(one["at"] for one in came)


def test_an_unknown_recording_is_refused_with_the_names_that_there_are(still):
    answer = still.http.get("/api/recordings/no-such-one")
    assert answer.status_code == 404
    assert "monolith" in answer.json()["fix"]


def test_reading_a_recording_leaves_no_run_behind(still):
    still.http.get("/api/recordings/monolith")
    assert still.http.get("/api/debates").json()["debates"] == []


def test_a_search_for_models_tells_the_operator_where_it_looked(still):
    found = still.http.get("/api/discovery").json()
    assert [one["name"] for one in found["servers"][:1]] == ["ollama"]
    assert {one["state"] for one in found["servers"]} <= {"ready", "no model", "not there"}


def test_a_search_tells_others_than_the_operator_nothing_of_the_machine(tmp_path):
    from .rig import fresh, served  # noqa: PLC0415  the engine takes seconds to load

    with fresh("sqlite", tmp_path) as url, served(url) as site:
        found = site.caller("ann").get("/api/discovery").json()
    assert (found["servers"], found["keys"]) == ([], [])
