"""A server that offers debates as models, with a worker behind it."""

import pytest

from tests.web.rig import fresh, served


@pytest.fixture(scope="module")
def door(tmp_path_factory):
    with fresh("sqlite", tmp_path_factory.mktemp("openai")) as url, served(url, works=True, openai=True) as made:
        yield made
