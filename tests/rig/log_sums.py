"""What the log of a run says otherwise than its ledger: tokens, and per try requests and booked money."""

from math import isclose

import sqlalchemy as sa

from hustings.db.tables import CALL


def faults_of_log(runs, run_id, *, requests=True):
    """What differs, as it is and as it should be.

    Without `requests`, these and the booked cost are left out: tries of a call that the budget then stopped are booked,
    and not in the log.
    """
    report = runs.read(run_id)
    tries = [each for event in runs.events(run_id) if event.kind == "call_paid" for each in event.tries]
    pairs = {"tokens": (sum(each.tokens for each in tries), report.tokens)}
    if requests:
        pairs["requests"] = len(tries), _sent(runs, run_id)
        pairs["booked cost"] = sum(each.booked or 0 for each in tries), report.spent
    return [
        f"{run_id}: {name} {logged} {booked}"
        for name, (logged, booked) in pairs.items()
        if not isclose(logged, booked, rel_tol=1e-9, abs_tol=1e-9)
    ]


def _sent(runs, run_id):
    """Requests that the ledger noted, those that were refused unpaid included."""
    lineage = runs.spec(run_id).lineage
    with runs.scoped.reading() as db:
        here = CALL.c.lineage == lineage, CALL.c.budget_id != ""
        return int(db.scalar(sa.select(sa.func.sum(CALL.c.tries)).where(*here)) or 0)
