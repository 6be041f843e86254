"""Killed at any point of any call, a run ends as if nothing had happened, and pays again only what was in flight."""

import pytest

from tests.rig.fixtures import EACH_DATABASE

from .points import crash_at, crash_everywhere
from .scene import SCRIPTS, database_of, scene

SEED = 11


@pytest.fixture(scope="module", params=EACH_DATABASE)
def on(request, tmp_path_factory):
    with database_of(request.param, tmp_path_factory.mktemp("points")) as url, scene(url) as made:
        made.successor()
        yield made


def nightly(script):
    return pytest.param(script, marks=pytest.mark.nightly("hundreds of kills; `structured` is killed on every change"))


@pytest.mark.timeout(600)  # hundreds of restarts: 185 seconds for the longest script on an idle machine
@pytest.mark.parametrize("script", [script if script == "structured" else nightly(script) for script in SCRIPTS])
def test_it_survives_a_kill_at_every_crash_point(on, script):
    figures = crash_everywhere(on, script, SEED)
    assert figures.wrong == []


def test_an_evaluation_killed_in_each_wave_ends_with_the_same_bytes(on):
    """Its waves read turns, match points and mark; `make crash LANE=nightly` kills it at every call."""
    undisturbed = on.undisturbed("evaluation").run_id
    calls = {key.partition(".")[0]: key.rpartition(" #")[0] for key in on.answered(undisturbed)}
    points = list(zip(("called", "sent", "recorded"), calls.values(), strict=True))
    figures = crash_at(on, "evaluation", undisturbed, points)
    assert figures.wrong == []
    assert figures.artefacts == len(points)
