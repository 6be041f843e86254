"""How large must a panel be: `python -m benchmarks.panel_simulation [--arguments 20000]`; JSON on the last line.

Made-up arguments with one response each, half of the responses answered, are judged by panels with made-up bias
and noise: how often is the panel's class the one without noise?
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hustings.judging.arguments import Argumentation, Claim, ClaimResponse
from hustings.judging.case import StandingPolicy, lay_out
from hustings.judging.judgement import Standing
from hustings.judging.marks import Observation
from hustings.judging.standings import claim_strengths, standings

NOISE, BIAS = 0.12, 0.06
"""Of one observation and of one judge: standard deviations on the scale from 0 to 1."""
PANELS = {"1x1": (1, 1), "1x2": (1, 2), "3x1": (3, 1), "3x2": (3, 2), "5x2": (5, 2)}
DESIGN = {"1x1": 81.3, "1x2": 85.1, "3x1": 88.8, "3x2": 91.2, "5x2": 93.3}
POLICY = StandingPolicy(draws=200, refuted=0.35, scope=0.15)
"""With the thresholds of the design, which the figures of `DESIGN` rest on."""
AT_ONCE = 1_000
"""Arguments of one made-up debate: many small ones take less memory than one large."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--arguments", type=int, default=20_000)
    options.add_argument("--resampled", type=int, default=5_000, help="for how many of them the panel is resampled")
    chosen = options.parse_args()
    say(json.dumps(simulate(chosen.arguments, chosen.resampled, say)))


def simulate(arguments: int, resampled: int, tell: Callable[[str], None]) -> dict[str, object]:
    tell(f"noise {NOISE}, bias {BIAS}; {arguments} arguments, for {resampled} of them {POLICY.draws} resampled panels")
    tell("panel  exact %  gross flips %  decided %  right when decided %")
    exact: dict[str, float] = {}
    for name, (judges, orders) in PANELS.items():
        chance, outcomes = random.Random(name), list[Outcome]()
        while len(outcomes) < arguments:
            count = min(AT_ONCE, arguments - len(outcomes))
            outcomes += judged(chance, count, judges, orders, redraw=len(outcomes) < resampled)
        exact[name] = share([o.true == o.got for o in outcomes])
        gross = share([{o.true, o.got} == {"upheld", "refuted"} for o in outcomes])
        tell(f"{name}  {exact[name]:9.1f}  {gross:13.2f}  {decided([o for o in outcomes if o.placed])}")
    apart = max(abs(exact[name] - DESIGN[name]) for name in PANELS)
    return {"exact": exact, "design": DESIGN, "largest_difference_points": round(apart, 2)}


@dataclass(frozen=True)
class Outcome:
    true: Standing
    """The class without noise."""
    got: Standing
    """By the panel's mean."""
    placed: Standing | None
    """After redrawing."""


def judged(chance: random.Random, count: int, judges: int, orders: int, *, redraw: bool) -> Iterator[Outcome]:
    argumentation, truth = made_up(chance, count)
    panel = [Observation(f"{j}", o, {}) for j in range(judges) for o in range(orders)]
    for item, marks in truth.items():
        for j in range(judges):
            bias = chance.gauss(0, BIAS)
            for o in range(orders):
                value = min(1.0, max(0.0, next(iter(marks.values())) + bias + chance.gauss(0, NOISE)))
                panel[j * orders + o].scores[item] = dict.fromkeys(marks, 1 + 9 * value)
    exact = Observation("truth", 0, {i: {d: 1 + 9 * v for d, v in marks.items()} for i, marks in truth.items()})
    true, got = classes(argumentation, [exact]), classes(argumentation, panel)
    placed = standings(argumentation, panel, POLICY, seed=str(chance.random())) if redraw and len(panel) > 1 else {}
    for name in true:
        yield Outcome(true[name], got[name], placed[name].standing if name in placed else None)


def made_up(chance: random.Random, count: int) -> tuple[Argumentation, dict[str, dict[str, float]]]:
    """Arguments, responses and answers, with what they are worth."""
    claims: list[Claim] = []
    responses: list[ClaimResponse] = []
    truth: dict[str, dict[str, float]] = {}
    for i in range(count):
        claims.append(Claim(f"A{i}", "pro", "pro", "", "", ""))
        truth[f"A{i}"] = dict.fromkeys(("logic", "evidence"), chance.uniform(0.3, 0.95))
        kind = chance.choice(("refute", "challenge", "partial", "concede"))
        responses.append(ClaimResponse(f"R{i}", kind, f"A{i}", "con", "con", "", ""))
        truth[f"R{i}"] = {"effectiveness": chance.uniform(0.1, 1)}
        if chance.random() < 0.5:
            responses.append(ClaimResponse(f"D{i}", "answer", f"R{i}", "pro", "pro", "", ""))
            truth[f"D{i}"] = {"adequacy": chance.uniform(0.1, 1)}
    return Argumentation(tuple(claims), tuple(responses)), truth


def classes(argumentation: Argumentation, panel: list[Observation]) -> dict[str, Standing]:
    """By the panel's mean, without the second opinion, which the design's figures do not have either."""
    case = lay_out(argumentation, panel, POLICY)
    return {name: found.inputs.alone for name, found in claim_strengths(case, case.weigh(case.means())).items()}


def decided(outcomes: list[Outcome]) -> str:
    sure = [o for o in outcomes if o.placed != "uncertain"]
    if not sure:
        return f"{'–':>9}  {'–':>20}"
    return f"{100 * len(sure) / len(outcomes):9.1f}  {share([o.placed == o.true for o in sure]):20.1f}"


def share(of: list[bool]) -> float:
    return round(100 * sum(of) / len(of), 2)


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
