"""A server with two places, for seats that speak at the same time, and one with a single place, for counting."""

import pytest

from tests.rig.local_model import running
from tests.rig.postgres import sqlite_file

from .performing import performed, spec_of


@pytest.fixture(scope="session")
def two_places():
    with running(n_parallel=2, n_ctx=16_384) as model:
        yield model


@pytest.fixture
def one_place():
    with running(n_parallel=1, n_ctx=8_192) as model:
        yield model


@pytest.fixture(scope="session")
def structured(two_places, tmp_path_factory):
    """One debate, its database and commission: looked at as a debate, then judged."""
    url = sqlite_file(tmp_path_factory.mktemp("structured"))
    made = spec_of(two_places, "structured", {"closing_words": 50, "answer_words": 20}, max_tokens=300)
    return url, made, performed(url, made, 1700)
