"""Sums of /metrics as an oracle reads them, beside those of `hustings list --json`."""

from math import isclose

from prometheus_client.parser import text_string_to_metric_families

from hustings.web.metrics import prometheus_text

STATES = ("waiting", "running", "paused", "ended", "broken")


def counted(status):
    """Sums of all samples by name, and by name, label and value."""
    found = {}
    for family in text_string_to_metric_families(prometheus_text(status.snapshot())):
        for one in family.samples:
            found[one.name] = found.get(one.name, 0) + one.value
            for label, text in one.labels.items():
                found[one.name, label, text] = found.get((one.name, label, text), 0) + one.value
    return found


def disagreements(status, reports):
    """What the metrics say otherwise than the list: name, and both figures."""
    said = counted(status)

    def of(*names):
        return sum(said.get(f"hustings_{name}", 0) for name in names)

    def listed(*names):
        return sum(report[name] for report in reports for name in names)

    pairs = {
        "calls": (of("calls_total", "calls_unanswered"), listed("calls")),
        "tokens": (of("tokens_total"), listed("tokens", "tokens_held")),
        "misreported": (of("misreported_total"), listed("misreported")),
        "cost": (of("cost_usd_total", "held_usd"), listed("spent")),
        "runs": (of("runs"), len(reports)),
    } | {
        state: (said["hustings_runs", "state", state], len([one for one in reports if one["state"] == state]))
        for state in STATES
    }
    return {name: pair for name, pair in pairs.items() if not isclose(*pair, rel_tol=1e-6, abs_tol=1e-9)}
