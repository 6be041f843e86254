"""A worker that was taken for dead and wakes up writes nothing, and leaves."""

import pytest

from tests.rig.crash_workers import WRITING
from tests.rig.fixtures import database_url, postgres_url  # noqa: F401

from .scene import scene
from .zombie import LEFT, walk


@pytest.mark.timeout(120)
def test_whoever_was_taken_over_writes_nothing_and_leaves(database_url):  # noqa: F811
    with scene(database_url) as on:
        figures = walk(on)
    assert (figures.wrong, set(figures.codes)) == ([], {LEFT})


@pytest.mark.timeout(120)
def test_a_worker_that_stands_still_in_a_transaction_keeps_nobody_from_taking_over(postgres_url):  # noqa: F811
    """SQLite has one writer: there everybody waits until it goes on, and then it still holds its lease."""
    with scene(postgres_url) as on:
        figures = walk(on, [WRITING])
    assert (figures.wrong, figures.codes) == ([], [LEFT])
