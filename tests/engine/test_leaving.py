"""A worker that stops begins no call any more: answers under way arrive, and the next worker goes on from there."""

import threading
from dataclasses import replace

import pytest

from hustings.transcript.notes import Played

from .rig import DUTY

pytestmark = pytest.mark.both_databases
PATIENT = replace(DUTY, drain=6)
LATER = replace(PATIENT, ttl=60.0)
"""It would sweep others away after a minute."""


@pytest.fixture
def patient(rig):
    """A worker that lets answers arrive for longer than they take, and not until a debate is over."""
    rig.close()
    rig.open(PATIENT)
    yield rig
    rig.close()
    rig.open()


def asked(rig, run_id, calls=1):
    rig.until(lambda: len(rig.seen(run_id).asked) >= calls)


def queued(rig, model_spec, **more):
    made = rig.spec(model_spec, **more)
    rig.control.enqueue(made.run_id)
    return made.run_id


def test_a_worker_that_leaves_begins_no_call_and_has_the_answers_under_way_on_record(patient):
    patient.provider.plan(delay=1.0)
    run_id = queued(patient, patient.model_spec(), protocol="roundtable")
    asked(patient, run_id)
    before = len(patient.seen(run_id).asked)
    patient.close()
    seen = patient.seen(run_id)
    assert (len(seen.asked), [row.state for row in seen.rows]) == (before, ["answered"] * before)


def test_what_a_worker_left_goes_on_with_the_next_at_once_and_nothing_is_paid_twice(patient):
    patient.provider.plan(delay=1.0)
    run_id = queued(patient, patient.model_spec(), protocol="roundtable")
    asked(patient, run_id)
    patient.close()
    patient.provider.plan(delay=0.0)
    patient.open(LATER)
    seen = patient.ended(run_id)
    assert (seen.ending, len(seen.asked), patient.provider.ledger()["served_again"]) == (Played(), 9, 0)
    assert {row.deaths for row in seen.rows} == {0}


def test_a_call_that_waits_for_its_next_try_keeps_no_worker_from_leaving_and_counts_as_no_loss(patient):
    run_id = queued(patient, patient.model_spec("status503"))
    patient.wait_for(run_id, "call_delayed")
    leaving = threading.Thread(target=patient.close)
    leaving.start()
    leaving.join(5)
    rows = patient.seen(run_id).rows
    assert (leaving.is_alive(), {row.state for row in rows}, {row.held for row in rows}) == (False, {"waiting"}, {0})
    patient.open(PATIENT)
    patient.control.steer(run_id, "cancel")
    patient.ended(run_id)


def test_answers_that_do_not_arrive_in_time_are_left_and_asked_for_again(rig):
    rig.provider.plan(delay=8.0)
    run_id = queued(rig, rig.model_spec())
    asked(rig, run_id)
    worker = rig.worker
    rig.close()
    rows = rig.seen(run_id).rows
    assert (worker.leaving.cut, {row.state for row in rows}) == (len(rows), {"sent"})
    rig.provider.plan(delay=0.0)
    rig.open()
    assert rig.ended(run_id).ending == Played()


@pytest.mark.nightly("workers in turn, on both databases; one that leaves is tried on every change")
def test_workers_that_are_stopped_again_and_again_pay_for_nothing_twice(patient):
    patient.provider.plan(delay=1.0)
    run_ids = [queued(patient, patient.model_spec(), protocol="roundtable") for _ in range(6)]
    for many in (3, 6, 12, 24):
        patient.until(lambda many=many: patient.provider.ledger()["calls"] >= many)
        patient.close()
        assert {call.delivered for call in patient.provider.calls()} == {True}
        patient.open(LATER)
    patient.provider.plan(delay=0.0)
    assert {type(patient.ended(run_id, 60).ending) for run_id in run_ids} == {Played}
    ledger = patient.provider.ledger()
    assert (ledger["calls"], ledger["served_again"]) == (9 * len(run_ids), 0)
