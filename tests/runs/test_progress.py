"""How far a debate has come, while it changes."""

import pytest

from hustings.runs import progress
from hustings.runs.progress import progress_of

pytestmark = pytest.mark.both_databases


def test_a_debate_that_ends_while_it_is_read_is_told_as_ended(rig, monkeypatch):
    spec, look = rig.spec(), progress.continues

    def look_after_its_end(db, run_id):
        rig.worker.start(spec.run_id)
        rig.ended(run_id)
        return look(db, run_id)

    monkeypatch.setattr(progress, "continues", look_after_its_end)
    seen = progress_of(rig.runs, spec.run_id)
    assert (seen.continues, seen.phase) == (False, "ended")
