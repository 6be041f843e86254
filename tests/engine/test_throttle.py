import asyncio
import time
from contextlib import contextmanager
from uuid import uuid4

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from hustings.db.connection import connect
from hustings.db.rate_limits import LONGEST_WAIT
from hustings.engine.throttle import Throttle, endpoint_of
from hustings.llm.model import LlmResponse, Usage
from hustings.llm.model_spec import ModelSpec
from tests.db.databases import KINDS, fresh

OK = LlmResponse("ok", usage=Usage(input=10, output=10))
AWAY = LlmResponse("unreachable", billed="no")


@pytest.fixture(params=KINDS, scope="module")
def database(request, tmp_path_factory):
    with fresh(request.param, tmp_path_factory.mktemp("limits")) as database:
        yield database


@pytest.fixture
def model_spec():
    return ModelSpec(provider="openai", base_url="http://127.0.0.1:9/v1", model=uuid4().hex, key="LLM_API_KEY")


@contextmanager
def worker(database, **options):
    own = connect(database.url)
    limits = Throttle(own, **options)
    try:
        yield limits
    finally:
        limits.close()
        limits._threads.shutdown()
        own.close()


@contextmanager
def statements(limits):
    seen = []
    engine = limits._rate_limits._database.engine

    def note(_connection, _cursor, statement, *_rest):
        if not statement.startswith("begin"):
            seen.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield seen
    event.remove(engine, "before_cursor_execute", note)


async def call(limits, model_spec, response=OK, tokens=100):
    wait = await limits.enter(model_spec, tokens)
    if not wait:
        await limits.leave(model_spec, tokens, response)
    return wait


async def until_it_waits(limits, model_spec):
    begun = time.monotonic()
    while not (wait := await call(limits, model_spec)):
        assert time.monotonic() - begun < 10
        await asyncio.sleep(0.02)
    return time.monotonic() - begun, wait


def test_an_endpoint_is_known_by_address_credential_and_model():
    model_spec = ModelSpec(provider="openai", base_url="http://127.0.0.1:9/v1", model="m", key="LLM_API_KEY")
    assert endpoint_of(model_spec).key == "http://127.0.0.1:9/v1|LLM_API_KEY|m"


def test_an_endpoint_without_address_is_known_by_its_provider():
    assert endpoint_of(ModelSpec(provider="improviser", model="m")).key == "improviser||m"


def test_a_healthy_endpoint_without_limits_costs_no_statement_per_call(database, model_spec):
    async def play(limits):
        begun = time.monotonic()
        for _ in range(500):
            await call(limits, model_spec)
        return time.monotonic() - begun

    with worker(database) as limits, statements(limits) as seen:
        seconds = asyncio.run(play(limits))
    assert len(seen) <= 1 + seconds


def test_an_endpoint_with_limits_costs_one_statement_per_call(database, model_spec):
    model_spec = model_spec.model_copy(update={"requests_per_minute": 1000})

    async def play(limits):
        for _ in range(50):
            await call(limits, model_spec)

    with worker(database) as limits, statements(limits) as seen:
        asyncio.run(play(limits))
    assert sum(statement.startswith("UPDATE") for statement in seen) == 50 + 1  # the first found no row


def test_a_crowd_that_was_refused_asks_no_more_often_than_one(database, model_spec):
    model_spec = model_spec.model_copy(update={"requests_per_minute": 1})

    async def play(limits):
        await call(limits, model_spec)
        assert all([await call(limits, model_spec) for _ in range(100)])

    with worker(database) as limits, statements(limits) as seen:
        asyncio.run(play(limits))
    assert len(seen) <= 10


def test_calls_beyond_the_configured_limit_are_told_to_wait(database, model_spec):
    model_spec = model_spec.model_copy(update={"requests_per_minute": 5})

    async def play(limits):
        return [await call(limits, model_spec) > 0 for _ in range(8)]

    with worker(database) as limits:
        assert asyncio.run(play(limits)) == [False] * 5 + [True] * 3


def test_unused_tokens_are_given_back(database, model_spec):
    model_spec = model_spec.model_copy(update={"tokens_per_minute": 1000})

    async def play(limits):
        return [await call(limits, model_spec, OK, tokens=1000), await call(limits, model_spec, OK, tokens=900)]

    with worker(database) as limits:
        assert asyncio.run(play(limits)) == [0.0, 0.0]


def test_tokens_of_a_call_that_did_not_count_are_given_back(database, model_spec):
    model_spec = model_spec.model_copy(update={"tokens_per_minute": 1000})

    async def play(limits):
        return [await call(limits, model_spec, AWAY, tokens=1000) for _ in range(2)]

    with worker(database) as limits:
        assert asyncio.run(play(limits)) == [0.0, 0.0]


