"""What people say of a debate afterwards, and figures over all of theirs, over HTTP."""

import pytest

from .rig import fresh, served


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with fresh("sqlite", tmp_path_factory.mktemp("hindsight")) as url, served(url, works=True) as found:
        yield found


@pytest.fixture(scope="module")
def held(site):
    return site.play(model="improviser", protocol="roundtable")


def test_a_rating_counts_once_for_each_caller(site, held):
    told = [site.http.post(f"/api/debates/{held}/ratings", json={"stars": stars}).json() for stars in (2, 5)]
    assert [(one["rating"], one["ratings"]) for one in told] == [(2.0, 1), (5.0, 1)]


def test_what_happened_is_recorded_and_read(site, held):
    before = site.http.get(f"/api/debates/{held}/outcome").json()
    answer = site.http.post(f"/api/debates/{held}/outcome", json={"option": "yes", "source": "The vote"})
    assert (before["option"], answer.status_code) == (None, 201)
    assert site.http.get(f"/api/debates/{held}/outcome").json() == {"option": "yes", "source": "The vote"}


@pytest.mark.parametrize("body", [{}, {"option": ""}, {"option": "x" * 201}, {"option": "a\nb"}, {"option": 3}])
def test_an_option_is_one_short_line(site, held, body):
    assert site.http.post(f"/api/debates/{held}/outcome", json=body).status_code == 422


@pytest.mark.parametrize("stars", [0, 6, "5", 4.5, None])
def test_a_rating_is_a_whole_number_from_one_to_five(site, held, stars):
    assert site.http.post(f"/api/debates/{held}/ratings", json={"stars": stars}).status_code == 422


def test_a_debate_that_goes_on_has_neither_rating_nor_outcome(site):
    run_id = site.begin(model="improviser", seats={"con": "human"})
    sent = (("ratings", {"stars": 3}), ("outcome", {"option": "yes"}))
    answers = [site.http.post(f"/api/debates/{run_id}/{what}", json=body) for what, body in sent]
    site.http.post(f"/api/debates/{run_id}/cancel")
    assert [answer.status_code for answer in answers] == [409, 409]


def test_statistics_count_the_debates_of_the_caller(site, held):
    found = site.http.get("/api/stats", params={"by": "protocol", "since": "1d"}).json()
    assert held
    assert [group["value"] for group in found["groups"]] == ["roundtable"]
    assert found["whole"]["figures"]["gini_of_words"]["median"] is None


@pytest.mark.parametrize("params", [{"since": "never"}, {"by": "colour"}, {"since": "x" * 30}])
def test_a_group_or_time_that_is_not_known_is_refused(site, params):
    assert site.http.get("/api/stats", params=params).status_code == 422
