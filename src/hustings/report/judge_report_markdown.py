"""A judge's report as Markdown: advice in a sentence, and the figures behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hustings.judging.judge_report_model import JudgeReport, Measure
from hustings.text.figures import listed, percent, signed

from .markdown import plain, table


def render(card: JudgeReport) -> str:
    return "\n\n".join(_parts(card)) + "\n"


def _parts(card: JudgeReport) -> Iterator[str]:
    yield f"# {plain(card.model)} as a judge"
    yield plain(_sentence(card))
    yield f"Family {plain(card.family)}, tried on {plain(card.date)}, {card.accepted} of {card.asked} sheets accepted."
    yield table(["what was measured", "found", "goal", "met", "comparisons"], map(_row, card.measures))
    if card.identical_verdict is not None:
        would = "would" if card.identical_verdict else "would not"
        yield f"Between texts that are the same, its marks alone {would} have named a winner."
    yield CAVEAT


def _sentence(card: JudgeReport) -> str:
    failed = [f"{m.what} ({_found(m)}; goal {m.goal})" for m in card.measures if m.passed is False]
    blank = [m.what for m in card.measures if m.passed is None]
    unknown = f" Not measured: {listed(blank)}." if blank else ""
    match card.advice:
        case "nothing usable":
            return f"This judge gave nothing usable: none of its {card.asked} sheets could be accepted. Do not use it."
        case "not alone":
            few = [f"sheets that could not be used ({card.asked - card.accepted} of {card.asked})"]
            because = listed([*(few if 3 * card.accepted < 2 * card.asked else []), *failed])
            return f"This judge falls short: do not rely on it alone, because of {because}.{unknown}"
        case "use":
            met = sum(m.passed is True for m in card.measures)
            return f"This judge met all {met} goals that could be measured: use it, as one of several.{unknown}"


def _row(measure: Measure) -> Sequence[str]:
    met = {True: "yes", False: "no", None: "not measured"}[measure.passed]
    return [measure.what, _found(measure), measure.goal, met, str(measure.of)]


def _found(measure: Measure) -> str:
    if measure.value is None:
        return "nothing"
    return percent(measure.value) if measure.unit == "share" else f"{signed(measure.value, 2)} points"


CAVEAT = (
    "The debates are few and short, and were written for this. The card finds a judge that is easily led; it does not "
    "prove one that is not."
)
