"""What a dead worker leaves behind is taken up, and by nobody who was not asked to."""

import pytest

from tests.rig.fixtures import database_url  # noqa: F401

from .scene import scene
from .takeover import ADDRESS, take_over


@pytest.mark.timeout(120)
def test_a_worker_gone_for_good_is_replaced_within_a_minute(database_url):  # noqa: F811
    with scene(database_url) as on:
        figures = take_over(on)
    print(figures)  # noqa: T201  the figure is the point
    assert figures.wrong == []
    assert figures.taken_over_after <= 60


@pytest.mark.timeout(60)
def test_a_worker_that_takes_nothing_leaves_the_dead_alone(database_url):  # noqa: F811
    with scene(database_url) as on:
        lost = on.spec("structured")
        dead = on.worker(lost, point="called", address=ADDRESS)
        on.pool.ended(30)
        idle = [on.worker() for _ in range(3)]
        for pid in idle:
            on.await_lease(pid)
        on.successor()
        on.expire(dead)
        on.await_ends(20)
        others = {on.lease(pid) for pid in idle}
        by = {event.by for event in on.service.runs.events(lost.run_id) if event.kind == "recovered"}
    assert not by & others
