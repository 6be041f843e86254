"""What was said of debates beforehand, beside what they took of the real local model.

python -m benchmarks.estimating [PROTOCOL …]     a table, and the figures as one line of JSON at the end
"""

import json
import sys
import tempfile
from pathlib import Path

from hustings.runs.estimate import estimate
from hustings.runs.estimate_tokens import Style
from tests.real.performing import IMPROVISED, SHORT, performed, spec_of
from tests.rig.local_model import running

SETTINGS = {name: settings for name, (_, settings) in SHORT.items()} | {
    "structured": {"closing_words": 50, "answer_words": 20}
}

GUIDED = Style(heeds=False, speech=66, text=5, entries=1)
"""Of the local model: it heeds no length. What holds it to answers that can be right ends a text on a form after 32
characters and a list after its first entry; how long it speaks was measured in other debates than these."""
SECONDS = 1_800


def compared(model, protocol, folder):
    made = spec_of(model, protocol, SETTINGS[protocol], improvised=IMPROVISED.get(protocol, ""), max_tokens=300)
    told, unknown = estimate(made, style=GUIDED), estimate(made, bounds=False)
    seen = performed(f"sqlite:///{Path(folder) / protocol}.db", made, SECONDS)
    read, written = seen.tokens("in"), seen.tokens("out")
    return {
        "ending": seen.proceedings.ending.kind,
        "calls": len(seen.paid),
        "calls_expected": told.expected.calls,
        "calls_range": [told.least_calls, told.worst.calls],
        "calls_inside": told.least_calls <= len(seen.paid) <= told.worst.calls,
        "tokens_in": read,
        "tokens_out": written,
        "in_off": off(told.expected.tokens_in, read),
        "out_off": off(told.expected.tokens_out, written),
        "tokens_off": off(told.expected.tokens, read + written),
        "tokens_off_if_taken_for_an_able_model": off(unknown.expected.tokens, read + written),
        "below_worst": read <= told.worst.tokens_in and written <= told.worst.tokens_out,
        "seconds": round(seen.seconds),
    }


def off(said, took):
    """By what share the estimate was too high; below nought: too low."""
    return round(said / max(took, 1) - 1, 3)


def main(*names):
    figures = {}
    with tempfile.TemporaryDirectory() as folder, running(n_parallel=2, n_ctx=16_384) as model:
        for protocol in names or SETTINGS:
            figures[protocol] = found = compared(model, protocol, folder)
            least, most = found["calls_range"]
            sys.stdout.write(
                f"{protocol:<12} {found['calls']:>3} calls, said {found['calls_expected']:>3} ({least} to {most})   "
                f"in {found['tokens_in']:>6} {found['in_off']:+.0%}   out {found['tokens_out']:>5} "
                f"{found['out_off']:+.0%}   all {found['tokens_off']:+.0%}   {found['ending']}\n"
            )
            sys.stdout.flush()
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
