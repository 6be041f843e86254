"""Runs put on record without a worker: what an actor makes of them, or whatever a test has written down."""

from hustings.db import run_rows
from hustings.engine.durable_run import logged
from hustings.runs.judging_spec import judgement_of
from hustings.runs.staging import play_out, proceedings_of, set_stage
from hustings.transcript.events import OutcomeReached


def played(spec, actor):
    """What remains of a run, and its events, when every call of it was answered."""
    performance, stage = set_stage(spec.debate, spec.run_id, spec.created_at, spec.metadata, fence=spec.fence)
    play_out(performance, actor)
    return proceedings_of(performance, stage), performance.events


def keep(site, spec, proceedings, events=()):
    """A run that is over; its id."""
    begun(site, spec)
    judgement = judgement_of(spec.debate, proceedings)
    reached = [OutcomeReached(outcome=judgement.outcome)] if judgement else []
    kept = {
        "ending": proceedings.ending.model_dump_json(),
        "proceedings": proceedings.model_dump_json(),
        "judgement": judgement and judgement.model_dump_json(),
        "ended_at": spec.created_at,
    }
    with site.state.database.writing() as db:
        run_rows.end(db, spec.run_id, kept, [logged(event) for event in (*events, *reached)])
    return spec.run_id


def begun(site, spec, events=(), reason=""):
    """A run that has come so far and goes no further, for nobody carries it out; its id."""
    site.state.operator.control.enter_here(spec)
    with site.state.database.writing() as db:
        run_rows.begin_wave(db, spec.run_id, 0, [logged(event) for event in events], "nobody")
        if reason:
            run_rows.mark(db, spec.run_id, "broken", reason=reason)
    return spec.run_id
