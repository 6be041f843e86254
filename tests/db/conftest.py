"""Our tables on each kind of database."""

import pytest

from .databases import KINDS, fresh


@pytest.fixture(params=KINDS, scope="module")
def database(request, tmp_path_factory):
    with fresh(request.param, tmp_path_factory.mktemp("store")) as database:
        yield database


@pytest.fixture
def db(database):
    """One transaction, taken back afterwards."""
    with database.engine.connect() as db:
        yield db
        db.rollback()
