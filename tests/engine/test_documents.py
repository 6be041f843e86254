"""Documents of a run: stored with its row, loaded by its worker, shared with forks and audits, gone with the last."""

import json
from uuid import uuid4

import pytest
import sqlalchemy as sa

from hustings.db import documents
from hustings.db.tables import DOCUMENT
from hustings.errors import Unsuitable
from hustings.llm import librarian
from hustings.runs.fork import fork
from hustings.runs.judging_spec import JudgingRequest, control_spec, judging_spec
from hustings.runs.request import fitted
from hustings.script.documents import DocumentText, laid_down

from .rig import IMPROVISER


@pytest.fixture
def brought():
    """Two documents that no other test brings, and their texts."""
    report = DocumentText(title="Report", text=f"Nights were loud. {uuid4()}")
    return laid_down([report, DocumentText(title="Memo", text=f"Drivers object. {uuid4()}", seats=("pro",))])


def with_documents(rig, brought, model_spec=IMPROVISER, **more):
    made = rig.drawn(model_spec, **more)
    debate = made.debate.model_copy(update={"documents": brought[0]})
    return made.model_copy(update={"debate": debate, "texts": brought[1]})


def entered(rig, made):
    rig.control.enter_here(made)
    return made


def played(rig, made):
    rig.control.enter_here(made)
    rig.worker.start(made.run_id)
    return rig.ended(made.run_id)


def stored(rig, texts):
    with rig.database.reading() as db:
        return set(db.scalars(sa.select(DOCUMENT.c.text).where(DOCUMENT.c.text.in_([*texts.values()]))))


def test_a_stored_spec_holds_digests_and_never_texts(rig, brought):
    made = entered(rig, with_documents(rig, brought))
    row = rig.runs.row(made.run_id)["spec"]
    assert (brought[0].each[0].digest in row, "Nights were loud" in row) == (True, False)
    assert rig.runs.whole_spec(made.run_id) == made


def test_a_model_reads_the_documents_that_its_seat_may_read(rig, brought):
    seen = played(rig, with_documents(rig, brought, rig.model_spec()))
    sent = [json.dumps(body) for body in rig.provider.bodies()]
    assert (seen.proceedings.ending.kind, seen.findings) == ("played", [])
    assert [text for text in sent if "Nights were loud" not in text] == []
    assert {("On the record you are pro." in text, "Drivers object" in text) for text in sent} == {
        (True, True),
        (False, False),
    }


def test_a_text_without_its_document_stores_nothing(rig, brought):
    made = with_documents(rig, brought).model_copy(update={"texts": {}})
    with pytest.raises(Unsuitable, match="the text of DOC-1 is missing"):
        rig.control.enter_here(made)
    assert not rig.runs.exists(made.run_id)


def test_a_run_whose_text_was_changed_stops_with_the_reason(rig, brought):
    made = entered(rig, with_documents(rig, brought))
    with rig.database.writing() as db:
        here = DOCUMENT.c.digest == brought[0].each[0].digest
        db.execute(sa.update(DOCUMENT).where(here).values(text="Nights were quiet."))
    rig.worker.start(made.run_id)
    rig.until(lambda: rig.runs.read(made.run_id).state == "broken")
    assert "the text of DOC-1 is not the one that was brought to the debate" in rig.runs.read(made.run_id).reason


def test_a_fork_shares_the_texts_and_keeps_them_when_its_origin_goes(rig, brought):
    first = played(rig, with_documents(rig, brought)).run_id
    again = played(rig, fork(rig.runs, first, turn="r2.t0")).run_id
    rig.control.forget(first)
    assert rig.runs.whole_spec(again).texts == brought[1]
    rig.control.forget(again)
    assert stored(rig, brought[1]) == set()


def looked_up(rig, brought, model_spec=IMPROVISER):
    made = with_documents(rig, brought, model_spec)
    return fitted(made, 3)


def searched():
    """How often this process has looked something up."""
    told = librarian._index.cache_info()
    return told.hits + told.misses


def test_what_was_looked_up_is_on_record_and_no_replay_looks_it_up_again(rig, brought):
    first = played(rig, looked_up(rig, brought))
    found = [note for note in first.proceedings.notes if note.by == "librarian"]
    assert (first.findings, bool(found)) == ([], True)
    before = searched()
    again = played(rig, fork(rig.runs, first.run_id))
    assert [note.body for note in again.proceedings.notes if note.by == "librarian"] == [note.body for note in found]
    assert searched() == before


def test_looking_up_costs_neither_calls_of_a_model_nor_tokens(rig, brought):
    seen = played(rig, looked_up(rig, brought, rig.model_spec()))
    sent = [json.dumps(body) for body in rig.provider.bodies()]
    assert seen.proceedings.ending.kind == "played"
    assert not any("Find the passages that fit" in text for text in sent)
    assert any("note by librarian: found for pro 1" in text and "Drivers object" in text for text in sent)
    assert not any("note by librarian: found for con" in text and "Drivers object" in text for text in sent)


def test_judges_of_a_debate_with_look_ups_see_titles_and_meet_no_librarian(rig, brought):
    debate = played(rig, looked_up(rig, brought)).run_id
    old, judged = rig.runs.whole_spec(debate), rig.runs.finished(debate)
    usual = JudgingRequest()
    for audit in (judging_spec(old, judged, usual, {}), control_spec(old, judged, usual, {}, 100)):
        seen = played(rig, audit)
        assert seen.proceedings.ending.kind == "played"
        assert "librarian" not in [one.agent_id for one in seen.proceedings.transcript.participants]


@pytest.mark.parametrize("loaded", [True, False], ids=["with texts", "through the debate"])
def test_audits_reach_what_all_may_read_and_no_private_document(rig, brought, loaded):
    debate = played(rig, with_documents(rig, brought)).run_id
    old, judged = (rig.runs.whole_spec if loaded else rig.runs.spec)(debate), rig.runs.finished(debate)
    audits = [judging_spec(old, judged, JudgingRequest(), {}), control_spec(old, judged, JudgingRequest(), {}, 100)]
    for audit in audits:
        assert played(rig, audit).proceedings.ending.kind == "played"
        with rig.database.reading() as db:
            assert documents.texts_of(db, audit.run_id) == {"DOC-1": brought[1]["DOC-1"]}
    rig.control.forget(debate)
    assert stored(rig, brought[1]) == set()
