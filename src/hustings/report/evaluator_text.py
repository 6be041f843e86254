"""The report on a model tried as an evaluator, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from hustings.evaluation.evaluator_report import CountedShare, EvaluatorReport, Retest

from .markdown import table


def render_evaluator_report(found: EvaluatorReport) -> str:
    return "\n\n".join(_parts(found)) + "\n"


def _parts(found: EvaluatorReport) -> Iterator[str]:
    yield f"# {found.model} as an evaluator"
    if found.warning:
        yield f"**{found.warning}**"
    worth = "not known" if found.worth is None else f"{found.worth:.2f}"
    low, high = found.worth_interval or (None, None)
    within = "" if low is None or high is None else f" ({low:.2f} to {high:.2f})"
    yield f"Worth {worth}{within}: detection minus false alarms. A model that always says the same is worth 0."
    heads = ("Flaw", "Found", "False alarms", "No figure")
    rows = [
        [flaw.replace("_", " "), share(one.detected), share(one.false_alarms), str(one.unknown)]
        for flaw, one in found.flaws.items()
    ]
    yield table(heads, [*rows, ["all", share(found.detected), share(found.false_alarms), ""]])
    used = f"Answers used: {found.accepted} of {found.asked}."
    yield f"Quotes that stand in the text: {share(found.verified_quotes)}. {used}"
    if found.retest:
        yield _again(found.retest)
    yield "Intervals are 95 %. The flaws were planted by us; nothing here was checked against people."


def share(counted: CountedShare) -> str:
    """`20 of 24 (.64 to .93)`."""
    low, high = (f"{value:.2f}" for value in counted.interval)
    return f"{counted.hits} of {counted.of} ({low} to {high})" if counted.of else "none"


def _again(retest: Retest) -> str:
    difference = "not known" if retest.mean_difference is None else f"{retest.mean_difference:.3f}"
    kappas = [
        f"{name} κ {value:.2f}"
        for name, value in (("verdicts", retest.verdict_kappa), ("rungs", retest.rung_kappa))
        if value is not None
    ]
    return (
        f"Asked twice: ρ differs by {difference} on average over {retest.turns} turns"
        + "".join(f"; {one}" for one in kappas)
        + "."
    )