@pytest.mark.parametrize(
    "response", [LlmResponse("ok"), LlmResponse("timed_out", billed="maybe"), LlmResponse("rate_limited", billed="no")]
)
def test_tokens_of_unknown_use_are_not_given_back(database, model_spec, response):
    model_spec = model_spec.model_copy(update={"tokens_per_minute": 1000})

    async def play(limits):
        await call(limits, model_spec, response, tokens=1000)
        return await call(limits, model_spec, OK, tokens=100)

    with worker(database) as limits:
        assert asyncio.run(play(limits)) > 0


def test_a_retry_after_is_seen_by_another_worker_within_two_seconds(database, model_spec):
    async def play(one, other):
        await call(other, model_spec)
        await call(one, model_spec, LlmResponse("rate_limited", after=300, billed="no"))
        return await until_it_waits(other, model_spec)

    with worker(database) as one, worker(database) as other:
        seconds, wait = asyncio.run(play(one, other))
    assert (seconds < 2, wait > 290) == (True, True)


def test_the_worker_that_was_told_to_wait_waits_at_once(database, model_spec):
    async def play(limits):
        await call(limits, model_spec, LlmResponse("rate_limited", after=300, billed="no"))
        return await call(limits, model_spec)

    with worker(database) as limits:
        assert asyncio.run(play(limits)) == pytest.approx(300, abs=2)


def test_an_overloaded_provider_that_names_a_time_is_left_alone_for_it(database, model_spec):
    async def play(limits):
        await call(limits, model_spec, LlmResponse("overloaded", after=60, billed="no"))
        return await call(limits, model_spec)

    with worker(database) as limits:
        assert asyncio.run(play(limits)) == pytest.approx(60, abs=2)


@pytest.mark.parametrize("kind", ["overloaded", "unreachable", "garbled"])
def test_five_wire_faults_shut_an_endpoint_for_all_workers(database, model_spec, kind):
    async def play(one, other):
        for _ in range(5):
            await call(one, model_spec, LlmResponse(kind, billed="maybe"))
        return [await call(one, model_spec), await call(other, model_spec)]

    with worker(database) as one, worker(database) as other:
        assert asyncio.run(play(one, other)) == pytest.approx([LONGEST_WAIT, LONGEST_WAIT], abs=0.5)


@pytest.mark.parametrize("kind", ["ok", "refused", "malformed", "auth_failed", "rate_limited"])
def test_what_is_no_wire_fault_never_shuts_an_endpoint(database, model_spec, kind):
    async def play(limits):
        for _ in range(6):
            await limits.leave(model_spec, 100, LlmResponse(kind))
        return limits._seen(endpoint_of(model_spec).key)[1].faults

    with worker(database) as limits:
        limits._gates[endpoint_of(model_spec).key].inside = 6
        assert asyncio.run(play(limits)) == 0


def test_an_answer_is_written_down_only_after_trouble(database, model_spec):
    async def play(limits):
        await call(limits, model_spec, AWAY)
        for _ in range(20):
            await call(limits, model_spec, OK)

    with worker(database) as limits, statements(limits) as seen:
        asyncio.run(play(limits))
    assert sum("faults=" in statement for statement in seen) == 3  # trouble finds no row, then one; then well


def test_all_workers_together_send_one_probe_per_interval(database, model_spec):
    async def play(workers):
        for _ in range(5):
            await call(workers[0], model_spec, AWAY)
        begun, probes = time.monotonic(), 0
        while time.monotonic() - begun < 2.5:
            waits = await asyncio.gather(*(call(limits, model_spec, AWAY) for limits in workers for _ in range(5)))
            probes += waits.count(0.0)
            await asyncio.sleep(0.01)
        return probes, time.monotonic() - begun

    with (
        worker(database, open_seconds=0.5) as one,
        worker(database, open_seconds=0.5) as two,
        worker(database, open_seconds=0.5) as three,
    ):
        probes, seconds = asyncio.run(play([one, two, three]))
    assert 2 <= probes <= seconds / 0.5


def test_a_probe_that_is_answered_lets_all_workers_in_again(database, model_spec):
    async def play(one, other):
        for _ in range(5):
            await call(one, model_spec, AWAY)
        assert await call(other, model_spec)
        begun = time.monotonic()
        while any([await call(limits, model_spec) for limits in (one, other)]):
            assert time.monotonic() - begun < 10
            await asyncio.sleep(0.02)
        return time.monotonic() - begun

    with worker(database, open_seconds=0.3) as one, worker(database, open_seconds=0.3) as other:
        assert asyncio.run(play(one, other)) < 3


