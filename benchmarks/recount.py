"""The figures of docs/notes/proofs.md, counted anew; the last line is JSON."""

import json
import sys
import time
from itertools import islice
from pathlib import Path

from hustings.llm.improviser import Improviser
from hustings.runs.registry import protocols
from hustings.runs.staging import plan, rehearse
from hustings.testing.cases import KINDS, TOPIC
from hustings.testing.protocol_suite import SECRETS, comparisons, must_end_well, settings_of, spoilt
from hustings.transcript.rules import RULES, check
from tests.transcript.rules.breakers import SMALL, all_broken
from tests.transcript.rules.valid import valid_bytes

VALID, BROKEN_EACH = 5_000, 100


def of_protocol(protocol):
    played = rehearse(plan(protocol, TOPIC), Improviser())
    leaks = list(islice(comparisons(protocol), SECRETS))
    ends = [
        played.proceedings.ending.kind
        for kind in KINDS
        for played in spoilt(protocol, kind)
        if not must_end_well(played)
    ]
    return {
        "calls": sum(map(len, played.waves)),
        "waves": len(played.waves),
        "prompts_compared": len(leaks),
        "leaks": sum(leak is not None for leak in leaks),
        "bad_answers_tried": len(ends),
        "ended_played": ends.count("played"),
        "ended_failed": ends.count("failed"),
        "settings_tried": len(list(settings_of(protocol))),
    }


def of_validator():
    sizes = [(len(valid_bytes(seed)), seed) for seed in range(VALID)]
    alarms = sum(bool(check(valid_bytes(seed))) for _, seed in sizes)
    broken = missed = 0
    for code in RULES:
        for _, raw in all_broken(code, BROKEN_EACH):
            broken += 1
            missed += code not in {finding.code for finding in check(raw, limits=SMALL)}
    figures = {"rules": len(RULES), "valid_files": VALID, "false_alarms": alarms}
    return figures | {"broken_files": broken, "missed": missed, "ms_per_100_kib": speed()}


def speed():
    """The competition's record, twice the size of most, several times over."""
    played = rehearse(plan(protocols()["competition"], TOPIC, settings={"free_words": 2000}), Improviser())
    raw = json.dumps(played.proceedings.document()).encode()
    times = []
    for _ in range(200):
        started = time.perf_counter()
        assert not check(raw)
        times.append((time.perf_counter() - started) * 1000 * 100 * 1024 / len(raw))
    times.sort()
    return {"median": round(times[len(times) // 2], 1), "p99": round(times[int(len(times) * 0.99)], 1)}


def main():
    figures = {}
    for name, protocol in protocols().items():
        figures[name] = of_protocol(protocol)
        sys.stdout.write(f"{name}: {figures[name]}\n")
    figures["validator"] = of_validator()
    sys.stdout.write(f"validator: {figures['validator']}\n{json.dumps(figures)}\n")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    main()
