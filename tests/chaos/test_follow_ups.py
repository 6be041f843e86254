"""Killed at any commit of a debate, its control, its judging or its summary, all that was asked for is finished."""

import pytest

from .following import EVERY, WAYS, kill_and_finish
from .scene import TALK, database_of, scene

SOME = range(4, 65, 12)
"""From the middle of the debate to the middle of the summary."""


def carried_out(url, way, script, commits):
    with scene(url) as on:
        if way == "worker":
            on.successor(attends=True)
        return kill_and_finish(on, script, commits, way)


@pytest.mark.parametrize("way", WAYS)
def test_a_command_that_is_killed_is_finished_with_all_that_follows(way, tmp_path):
    with database_of("sqlite", tmp_path) as url:
        figures = carried_out(url, way, TALK, SOME)
    assert (figures.killed, figures.wrong) == (len(SOME), [])


@pytest.mark.nightly("some 130 kills; six of a short debate are tried on every change")
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_killed_before_each_commit_of_a_structured_debate_it_ends_judged(kind, way, tmp_path):
    with database_of(kind, tmp_path) as url:
        figures = carried_out(url, way, "structured", EVERY)
    assert (figures.unharmed > 0, figures.wrong) == (True, [])
