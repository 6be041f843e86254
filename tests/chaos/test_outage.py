"""A database that is away for longer than a lease costs time and nothing else."""

import pytest

from .outage import behind_a_proxy, shut_out


@pytest.mark.timeout(120)
def test_an_outage_longer_than_the_lease_loses_nothing_and_pays_nothing_twice():
    with behind_a_proxy(delay=0.3) as (on, door):
        figures = shut_out(on, door, debates=10, seconds=6, ttl=2)
    assert figures.wrong == []
    assert figures.under_way > 0


@pytest.mark.nightly("half a minute of waiting")
@pytest.mark.timeout(300)
def test_half_a_minute_without_a_database_is_made_up_for_within_a_minute():
    with behind_a_proxy(delay=0.3) as (on, door):
        figures = shut_out(on, door, debates=40, seconds=30, ttl=15)
    assert figures.wrong == []
    assert figures.resumed_after <= 60
