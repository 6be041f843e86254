"""Which seats a host plays is read from their models."""

import pytest

from hustings.script.seats import Player


@pytest.mark.parametrize(
    ("model", "hosted"),
    [("host", True), ("host/claude-opus-4", True), ("human", False), ("openai/host", False), ("hosted/x", False)],
)
def test_a_host_is_told_by_its_first_word(model: str, hosted: bool) -> None:
    assert Player(model=model).hosted is hosted
