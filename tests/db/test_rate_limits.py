import math
import threading
import time
from uuid import uuid4

import pytest
import sqlalchemy as sa

from hustings.db.connection import connect
from hustings.db.rate_limits import LONGEST_WAIT, EndpointLimits, Health, RateLimits
from hustings.db.tables import RATE_LIMIT

from .databases import fresh, processes

CROWD, TAKERS, SECONDS = 4, 6, 3.0


@pytest.fixture(scope="module")
def crowd():
    with processes(CROWD) as pool:
        yield pool


@pytest.fixture
def rate_limits(database):
    return RateLimits(database)


@pytest.fixture
def endpoint():
    return EndpointLimits(uuid4().hex, requests=4, tokens=1000)


def later(database, seconds):
    """Let time pass for every row."""
    past = {name: RATE_LIMIT.c[name] - seconds for name in ("at", "limited_at", "opened_at")}
    with database.writing() as db:
        db.execute(sa.update(RATE_LIMIT).values(past))


def health(rate_limits, endpoint):
    return rate_limits.ailing().get(endpoint.key, Health())


def test_what_a_minute_allows_may_come_at_once_and_no_more(rate_limits, endpoint):
    assert [rate_limits.take(endpoint, 1) > 0 for _ in range(6)] == [False] * 4 + [True] * 2


def test_tokens_run_out_like_requests(rate_limits, endpoint):
    assert [rate_limits.take(endpoint, 400) > 0 for _ in range(3)] == [False, False, True]


def test_a_refusal_says_when_there_will_be_room(rate_limits, endpoint):
    rate_limits.take(endpoint, 1000)
    assert rate_limits.take(endpoint, 50) == pytest.approx(3.0, abs=0.5)


def test_a_refusal_never_asks_for_much_patience_since_room_may_be_given_back(rate_limits, endpoint):
    rate_limits.take(endpoint, 1000)
    assert rate_limits.take(endpoint, 900) == LONGEST_WAIT


def test_a_bucket_fills_with_time(rate_limits, endpoint, database):
    for _ in range(4):
        rate_limits.take(endpoint, 1)
    later(database, 31)
    assert [rate_limits.take(endpoint, 1) > 0 for _ in range(3)] == [False, False, True]


def test_a_bucket_never_holds_more_than_a_minute(rate_limits, endpoint, database):
    rate_limits.take(endpoint, 1)
    later(database, 3600)
    assert sum(rate_limits.take(endpoint, 1) == 0 for _ in range(6)) == 4


def test_unused_tokens_can_be_taken_again(rate_limits, endpoint):
    rate_limits.take(endpoint, 1000)
    rate_limits.give_back(endpoint, 900)
    assert rate_limits.take(endpoint, 900) == 0


def test_more_than_was_taken_is_debited_afterwards(rate_limits, endpoint):
    rate_limits.take(endpoint, 100)
    rate_limits.give_back(endpoint, -900)
    assert rate_limits.take(endpoint, 100) > 0


def test_a_request_beyond_the_whole_allowance_goes_out_when_the_bucket_is_full(rate_limits, endpoint):
    assert rate_limits.take(endpoint, 5000) == 0


def test_a_request_beyond_the_whole_allowance_leaves_a_debt(rate_limits, endpoint, database):
    rate_limits.take(endpoint, 5000)
    later(database, 200)
    assert rate_limits.take(endpoint, 1) > 0


def test_without_limits_everything_is_taken(rate_limits):
    endpoint = EndpointLimits(uuid4().hex)
    assert not any(rate_limits.take(endpoint, 10**6) for _ in range(100))


def test_a_429_holds_everybody_for_as_long_as_the_provider_says(rate_limits, endpoint, database):
    rate_limits.punish(endpoint, 600)
    assert RateLimits(database).take(endpoint, 1) == pytest.approx(600, abs=2)


def test_a_later_429_with_a_shorter_time_shortens_nothing(rate_limits, endpoint):
    rate_limits.punish(endpoint, 600)
    assert rate_limits.punish(endpoint, 2).hold == pytest.approx(600, abs=2)


@pytest.mark.parametrize(
    ("after", "hold"), [(None, 1), (0, 1), (-5, 1), (math.nan, 1), (math.inf, 86400), (1e300, 86400)]
)
def test_a_senseless_time_to_wait_is_kept_within_bounds(rate_limits, endpoint, after, hold):
    assert rate_limits.punish(endpoint, after).hold == pytest.approx(hold, abs=0.5)


def test_a_429_halves_the_rate(rate_limits, endpoint, database):
    rate_limits.punish(endpoint, 1)
    later(database, 60)
    assert sum(rate_limits.take(endpoint, 1) == 0 for _ in range(4)) == 2


