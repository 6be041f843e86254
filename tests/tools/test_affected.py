"""What a change can affect is found by imports, and where they do not tell, everything is."""

import grimp
import pytest
from tools.affected import folders

IMPORTS = {
    "tests.script.test_forms": "hustings.script.forms",
    "hustings.engine.service": "hustings.script.forms",
    "tests.engine.rig": "hustings.engine.service",
    "tests.runs.test_service": "tests.engine.rig",
    "tests.chaos.test_storm": "hustings.engine.service",
    "tests.test_wheel": "hatch_build",
    "tests.protocols.test_duel": "hustings.protocols.duel",
    "tests.db.test_reservations": "benchmarks.reservations",
}
EVERY = {"tests/script", "tests/runs", "tests/protocols", "tests/db", "tests/test_wheel.py"}


@pytest.fixture(scope="module")
def graph():
    made = grimp.ImportGraph()
    for module in {*IMPORTS, *IMPORTS.values(), "tests.conftest", "tests.runs.conftest"}:
        made.add_module(module)
    for importer, imported in IMPORTS.items():
        made.add_import(importer=importer, imported=imported)
    return made


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("src/hustings/script/forms.py", {"tests/script", "tests/runs"}),
        ("src/hustings/protocols/duel.py", EVERY),
        ("src/hustings/data/topics.toml", EVERY),
        ("src/hustings/script/gone.py", EVERY),
        ("tests/engine/rig.py", {"tests/runs"}),
        ("tests/runs/conftest.py", {"tests/runs"}),
        ("tests/conftest.py", EVERY),
        ("tests/script/test_forms.py", {"tests/script"}),
        ("benchmarks/reservations.py", {"tests/db"}),
        ("docs/limits.md", {"tests/docs"}),
        ("frontend/src/app.ts", set()),
    ],
)
def test_a_changed_file_affects_these_folders(file, found, graph):
    assert folders([file], graph) == found
