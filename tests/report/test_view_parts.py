"""What a reader sees first as a view of its own: small, and the same as in the whole view."""

import pytest

from hustings.report.view import blind, view
from hustings.report.view_parts import MOST_TURNS, opening_part, verdict_part
from hustings.runs.recording import load, name_of, packaged

BYTES = 30_000
RECORDED = {name_of(file): file for file in packaged()}
SHOWN = {"turns", "topic", "documents", "protocol", "language", "ending", "summary", "first", "seats", "cost"}
HEAD = SHOWN | {"background"}


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


def test_the_opening_has_the_first_turns_as_the_whole_view_tells_them(dossier):
    dossier = dossier.model_copy(update={"allowances": {}})
    part, whole = opening_part(dossier), view(dossier)
    turns = [speech.id for speech in whole.speeches[:MOST_TURNS]]
    assert part.speeches == whole.speeches[:MOST_TURNS]
    for name in ("claims", "replies", "quotes"):
        assert list(getattr(part, name)) == [one for one in getattr(whole, name) if one.turn in turns]
    assert list(part.rounds) == [one for one in whole.rounds if set(one.speeches) & set(turns)]
    assert set(part.trace.rows) == {row for row in whole.trace.rows if row.turn in turns}
    assert part.model_dump(include=HEAD) == whole.model_dump(include=HEAD)


def test_a_blind_opening_names_no_model_and_no_remark(dossier):
    part = blind(opening_part(dossier))
    assert {seat.model for seat in part.seats} == {""}
    assert [remark for speech in part.speeches for remark in speech.remarks] == []
    assert {claim.standing for claim in part.claims} <= {None}
