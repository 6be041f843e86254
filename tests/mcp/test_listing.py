"""How long a host waits for the list of tools, beside a server of the SDK that has nothing else to do."""

import pytest

from benchmarks.reach import listing

pytestmark = [
    pytest.mark.nightly("it measures time: ten starts of a server"),
    pytest.mark.timeout(300),
]


def test_the_list_comes_almost_as_soon_as_from_a_bare_server(tmp_path):
    """On a busy machine both take longer; only their ratio is held, and both are measured by turns."""
    found = listing(tmp_path)
    assert found["listed_ratio"] <= 2
    assert not found["database_opened"]
