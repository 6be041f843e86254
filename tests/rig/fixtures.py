"""Fixtures for whoever names them: `from tests.rig.fixtures import database_url`."""

import pytest

from .postgres import cluster, database, sqlite_file

EACH_DATABASE = ("sqlite", pytest.param("postgres", marks=pytest.mark.on_postgres))
"""Params of a fixture: PostgreSQL is left to the nightly lane, unless the test is marked `both_databases`."""


@pytest.fixture(params=EACH_DATABASE)
def database_url(request, tmp_path):
    """The address of an empty database, on each kind in turn."""
    if request.param == "sqlite":
        yield sqlite_file(tmp_path)
        return
    with database() as url:
        yield url


@pytest.fixture
def postgres_url():
    with database() as url:
        yield url


@pytest.fixture(scope="module")
def own_cluster():
    """A server that may be crashed; whoever crashes it starts it again."""
    with cluster() as made:
        yield made