def test_a_worker_makes_no_more_calls_at_once_than_it_may(database, model_spec):
    async def play(limits):
        await limits.enter(model_spec, 1)
        await limits.enter(model_spec, 1)
        third = asyncio.create_task(limits.enter(model_spec, 1))
        await asyncio.sleep(0.05)
        waited = not third.done()
        await limits.leave(model_spec, 1, OK)
        return waited, await asyncio.wait_for(third, 1)

    with worker(database, at_once=2) as limits:
        assert asyncio.run(play(limits)) == (True, 0.0)


def test_a_call_broken_off_while_it_waits_costs_nobody_a_place(database, model_spec):
    async def play(limits):
        await limits.enter(model_spec, 1)
        gone, next_one = (asyncio.create_task(limits.enter(model_spec, 1)) for _ in range(2))
        await asyncio.sleep(0.05)
        await limits.leave(model_spec, 1, None)  # calls the first of the queue, which goes in the same moment
        gone.cancel()
        return await asyncio.wait_for(next_one, 1)

    with worker(database, at_once=1) as limits:
        assert asyncio.run(play(limits)) == 0.0


def test_a_call_broken_off_in_the_queue_is_passed_over(database, model_spec):
    async def play(limits):
        await limits.enter(model_spec, 1)
        gone, next_one = (asyncio.create_task(limits.enter(model_spec, 1)) for _ in range(2))
        await asyncio.sleep(0.05)
        gone.cancel()
        await asyncio.sleep(0)
        await limits.leave(model_spec, 1, OK)
        return await asyncio.wait_for(next_one, 1)

    with worker(database, at_once=1) as limits:
        assert asyncio.run(play(limits)) == 0.0


def test_a_call_that_is_told_to_wait_takes_no_place(database, model_spec):
    model_spec = model_spec.model_copy(update={"requests_per_minute": 1})

    async def play(limits):
        await call(limits, model_spec)
        return [await asyncio.wait_for(limits.enter(model_spec, 1), 1) > 0 for _ in range(3)]

    with worker(database, at_once=1) as limits:
        assert asyncio.run(play(limits)) == [True] * 3


def test_after_a_429_half_as_many_calls_are_made_at_once(database, model_spec):
    async def play(limits):
        await call(limits, model_spec, LlmResponse("rate_limited", billed="no"))
        await asyncio.sleep(1.05)
        calls = [asyncio.create_task(limits.enter(model_spec, 1)) for _ in range(4)]
        _, waiting = await asyncio.wait(calls, timeout=10, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait(waiting, timeout=1)  # a busy machine may need longer for the second
        inside = sum(task.done() for task in calls)
        for task in calls:
            task.cancel()
        return inside

    with worker(database, at_once=4) as limits:
        assert asyncio.run(play(limits)) == 2


def test_without_a_database_calls_go_ahead(model_spec):
    model_spec = model_spec.model_copy(update={"requests_per_minute": 1})

    async def play(limits):
        return [await call(limits, model_spec) for _ in range(20)]

    database = connect("postgresql://127.0.0.1:1/nobody")
    limits = Throttle(database)
    assert asyncio.run(play(limits)) == [0.0] * 20
    limits.close()


def test_a_database_that_is_away_is_told_once(model_spec, caplog):
    async def play(limits):
        for _ in range(3):
            limits._away_until = 0
            await call(limits, model_spec, AWAY)

    limits = Throttle(connect("postgresql://127.0.0.1:1/nobody"))
    asyncio.run(play(limits))
    limits.close()
    assert [record.message for record in caplog.records if "throttle" in record.name] == [
        "the database does not answer: using the last known limits"
    ]


def test_a_database_that_hangs_keeps_a_call_for_two_seconds_at_most(tmp_path, model_spec):
    model_spec = model_spec.model_copy(update={"requests_per_minute": 10})

    async def play(limits):
        await call(limits, model_spec)
        begun = time.monotonic()
        with limits._rate_limits._engine.connect() as other:
            other.execute(sa.text("select 1"))  # holds the only write lock
            wait = await limits.enter(model_spec, 1)
        return wait, time.monotonic() - begun

    with fresh("sqlite", tmp_path) as database, worker(database) as limits:
        wait, seconds = asyncio.run(play(limits))
    assert (wait, seconds < 4) == (0.0, True)


def test_a_server_that_takes_two_calls_is_asked_no_more_at_a_time(database, model_spec):
    model_spec, inside, most = model_spec.model_copy(update={"at_once": 2}), 0, []

    async def one(limits):
        nonlocal inside
        await limits.enter(model_spec, 100)
        inside += 1
        most.append(inside)
        await asyncio.sleep(0.01)
        inside -= 1
        await limits.leave(model_spec, 100, OK)

    async def play(limits):
        await asyncio.gather(*(one(limits) for _ in range(8)))

    with worker(database) as limits:
        asyncio.run(play(limits))
    assert (len(most), max(most)) == (8, 2)
