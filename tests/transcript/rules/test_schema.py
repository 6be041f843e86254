"""Schema and rules agree on files by the thousand; on fewer they do in tests/core/test_schema.py."""

import pytest

from .agreement import differences
from .damage import damaged


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "start",
    [
        pytest.param(1_000, marks=pytest.mark.nightly("five thousand files")),
        *(pytest.param(n, marks=pytest.mark.weekly("95,000 more")) for n in range(6_000, 101_000, 5_000)),
    ],
)
def test_schema_and_rules_agree_on_a_hundred_thousand_files(start: int) -> None:
    assert differences(damaged(seed) for seed in range(start, start + 5_000)) == []
