"""Runs put on record without a worker: what an actor makes of them, or whatever a test has written down."""

from hustings.run.perform import logged
from hustings.run.rehearse import play_out
from hustings.run.staging import proceedings_of, set_stage
from hustings.store import runs


def played(commission, actor):
    """What remains of a run, and its events, when somebody has answered every call of it."""
    performance, stage = set_stage(commission.debate, commission.run_id, commission.created_at, commission.metadata)
    play_out(performance, actor)
    return proceedings_of(performance, stage), performance.events


def keep(site, commission, proceedings, events=()):
    """A run that is over; its id."""
    begun(site, commission)
    kept = {
        "ending": proceedings.ending.model_dump_json(),
        "proceedings": proceedings.model_dump_json(),
        "ended_at": commission.created_at,
    }
    with site.house.database.writing() as db:
        runs.end(db, commission.run_id, kept, [logged(event) for event in events])
    return commission.run_id


def begun(site, commission, events=(), reason=""):
    """A run that has come so far and goes no further, for nobody carries it out; its id."""
    site.house.operator.control.enter(commission)
    with site.house.database.writing() as db:
        runs.begin_wave(db, commission.run_id, 0, [logged(event) for event in events], "nobody")
        if reason:
            runs.mark(db, commission.run_id, "broken", reason=reason)
    return commission.run_id
