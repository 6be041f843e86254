"""The log of a run and its ledger agree, whatever the provider does to the calls."""

import pytest

from tests.rig.log_sums import faults_of_log


@pytest.mark.both_databases
@pytest.mark.timeout(90)
@pytest.mark.parametrize("fault", ["", "usage_tiny", "stream_cut"])
def test_the_log_has_the_sums_of_the_ledger(rig, fault):
    """A cut stream is tried again: its tokens are booked, but how many they were is unknown."""
    rig.provider.plan(rate=1.0 if fault == "stream_cut" else 0.0, faults=["stream_cut"], patience=1)
    seen = rig.play(rig.model_spec(fault if fault == "usage_tiny" else ""), seconds=60)
    assert seen.report.tokens > 0
    assert faults_of_log(rig.runs, seen.run_id) == []
