"""What docs/how-to/embedding.md shows can be plugged in as it stands."""

import pytest

from hustings.judging.dossier import Dossier
from hustings.llm.improviser import Improviser
from hustings.runs.registry import exports, find_export, find_protocol
from hustings.runs.staging import plan, rehearse

from .blocks import DOCS, blocks


@pytest.fixture
def minutes(installed):
    (source,) = [block.text for block in blocks(DOCS / "how-to" / "embedding.md") if block.file == "minutes.py"]
    installed("minutes", source, module="minutes_of_mine", group="exports")


def test_its_format_is_one(minutes):
    played = rehearse(plan(find_protocol("structured"), "Is it so?"), Improviser())
    told = find_export("minutes").render(Dossier(proceedings=played.proceedings))
    assert told.splitlines()[:2] == ["Is it so?", told.splitlines()[1]]
    assert told.splitlines()[1].startswith("r1.t0  pro  ")
    assert "minutes" in exports()
