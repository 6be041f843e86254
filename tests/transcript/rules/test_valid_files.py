"""A valid file raises nothing."""

import pytest

from hustings.transcript.rules import check

from .valid import valid_bytes

FILES, BLOCK = 1_000, 250


@pytest.mark.parametrize("start", range(0, FILES, BLOCK))
def test_valid_files_raise_no_alarm(start: int) -> None:
    alarms = {seed: found for seed in range(start, start + BLOCK) if (found := check(valid_bytes(seed)))}
    assert alarms == {}


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "start",
    [
        pytest.param(FILES, marks=pytest.mark.nightly("five thousand files")),
        *(pytest.param(n, marks=pytest.mark.weekly("94,000 more")) for n in range(FILES + 4_950, 100_000, 4_950)),
    ],
)
def test_a_hundred_thousand_valid_files_raise_no_alarm(start: int) -> None:
    alarms = {seed: found for seed in range(start, start + 4_950) if (found := check(valid_bytes(seed)))}
    assert alarms == {}


def test_a_seed_gives_the_same_file() -> None:
    valid_bytes.cache_clear()
    first = valid_bytes(7)
    valid_bytes.cache_clear()
    assert valid_bytes(7) == first


def test_valid_files_are_of_all_kinds() -> None:
    raw = b"".join(valid_bytes(seed) for seed in range(200))
    for word in (b"posthoc", b"in_loop", b"dropped", b"joined", b"recovered", b"aborted", b"partial", b"isolated"):
        assert word in raw
    for word in (b"rotating", b"moderator", b"failed", b"x_round", b"integrity", b"+05:30", b'"global"', b"readers"):
        assert word in raw
