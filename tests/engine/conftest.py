"""One engine per process: a house with a worker at work, on each kind of database in turn.

It closes with its module: the engine's threads draw from the chance that property tests elsewhere must have alone.
"""

import pytest

from tests.rig.fixtures import EACH_DATABASE
from tests.rig.provider import serving


@pytest.fixture(scope="module")
def provider():
    with serving(hang=2.0) as running:
        yield running


@pytest.fixture(scope="module", params=EACH_DATABASE)
def opened(request, provider, tmp_path_factory):
    from tests.engine.rig import open_rig  # noqa: PLC0415  the engine takes seconds to load

    with open_rig(request.param, tmp_path_factory.mktemp("rig"), provider) as rig:
        yield rig


@pytest.fixture
def rig(opened):
    """As it was opened: keys, and a provider that behaves and remembers nothing."""
    opened.tidy()
    return opened
