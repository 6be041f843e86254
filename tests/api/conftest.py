"""One database for all of a module; the engine is let go with it, since its threads draw from the global chance."""

import pytest

from tests.rig.postgres import ready_sqlite_file
from tests.rig.provider import serving


@pytest.fixture(scope="module", autouse=True)
def _at_home(tmp_path_factory):
    from hustings.api.shared_worker import SHARED_WORKERS  # noqa: PLC0415  the engine is let go where it was engaged

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HUSTINGS_DATABASE", ready_sqlite_file(tmp_path_factory.mktemp("home")))
        patch.chdir(tmp_path_factory.mktemp("work"))
        yield
    SHARED_WORKERS.close()


@pytest.fixture(scope="module")
def provider():
    with serving() as running:
        yield running
