"""A server that is silent is slow, and not gone: its time-outs neither open nor close a breaker."""

import asyncio

from hustings.engine.throttle import endpoint_of
from hustings.llm.model import LlmResponse

from .test_throttle import call, database, model_spec, worker  # noqa: F401


def test_a_silent_server_is_slow_and_keeps_all_its_calls(database, model_spec):  # noqa: F811
    async def play(limits):
        for _ in range(6):
            await call(limits, model_spec, LlmResponse("timed_out", billed="maybe"))
        return [await call(limits, model_spec) for _ in range(3)], limits.health(model_spec).breaking

    with worker(database) as limits:
        assert asyncio.run(play(limits)) == ([0.0, 0.0, 0.0], False)


def test_a_time_out_closes_no_open_breaker(database, model_spec):  # noqa: F811
    async def play(limits):
        for kind in ("unreachable",) * 5 + ("timed_out",):
            await limits.leave(model_spec, 100, LlmResponse(kind, billed="maybe"))
        return limits.health(model_spec)

    with worker(database) as limits:
        limits._gates[endpoint_of(model_spec).key].inside = 6
        health = asyncio.run(play(limits))
    assert (health.breaking, health.faults, 0 < health.shut <= 30) == (True, 5, True)
