"""Servers that tests share; one engine per process, so those with a worker close with their module."""

import pytest


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server that holds debates; nobody needs a token."""
    from .rig import fresh, served  # noqa: PLC0415  the engine takes seconds to load

    with fresh("sqlite", tmp_path_factory.mktemp("site")) as url, served(url, works=True) as made:
        yield made


@pytest.fixture(scope="module")
def still(tmp_path_factory):
    """A server without a worker: debates that are begun stay where they are."""
    from .rig import fresh, served  # noqa: PLC0415

    with fresh("sqlite", tmp_path_factory.mktemp("still")) as url, served(url) as made:
        yield made
