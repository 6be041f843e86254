"""What is wrong with the spans of a run: roots, orphans, doubles, sums that differ from the ledger, other bytes."""

from math import isclose

import sqlalchemy as sa

from hustings.db.tables import CALL
from hustings.report.formats import otlp
from hustings.report.spans import spans_of
from hustings.runs.dossiers import dossier, rendered


def added(spans, name):
    return sum(span.attributes.get(name, 0) for span in spans)


def faults_of_spans(runs, run_id, *, requests=True):
    """What differs, as it is and as it should be. The debate alone is compared, so it must not be judged.

    Without `requests`, these and the booked cost are left out: tries of a call that the budget then stopped are booked,
    and not in the log.
    """
    spans, report = spans_of(dossier(runs, run_id, logs=True)), runs.read(run_id)
    ids = {span.id for span in spans}
    known = [each for event in runs.events(run_id) if event.kind == "call_paid" for each in event.tries]
    pairs = {
        "roots": (len([span for span in spans if not span.parent]), 1),
        "orphans": (len({span.parent for span in spans} - ids - {""}), 0),
        "doubles": (len(spans) - len(ids), 0),
        "tokens": (added(spans, "hustings.tokens"), report.tokens),
        "known cost": (added(spans, "hustings.cost_usd"), sum(each.price or 0 for each in known)),
        "different exports": (len({rendered(runs, run_id, otlp) for _ in range(2)}), 1),
    }
    if requests:
        pairs["requests"] = len([span for span in spans if span.client]), _sent(runs, run_id)
        pairs["booked cost"] = added(spans, "hustings.booked_usd"), report.spent
    return [f"{run_id}: {what} {one} {other}" for what, (one, other) in pairs.items() if not _near(one, other)]


def _sent(runs, run_id):
    """Requests that the ledger noted, those that were refused unpaid included."""
    lineage = runs.spec(run_id).lineage
    with runs.scoped.reading() as db:
        here = CALL.c.lineage == lineage, CALL.c.budget_id != ""
        return int(db.scalar(sa.select(sa.func.sum(CALL.c.tries)).where(*here)) or 0)


def _near(one, other):
    return isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
