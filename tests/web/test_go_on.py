"""Going on from a debate: after a failure, with swapped sides, with other models, or with a further question."""

import pytest

from hustings.runs.follow_ups import FollowUps
from hustings.runs.request import DebateRequest, build_spec
from tests.rig.waiting import until

from .rig import MOTION


def spec(site, run_id):
    return site.state.operator.runs.spec(run_id)


def asked(site, run_id, what, **body):
    return site.http.post(f"/api/debates/{run_id}/{what}", json=body)


@pytest.fixture(scope="module")
def played(site):
    return site.play(model="improviser")


@pytest.fixture(scope="module")
def stopped(site):
    """A debate that was stopped while it waited for a person; Pro had spoken."""
    run_id = site.begin(model="improviser", seats={"con": "human"})
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"])
    site.http.post(f"/api/debates/{run_id}/cancel")
    return site.ended(run_id)


def test_a_stopped_debate_goes_on_with_the_answers_it_has(site, stopped):
    again = asked(site, stopped, "retry", budget=2.5, seconds=300).json()["run_id"]
    made = spec(site, again)
    assert (made.forked_from, made.inherits[0].lineage) == (stopped, stopped)
    assert (made.caps.money, made.seconds_per_call) == (2_500_000, 300)
    site.http.post(f"/api/debates/{again}/cancel")
    site.ended(again)


def test_more_time_counts_until_the_first_word_too(site, stopped):
    again = asked(site, stopped, "retry", seconds=300).json()["run_id"]
    pro = spec(site, again).model_specs["pro"]
    assert (pro.timeout, pro.first_token_timeout) == (300, 300)
    site.http.post(f"/api/debates/{again}/cancel")
    site.ended(again)


def test_one_that_hangs_is_stopped_and_goes_on_with_another_model_and_the_answers_it_has(site):
    run_id = site.begin(model="improviser", seats={"con": "human"})
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"])
    refused = asked(site, run_id, "retry", seats={"con": "improviser"})
    again = asked(site, run_id, "retry", seats={"con": "improviser"}, instead=True).json()["run_id"]
    endings = [site.http.get(f"/api/debates/{site.ended(one)}").json()["report"]["ending"] for one in (run_id, again)]
    assert (refused.status_code, endings) == (409, ["cancelled", "played"])
    first, second = (site.http.get(f"/api/debates/{one}/view").json()["speeches"][0] for one in (run_id, again))
    assert first["words"] == second["words"]


def test_a_debate_that_did_not_fail_is_not_retried(site, played):
    assert asked(site, played, "retry").status_code == 409


def test_it_is_held_again_as_it_was_or_with_swapped_sides(site):
    request = DebateRequest(protocol="structured", question=MOTION, seats={"pro": "improviser", "con": "human"})
    old = build_spec(request, {})
    site.state.operator.control.enter_here(old, "nobody", paused=True)
    same, swapped = (asked(site, old.run_id, "repeats", swapped=way).json()["run_id"] for way in (False, True))
    casts = [{seat: player.model for seat, player in spec(site, run).debate.cast.items()} for run in (same, swapped)]
    assert casts == [{"pro": "improviser", "con": "human"}, {"pro": "human", "con": "improviser"}]
    assert (spec(site, same).inherits, spec(site, same).lineage) == ((), same)
    for run in (same, swapped):
        site.http.post(f"/api/debates/{run}/cancel")


def test_sides_that_are_not_there_cannot_be_swapped(site):
    run_id = site.play(model="improviser", protocol="roundtable")
    answer = asked(site, run_id, "repeats", swapped=True)
    assert (answer.status_code, "no two sides" in answer.json()["why"]) == (409, True)


def test_a_further_question_has_the_record_as_its_background(site, played):
    again = asked(site, played, "questions", question="And what about bicycles?").json()["run_id"]
    debate = spec(site, again).debate
    said = site.http.get(f"/api/debates/{played}/view").json()["speeches"][0]["words"].split()
    assert debate.topic == "And what about bicycles?"
    assert debate.background.title.startswith("Earlier debate: Should towns")
    assert " ".join(said[1:6]) in debate.background.text  # the first is the id of an argument, which is set apart
    site.ended(again, seconds=60)
    assert site.http.get(f"/api/debates/{again}").json()["report"]["ending"] == "played"


def test_a_fork_seats_another_model_that_the_server_offers(site, played):
    wrong = asked(site, played, "forks", turn="r2.t0", seats={"con": "evil/model"})
    nobody = asked(site, played, "forks", turn="r2.t0", seats={"nobody": "improviser"})
    right = asked(site, played, "forks", turn="r2.t0", seats={"con": "improviser"})
    assert [answer.status_code for answer in (wrong, nobody, right)] == [422, 422, 202]


def test_the_same_key_goes_on_once(site, played):
    headers = {"Idempotency-Key": "go-on-once"}
    path = f"/api/debates/{played}/repeats"
    runs = {site.http.post(path, json={}, headers=headers).json()["run_id"] for _ in range(2)}
    assert len(runs) == 1


@pytest.mark.parametrize(("judges", "judged"), [("none", False), ("auto", True)])
def test_what_was_not_asked_for_is_not_paid_for_when_a_debate_goes_on(site, judges, judged):
    run_id = site.begin(model="improviser", seats={"con": "human"}, judges=judges)
    again = asked(site, run_id, "retry", seats={"con": "improviser"}, instead=True).json()["run_id"]
    follow_ups = FollowUps.stored(site.state.operator.runs, again)
    assert (follow_ups.judging is not None) is judged
    site.ended(again)
