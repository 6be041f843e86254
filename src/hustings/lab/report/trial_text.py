"""Reports on models tried as a judge or as an evaluator, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hustings.lab.evaluator_report import CountedShare, EvaluatorReport, Retest
from hustings.lab.judge_report import JudgeReport, Measure
from hustings.report.markdown import plain, table
from hustings.text.figures import listed, percent, signed


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


def render_judge_report(card: JudgeReport) -> str:
    return "\n\n".join(_judge_parts(card)) + "\n"


def _judge_parts(card: JudgeReport) -> Iterator[str]:
    yield f"# {plain(card.model)} as a judge"
    yield plain(_sentence(card))
    usable = f"{card.accepted} of {card.asked} answers usable"
    yield f"Family {plain(card.family)}, tried on {plain(card.date)}, {usable}."
    yield table(["What was measured", "Found", "Goal", "Met", "Comparisons"], map(_row, card.measures))
    if card.identical_verdict is not None:
        would = "would" if card.identical_verdict else "would not"
        yield f"Between identical texts, its scores alone {would} have named a winner."
    yield CAVEAT


def _sentence(card: JudgeReport) -> str:
    failed = [f"{m.what} ({_measured(m)}; goal {m.goal})" for m in card.measures if m.passed is False]
    blank = [m.what for m in card.measures if m.passed is None]
    unknown = f" Not measured: {listed(blank)}." if blank else ""
    match card.advice:
        case "nothing usable":
            return f"Do not use this judge: none of its {card.asked} answers was usable."
        case "not alone":
            few = [f"unusable answers ({card.asked - card.accepted} of {card.asked})"]
            because = listed([*(few if 3 * card.accepted < 2 * card.asked else []), *failed])
            return f"Do not rely on this judge alone, because of {because}.{unknown}"
        case "use":
            met = sum(m.passed is True for m in card.measures)
            return f"Use this judge as one of several: it met all {met} goals that could be measured.{unknown}"


def _row(measure: Measure) -> Sequence[str]:
    met = {True: "yes", False: "no", None: "not measured"}[measure.passed]
    return [measure.what, _measured(measure), measure.goal, met, str(measure.of)]


def _measured(measure: Measure) -> str:
    if measure.value is None:
        return "nothing"
    return percent(measure.value) if measure.unit == "share" else f"{signed(measure.value, 2)} points"


CAVEAT = (
    "The trial debates are few and short, and were written for this. They can find a judge that is easily led. They "
    "cannot prove that a judge is not."
)
