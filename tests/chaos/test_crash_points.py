"""Killed at any point of any call, a run ends as if nothing had happened, and pays again only what was in flight."""

import pytest

from tests.rig.fixtures import EACH_DATABASE

from .points import crash_everywhere
from .scene import SCRIPTS, database_of, scene

SEED = 11


@pytest.fixture(scope="module", params=EACH_DATABASE)
def on(request, tmp_path_factory):
    with database_of(request.param, tmp_path_factory.mktemp("points")) as url, scene(url) as made:
        made.heir()
        yield made


LATER = pytest.mark.nightly("hundreds of kills; `structured` has one at each of its crash points on every change")
KILLED = ["structured", *(pytest.param(script, marks=LATER) for script in SCRIPTS if script != "structured")]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("script", KILLED)
def test_it_survives_a_kill_at_every_crash_point(on, script):
    figures = crash_everywhere(on, script, SEED)
    assert figures.wrong == []
