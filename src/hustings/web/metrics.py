"""Metrics for Prometheus: gauges, counters and a histogram over what is counted in the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from hustings.db.caps import MICRO
from hustings.db.metering import BUCKETS, UNKNOWN, CallSums, SumsByGroup
from hustings.engine.status import Snapshot

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
MOST_MODELS = 100
"""Models with a line of their own. A server reports any name it likes, and each name is a new series for ever."""
LONGEST_NAME = 100
OTHER = "other"


def prometheus_text(snapshot: Snapshot) -> str:
    return generate_latest(_SnapshotCollector(snapshot)).decode()


class _SnapshotCollector(Collector):
    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def collect(self) -> Iterator[Metric]:
        now = self._snapshot
        runs = GaugeMetricFamily("hustings_runs", "Runs, by state.", labels=["state"])
        for state, count in now.runs.items():
            runs.add_metric([state], count)
        queues = GaugeMetricFamily(
            "hustings_queue_depth", "Runs that no worker has taken yet, by queue.", labels=["queue"]
        )
        for queue, count in now.queues.items():
            queues.add_metric([queue], count)
        yield runs
        yield GaugeMetricFamily(
            "hustings_runs_unqueued",
            "Runs that wait but are missing from the queue, so no worker takes them. "
            "More than 0 for minutes is an alarm.",
            now.unqueued,
        )
        yield queues
        yield GaugeMetricFamily(
            "hustings_oldest_waiting_seconds",
            "Seconds that the oldest waiting run has waited for a worker.",
            now.oldest_waiting,
        )
        yield GaugeMetricFamily("hustings_workers", "Worker processes that run debates.", now.workers)
        yield from _call_metrics(now)
        yield _duration_histogram(now.usage)
        yield CounterMetricFamily(
            "hustings_misreported", "Answers with a missing or wrong token count.", now.booked.misreported
        )
        yield GaugeMetricFamily(
            "hustings_held_usd", "Money reserved for calls in flight, in US dollars.", now.booked.held / MICRO
        )


def _call_metrics(now: Snapshot) -> Iterator[Metric]:
    """What is booked beyond the sums by model is told as unknown, so that the sums are those of `hustings list`."""
    usage = _few_models(now.usage)
    whole = sum(usage.values(), CallSums())
    unanswered = sum(sums.calls for group, sums in now.usage.items() if group.kind == UNKNOWN)
    yield _counter(
        CounterMetricFamily(
            "hustings_calls",
            "Answered calls, by how they ended. unknown: tries before the last that were booked.",
            labels=["model", "kind"],
        ),
        [
            *((group, sums.calls) for group, sums in usage.items()),
            ((UNKNOWN, UNKNOWN), now.booked.calls - whole.calls - unanswered),
        ],
    )
    yield _counter(
        CounterMetricFamily(
            "hustings_requests",
            "Requests sent for answered calls, those that were refused unpaid included.",
            labels=["model", "kind"],
        ),
        [(group, sums.tries) for group, sums in usage.items()],
    )
    yield GaugeMetricFamily(
        "hustings_calls_unanswered", "Calls without an answer: in flight, put off, or lost.", unanswered
    )
    yield _counter(
        CounterMetricFamily(
            "hustings_tokens",
            "Tokens, input (in) and output (out). unknown: counted at the worst case, or for retries.",
            labels=["model", "direction"],
        ),
        [
            *(((model, "in"), sums.tokens_in) for (model, _), sums in usage.items()),
            *(((model, "out"), sums.tokens_out) for (model, _), sums in usage.items()),
            ((UNKNOWN, UNKNOWN), now.booked.tokens - whole.tokens_in - whole.tokens_out),
        ],
    )
    yield _counter(
        CounterMetricFamily("hustings_cost_usd", "Money counted for calls, in US dollars.", labels=["model"]),
        [
            *(((model,), sums.money) for (model, _), sums in usage.items()),
            ((UNKNOWN,), now.booked.money - whole.money),
        ],
        MICRO,
    )


def _few_models(usage: SumsByGroup) -> dict[tuple[str, str], CallSums]:
    """Answered calls by model and kind. The models with the most calls keep their names."""
    usage = {group: sums for group, sums in usage.items() if group.kind != UNKNOWN}
    calls: defaultdict[str, int] = defaultdict(int)
    for group, sums in usage.items():
        calls[group.model] += sums.calls
    named = set(sorted(calls, key=lambda model: (-calls[model], model))[:MOST_MODELS])
    sums_by_model: defaultdict[tuple[str, str], CallSums] = defaultdict(CallSums)
    for group, sums in usage.items():
        sums_by_model[group.model[:LONGEST_NAME] if group.model in named else OTHER, group.kind] += sums
    return dict(sums_by_model)


def _duration_histogram(usage: SumsByGroup) -> Metric:
    counts, milliseconds = [0] * (len(BUCKETS) + 1), 0
    for group, sums in usage.items():
        counts[group.bucket] += sums.timed
        milliseconds += sums.milliseconds
    bounds = [*(f"{bound:g}" for bound in BUCKETS), "+Inf"]
    return HistogramMetricFamily(
        "hustings_call_seconds",
        "Seconds from the first try of a call to its answer, waits included.",
        buckets=list(zip(bounds, accumulate(counts), strict=True)),
        sum_value=milliseconds / 1000,
    )


def _counter(family: CounterMetricFamily, samples: Iterable[tuple[tuple[str, ...], int]], divisor: int = 1) -> Metric:
    """Samples in a fixed order, those with equal labels added up; an unknown rest only where there is one."""
    values: defaultdict[tuple[str, ...], int] = defaultdict(int)
    for labels, value in samples:
        if value > 0 or UNKNOWN not in labels:
            values[labels] += value
    for labels, value in sorted(values.items()):
        family.add_metric(labels, value / divisor)
    return family
