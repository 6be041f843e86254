"""What a change can affect is found by imports, and where they do not tell, everything is."""

import grimp
import pytest
from tools.affected import folders

IMPORTS = {
    "tests.core.test_forms": "hustings.core.forms",
    "hustings.run.service": "hustings.core.forms",
    "tests.run.house": "hustings.run.service",
    "tests.run.test_desk": "tests.run.house",
    "tests.chaos.test_storm": "hustings.run.service",
    "tests.test_wheel": "hatch_build",
    "tests.protocols.test_duel": "hustings.protocols.duel",
    "tests.store.test_reservations": "benchmarks.reservations",
}
EVERY = {"tests/core", "tests/run", "tests/protocols", "tests/store", "tests/test_wheel.py"}


@pytest.fixture(scope="module")
def graph():
    made = grimp.ImportGraph()
    for module in {*IMPORTS, *IMPORTS.values(), "tests.conftest", "tests.run.conftest"}:
        made.add_module(module)
    for importer, imported in IMPORTS.items():
        made.add_import(importer=importer, imported=imported)
    return made


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("src/hustings/core/forms.py", {"tests/core", "tests/run"}),
        ("src/hustings/protocols/duel.py", EVERY),
        ("src/hustings/data/topics.toml", EVERY),
        ("src/hustings/core/gone.py", EVERY),
        ("tests/run/house.py", {"tests/run"}),
        ("tests/run/conftest.py", {"tests/run"}),
        ("tests/conftest.py", EVERY),
        ("tests/core/test_forms.py", {"tests/core"}),
        ("benchmarks/reservations.py", {"tests/store"}),
        ("docs/limits.md", {"tests/docs"}),
        ("frontend/src/app.ts", set()),
    ],
)
def test_a_changed_file_affects_these_folders(file, found, graph):
    assert folders([file], graph) == found
