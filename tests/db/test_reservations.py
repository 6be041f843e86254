import pytest

from benchmarks.reservations import PROCESSES, checked_before, prove

from .databases import KINDS, fresh, processes


@pytest.fixture(scope="module")
def pool():
    with processes(PROCESSES) as pool:
        yield pool


@pytest.mark.parametrize("many", [2_000, pytest.param(10_000, marks=pytest.mark.nightly("ten thousand reservations"))])
@pytest.mark.parametrize("kind", KINDS)
def test_no_reservation_of_many_processes_ever_breaks_a_cap(kind, tmp_path, pool, many):
    with fresh(kind, tmp_path) as database:
        figures = prove(database, pool, many)
    assert (figures["breaches"], figures["unbalanced"]) == (0, 0), figures


def test_the_proof_notices_a_budget_that_is_read_before_it_is_written(tmp_path, pool):
    with fresh("postgresql", tmp_path) as database:
        assert prove(database, pool, 1_000, reserving=checked_before)["breaches"] > 0
