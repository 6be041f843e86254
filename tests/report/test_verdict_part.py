"""The first screen as a view of its own: small, and the same as in the whole view."""

import pytest

from hustings.report.verdict_part import verdict_part
from hustings.report.view import blind, view
from hustings.runs.recording import load, name_of, packaged

BYTES = 30_000
RECORDED = {name_of(file): file for file in packaged()}
SHOWN = {"turns", "topic", "documents", "protocol", "language", "ending", "summary", "first", "seats", "cost"}


@pytest.fixture(scope="module", params=RECORDED)
def dossier(request):
    file = RECORDED[request.param]
    return load(file.read_bytes(), file.name).dossier


def test_it_says_what_the_whole_view_says(dossier):
    part, whole = verdict_part(dossier), view(dossier)
    assert part.model_dump(include=SHOWN) == whole.model_dump(include=SHOWN)
    assert part.digest.strongest == whole.digest.strongest[:4]
    assert {row.id for row in part.trace.rows} == {one.id for one in part.digest.strongest}
    assert {row.id: row for row in whole.trace.rows}.items() >= {row.id: row for row in part.trace.rows}.items()


def test_it_is_small_and_has_nothing_of_the_record(dossier):
    part = verdict_part(dossier)
    assert len(part.model_dump_json(by_alias=True).encode()) <= BYTES
    assert [*part.speeches, *part.claims, *part.replies, *part.rounds] == []
    assert part.judgement is None


def test_a_blind_part_names_no_model_and_no_outcome(dossier):
    part = blind(verdict_part(dossier))
    assert {seat.model for seat in part.seats} == {""}
    assert [*part.digest.strongest, *part.trace.rows, *part.first.bars] == []
    assert part.cost == ""
