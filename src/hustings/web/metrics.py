"""Metrics as Prometheus text (format 0.0.4), written by hand: gauges and counters, all read from the database."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate

from hustings.db.caps import MICRO
from hustings.db.metering import BUCKETS, UNKNOWN, CallSums, SumsByGroup
from hustings.engine.status import Snapshot

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
MOST_MODELS = 100
"""Models with a line of their own. A server reports any name it likes, and each name is a new series for ever."""
LONGEST_NAME = 100
OTHER = "other"
Labels = Mapping[str, str]
Sample = tuple[Labels, float]


def prometheus_text(snapshot: Snapshot) -> str:
    return "".join(line + "\n" for family in _families(snapshot) for line in family)


def _families(now: Snapshot) -> Iterator[Iterable[str]]:
    yield _family("runs", "gauge", "Runs, by state.", _by("state", now.runs))
    told = (
        "Runs that wait but are missing from the queue, so no worker takes them. More than 0 for minutes is an alarm."
    )
    yield _family("runs_unqueued", "gauge", told, [({}, now.unqueued)])
    yield _family("queue_depth", "gauge", "Runs that no worker has taken yet, by queue.", _by("queue", now.queues))
    told = "Seconds that the oldest waiting run has waited for a worker."
    yield _family("oldest_waiting_seconds", "gauge", told, [({}, now.oldest_waiting)])
    yield _family("workers", "gauge", "Worker processes that run debates.", [({}, now.workers)])
    yield from _of_calls(_few_models(now.usage), now)
    yield _histogram(now.usage)


def _of_calls(usage: Mapping[tuple[str, str], CallSums], now: Snapshot) -> Iterator[Iterable[str]]:
    """What is booked beyond the sums by model is told as unknown, so that the sums are those of `hustings list`."""
    models: defaultdict[str, CallSums] = defaultdict(CallSums)
    for (model, _), sums in usage.items():
        models[model] += sums
    whole = sum(models.values(), CallSums())
    calls = [({"model": model, "kind": kind}, sums.calls) for (model, kind), sums in usage.items()]
    open_ = sum(sums.calls for group, sums in now.usage.items() if group.kind == UNKNOWN)
    rest: list[Sample] = [({"model": UNKNOWN, "kind": UNKNOWN}, now.booked.calls - whole.calls - open_)]
    told = "Answered calls, by how they ended. unknown: tries before the last that were booked."
    yield _family("calls_total", "counter", told, _merged(calls, rest))
    tries = [({"model": model, "kind": kind}, sums.tries) for (model, kind), sums in usage.items()]
    told = "Requests sent for answered calls, those that were refused unpaid included."
    yield _family("requests_total", "counter", told, _merged(tries, []))
    told = "Calls without an answer: in flight, put off, or lost."
    yield _family("calls_unanswered", "gauge", told, [({}, open_)])
    tokens = [
        ({"model": model, "direction": way}, count)
        for model, sums in models.items()
        for way, count in (("in", sums.tokens_in), ("out", sums.tokens_out))
    ]
    rest = [({"model": UNKNOWN, "direction": UNKNOWN}, now.booked.tokens - whole.tokens_in - whole.tokens_out)]
    told = "Tokens, input (in) and output (out). unknown: counted at the worst case, or for retries."
    yield _family("tokens_total", "counter", told, _merged(tokens, rest))
    told = "Answers with a missing or wrong token count."
    yield _family("misreported_total", "counter", told, [({}, now.booked.misreported)])
    costs = [({"model": model}, sums.money) for model, sums in models.items()]
    rest = [({"model": UNKNOWN}, now.booked.money - whole.money)]
    cost = [(labels, money / MICRO) for labels, money in _merged(costs, rest)]
    yield _family("cost_usd_total", "counter", "Money counted for calls, in US dollars.", cost)
    yield _family(
        "held_usd", "gauge", "Money reserved for calls in flight, in US dollars.", [({}, now.booked.held / MICRO)]
    )


def _few_models(usage: SumsByGroup) -> dict[tuple[str, str], CallSums]:
    """Answered calls by model and kind. The models with the most calls keep their names."""
    usage = {group: sums for group, sums in usage.items() if group.kind != UNKNOWN}
    calls: defaultdict[str, int] = defaultdict(int)
    for group, sums in usage.items():
        calls[group.model] += sums.calls
    kept = set(sorted(calls, key=lambda model: (-calls[model], model))[:MOST_MODELS])
    found: defaultdict[tuple[str, str], CallSums] = defaultdict(CallSums)
    for group, sums in usage.items():
        found[group.model[:LONGEST_NAME] if group.model in kept else OTHER, group.kind] += sums
    return dict(found)


def _histogram(usage: SumsByGroup) -> Iterable[str]:
    counts, milliseconds = [0] * (len(BUCKETS) + 1), 0
    for group, sums in usage.items():
        counts[group.bucket] += sums.timed
        milliseconds += sums.milliseconds
    bounds = [*map(_figure, BUCKETS), "+Inf"]
    yield from _head("call_seconds", "histogram", "Seconds from the first try of a call to its answer, waits included.")
    for bound, count in zip(bounds, accumulate(counts), strict=True):
        yield f'hustings_call_seconds_bucket{{le="{bound}"}} {count}'
    yield f"hustings_call_seconds_sum {_figure(milliseconds / 1000)}"
    yield f"hustings_call_seconds_count {sum(counts)}"


def _by(label: str, counts: Mapping[str, int]) -> list[Sample]:
    return [({label: name}, count) for name, count in counts.items()]


def _merged(samples: Iterable[Sample], rest: Iterable[Sample]) -> list[Sample]:
    """Samples in a fixed order, those with equal labels added up; the rest only where there is one."""
    found: defaultdict[tuple[tuple[str, str], ...], float] = defaultdict(float)
    for labels, value in [*samples, *((labels, value) for labels, value in rest if value > 0)]:
        found[tuple(labels.items())] += value
    return [(dict(labels), value) for labels, value in sorted(found.items())]


def _family(name: str, kind: str, told: str, samples: Iterable[Sample]) -> Iterable[str]:
    yield from _head(name, kind, told)
    for labels, value in samples:
        said = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
        yield f"hustings_{name}{f'{{{said}}}' if said else ''} {_figure(value)}"


def _head(name: str, kind: str, told: str) -> Iterable[str]:
    yield f"# HELP hustings_{name} {told}"
    yield f"# TYPE hustings_{name} {kind}"


def _escaped(text: str) -> str:
    return re.sub(r'[\\"\n]', lambda sign: {"\\": "\\\\", '"': '\\"', "\n": "\\n"}[sign.group()], text)


def _figure(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))
