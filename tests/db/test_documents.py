"""Texts of documents: stored once, reached through a run, checked when they are read, gone with their last run."""

from uuid import uuid4

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hustings.db import documents, run_rows
from hustings.db.tables import DOCUMENT
from hustings.errors import Unsuitable
from tests.rig.lanes import examples

from .test_run_rows import entered

PLAN, MEMO = f"Later buses. {uuid4()}", f"Not for all. {uuid4()}"


def kept(db, *texts, of=""):
    run_id, brought = entered(db), {f"DOC-{n}": text for n, text in enumerate(texts, 1)}
    digests = {each: documents.digest_of(text) for each, text in brought.items()}
    documents.keep(db, run_id, digests, {} if of else brought, of=of)
    return run_id


def stored(db, *texts):
    query = sa.select(DOCUMENT.c.text).where(DOCUMENT.c.text.in_(texts))
    return sorted(db.scalars(query))


def test_a_run_reads_the_texts_that_were_kept_for_it(db):
    run_id = kept(db, PLAN, MEMO)
    assert documents.texts_of(db, run_id) == {"DOC-1": PLAN, "DOC-2": MEMO}


def test_a_run_without_documents_has_none(db):
    assert documents.texts_of(db, kept(db)) == {}


def test_a_text_is_stored_once_however_many_runs_use_it(db):
    runs = [kept(db, PLAN, PLAN), kept(db, PLAN)]
    assert stored(db, PLAN) == [PLAN]
    assert [set(documents.texts_of(db, run_id).values()) for run_id in runs] == [{PLAN}, {PLAN}]


def test_a_run_shares_the_texts_of_another(db):
    first = kept(db, PLAN)
    assert documents.texts_of(db, kept(db, PLAN, of=first)) == {"DOC-1": PLAN}


def test_a_digest_is_no_permission(db):
    kept(db, PLAN)
    other = kept(db, MEMO)
    with pytest.raises(Unsuitable, match="the text of DOC-1 is missing"):
        kept(db, PLAN, of=other)


def test_a_text_under_another_digest_is_not_kept(db):
    with pytest.raises(Unsuitable, match="not the one that was brought"):
        documents.keep(db, entered(db), {"DOC-1": documents.digest_of(PLAN)}, {"DOC-1": MEMO})


def test_deleting_the_last_run_drops_the_text_and_no_other(db):
    first, second = kept(db, PLAN, MEMO), kept(db, PLAN)
    run_rows.delete_runs(db, [first])
    assert (stored(db, PLAN, MEMO), documents.texts_of(db, second)) == ([PLAN], {"DOC-1": PLAN})
    run_rows.delete_runs(db, [second])
    assert stored(db, PLAN, MEMO) == []


OFTEN = {"suppress_health_check": [HealthCheck.function_scoped_fixture], "deadline": None}


@given(data=st.data())
@settings(max_examples=examples(200), **OFTEN)
def test_a_changed_byte_of_a_stored_text_is_refused(db, data):
    must_be_refused(db, data)


@pytest.mark.nightly("the same ten thousand times")
@pytest.mark.timeout(900)
@given(data=st.data())
@settings(max_examples=10_000, **OFTEN)
def test_ten_thousand_changed_bytes_are_refused(db, data):
    must_be_refused(db, data)


def must_be_refused(db, data):
    with db.begin_nested() as point:
        run_id = kept(db, PLAN)
        raw = bytearray(PLAN.encode())
        place = data.draw(st.integers(0, len(raw) - 1))
        raw[place] ^= data.draw(st.integers(1, 127))
        changed = bytes(raw).decode("latin-1").replace("\0", "\x01")
        db.execute(sa.update(DOCUMENT).where(DOCUMENT.c.text == PLAN).values(text=changed))
        with pytest.raises(Unsuitable, match="the text of DOC-1 is not the one that was brought"):
            documents.texts_of(db, run_id)
        point.rollback()


def test_a_text_that_is_gone_is_refused(db):
    run_id = kept(db, PLAN)
    db.execute(sa.delete(DOCUMENT).where(DOCUMENT.c.text == PLAN))
    with pytest.raises(Unsuitable, match="restore the database from a backup"):
        documents.texts_of(db, run_id)