def test_a_volley_of_429s_halves_the_rate_once(rate_limits, endpoint):
    for _ in range(5):
        standing = rate_limits.punish(endpoint, 20)
    assert standing.rate == pytest.approx(0.5, abs=0.01)


def test_the_rate_never_falls_below_a_tenth(rate_limits, endpoint, database):
    for _ in range(8):
        standing = rate_limits.punish(endpoint, 1)
        later(database, 2)
    assert standing.rate == pytest.approx(0.1, abs=0.01)


def test_the_rate_comes_back_by_a_twentieth_a_minute(rate_limits, endpoint, database):
    rate_limits.punish(endpoint, 1)
    later(database, 240)
    assert health(rate_limits, endpoint).rate == pytest.approx(0.7, abs=0.01)


def test_an_endpoint_that_has_recovered_is_no_longer_ailing(rate_limits, endpoint, database):
    rate_limits.punish(endpoint, 1)
    later(database, 601)
    assert endpoint.key not in rate_limits.ailing()


def test_even_one_request_a_minute_gets_through_at_the_lowest_rate(rate_limits, database):
    endpoint = EndpointLimits(uuid4().hex, requests=1)
    for _ in range(8):
        rate_limits.punish(endpoint, 1)
        later(database, 2)
    later(database, 60)
    assert rate_limits.take(endpoint, 1) == 0


def test_four_faults_in_a_row_leave_the_breaker_closed(rate_limits, endpoint):
    for _ in range(4):
        rate_limits.trouble(endpoint)
    assert rate_limits.take(endpoint, 1) == 0


def test_the_fifth_fault_in_a_row_opens_the_breaker(rate_limits, endpoint):
    for _ in range(5):
        rate_limits.trouble(endpoint)
    assert rate_limits.take(endpoint, 1) > 0


def test_an_answer_in_between_starts_the_count_anew(rate_limits, endpoint):
    for _ in range(4):
        rate_limits.trouble(endpoint)
    rate_limits.well(endpoint)
    assert not rate_limits.trouble(endpoint).breaking


def test_an_answer_closes_the_breaker(rate_limits, endpoint):
    for _ in range(6):
        rate_limits.trouble(endpoint)
    rate_limits.well(endpoint)
    assert rate_limits.take(endpoint, 1) == 0


def test_faults_of_calls_that_were_under_way_keep_the_breaker_open_no_longer(rate_limits, endpoint, database):
    for _ in range(5):
        rate_limits.trouble(endpoint)
    later(database, 20)
    assert rate_limits.trouble(endpoint).shut == pytest.approx(10, abs=1)


def test_a_clock_that_is_set_back_opens_what_was_shut(rate_limits, endpoint, database):
    rate_limits.punish(endpoint, 1)
    for _ in range(5):
        rate_limits.trouble(endpoint)
    later(database, -3600)
    assert rate_limits.take(endpoint, 1) == 0


def test_a_bucket_does_not_wait_for_the_disk_but_what_comes_after_it_does(endpoint, tmp_path):
    values = {"which": endpoint.key, "per_minute": 1.0, "per_minute_tokens": 1.0}
    setting = sa.text("show synchronous_commit")
    with fresh("postgresql", tmp_path) as database:
        rate_limits = RateLimits(database)
        rate_limits.well(endpoint)
        with database.engine.connect() as db:
            with db.begin():
                db.execute(rate_limits._sql.trouble, values)
                during = db.scalar(setting)
            assert (during, db.scalar(setting)) == ("off", "on")


def test_many_processes_never_take_more_than_the_limit(database, crowd):
    endpoint = EndpointLimits(uuid4().hex, requests=600)
    begun = time.monotonic()
    jobs = [crowd.submit(hammer, database.url, endpoint, SECONDS) for _ in range(CROWD)]
    taken = sum(job.result() for job in jobs)
    allowed = 600 + (time.monotonic() - begun) * 10
    assert 600 < taken <= allowed


def test_an_open_breaker_lets_one_probe_through_for_all_processes(database, rate_limits, crowd):
    endpoint = EndpointLimits(uuid4().hex)
    for _ in range(5):
        rate_limits.trouble(endpoint)
    probes = []
    for _ in range(3):
        later(database, 31)
        jobs = [crowd.submit(hammer, database.url, endpoint, 0.3) for _ in range(CROWD)]
        probes.append(sum(job.result() for job in jobs))
    assert probes == [1, 1, 1]


def hammer(url, endpoint, seconds):
    """How often the takers of one process get through."""
    database = connect(url, pool=TAKERS)
    rate_limits, taken, until = RateLimits(database), [], time.monotonic() + seconds

    def take():
        while time.monotonic() < until:
            taken.append(rate_limits.take(endpoint, 10) == 0)
            time.sleep(0.005)

    threads = [threading.Thread(target=take) for _ in range(TAKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    database.close()
    return sum(taken)
