"""A server with two places, for seats that speak at the same time, and one with a single place, for counting."""

import pytest

from hustings.testing.local_model import running


@pytest.fixture(scope="module")
def two_places():
    with running(n_parallel=2, n_ctx=16_384) as model:
        yield model


@pytest.fixture
def one_place():
    with running(n_parallel=1, n_ctx=8_192) as model:
        yield model
