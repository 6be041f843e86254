"""Shows figures over many debates as lines of text, each with its interval, count and origin, or as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hustings.errors import Unsuitable
from hustings.lab.human_labels import PeopleAccord
from hustings.lab.many_runs import (
    FEWEST_RUNS,
    GROUPINGS,
    Calibration,
    ExtentTarget,
    ExtentThreshold,
    FigureOverRuns,
    RunFigures,
    RunGroup,
    Statistics,
    row_of,
)
from hustings.report.formats.csv import csv_line
from hustings.runs.outcome_text import counted_text
from hustings.text.figures import as_json, decimal, dollars, on_one_line, percent, signed
from hustings.text.words import shortened

from .terminal import talk

WORDS = 12
"""Words of a group's name that are shown."""
NAMES = {
    "gamma_mean": "reasoning (ρ)",
    "trace_consistency_rate": "words fit deeds",
    "gini_of_words": "Gini of words",
    "idle_share": "idle share of time",
    "cost_efficiency": "points per 1,000 tokens",
}
"""Figures that are not called as their field is."""
FROM = {
    "evaluation": "evaluation",
    "transcript": "transcript",
    "calls": "times of calls",
    "budget": "what was spent",
    "readers": "hustings rate",
}


def lines_of_statistics(found: Statistics) -> Iterator[str]:
    yield from _whole(found)
    if found.by and found.groups:
        yield from ("", f"By {found.by}")
        for group in found.groups:
            yield from _short(group)
    if found.ungrouped:
        yield f"  {_debates(found.ungrouped)} without {_article(found.by or '')}"
    yield ""
    yield _calibration(found.whole.calibration)
    yield _threshold(found.threshold)
    yield from _targets(found.targets)
    if found.whole.evaluated:
        yield _people(found.people)
    if found.left_out:
        yield f"Only the newest {found.whole.runs:,} debates were read; {found.left_out:,} older ones are left out."


def _whole(found: Statistics) -> Iterator[str]:
    whole, since = found.whole, f" since {found.since[:10]}" if found.since else ""
    yield f"{_debates(whole.runs)}{since}, {whole.evaluated:,} evaluated"
    if whole.outcomes:
        yield f"  outcomes: {counted_text(whole.outcomes)}"
    if not whole.evaluated and whole.runs:
        yield "  No debate was evaluated, so figures of quality are missing: hustings evaluate RUN"
    if whole.figures:
        yield ""
        yield f"  {'figure':<24} {'median':>9}  {'95% range':<19} {'debates':>7}  from"
    for name, figure in whole.figures.items():
        yield f"  {named(name):<24} {_cells(name, figure)} {figure.runs:>7,}  {FROM[figure.origin]}"
    if any(figure.median is None for figure in whole.figures.values()):
        yield f"  Below {FEWEST_RUNS} debates a median says nothing: only their number is told."
    yield from _costs(whole)


def _costs(group: RunGroup) -> Iterator[str]:
    if not any(figure.high for figure in group.dollars_by_outcome.values()):
        return
    yield from ("", "  Cost of a debate with its judging and evaluation, by outcome")
    for outcome, figure in group.dollars_by_outcome.items():
        yield f"  {outcome:<24} {_cells('dollars', figure)} {figure.runs:>7,}"


def named(figure: str) -> str:
    return NAMES.get(figure, figure.replace("_", " "))


def _cells(name: str, figure: FigureOverRuns) -> str:
    if figure.median is None or figure.low is None or figure.high is None:
        return f"{'–':>9}  {'':<19}"
    interval = f"{_value(name, figure.low)} to {_value(name, figure.high)}"
    return f"{_value(name, figure.median):>9}  {interval:<19}"


def _value(name: str, value: float) -> str:
    if name == "dollars":
        return f"${dollars(value, 4)}"
    return f"{value:,.0f}" if name == "tokens" else decimal(value, 1 if name == "rating" else 2)


def _short(group: RunGroup) -> Iterator[str]:
    yield f"  {on_one_line(shortened(group.value, WORDS))}: {_debates(group.runs)}, {group.evaluated:,} evaluated"
    known = [
        f"{named(name)} {_value(name, figure.median)}"
        for name, figure in group.figures.items()
        if figure.median is not None
    ]
    if known:
        yield f"      {', '.join(known)}"
    elif group.runs < FEWEST_RUNS:
        yield f"      fewer than {FEWEST_RUNS} debates: no medians"


def _calibration(found: Calibration) -> str:
    if found.brier is None or found.error is None or found.right is None:
        return (
            f"Calibration: {found.outcomes} of {found.needed} outcomes that it needs are known (hustings outcome RUN "
            "OPTION, of evaluated debates)."
        )
    return (
        f"Calibration over {found.outcomes} known outcomes: {percent(found.right)} came true, Brier "
        f"{decimal(found.brier, 3)} (0 is best, 0.250 a coin), calibration error {decimal(found.error, 3)}."
    )


def _threshold(found: ExtentThreshold) -> str:
    if found.complexity is None or found.gain is None:
        return (
            f"Extended debate: {found.pairs} of {found.needed} questions that it needs were held both ways (adaptive "
            "with extent=standard and extent=extended, evaluated)."
        )
    pays = f"pays from complexity {decimal(found.complexity, 2)} on" if found.complexity <= 1 else "never pays"
    return (
        f"Extended debate {pays}, over {found.pairs} questions held both ways (mean net gain in depth "
        f"{signed(found.gain, 3)}, a dollar taken as {decimal(found.price, 2)}). It is told, not applied."
    )


def _targets(found: Sequence[ExtentTarget]) -> Iterator[str]:
    if found:
        yield "Targets of the source document for extended debates: standard, extended, target"
    for one in found:
        shown = [_value(one.figure, value) if value is not None else "–" for value in (one.standard, one.extended)]
        word = {True: "reached", False: "missed", None: "not known"}[one.reached]
        limit = "at most " if one.figure == "dollars" else ""
        yield f"  {named(one.figure):<24} {', '.join(shown)}, {limit}{_value(one.figure, one.target)}: {word}"


def _people(found: PeopleAccord) -> str:
    if found.remark:
        return f"Evaluations are {found.remark}: {found.labels} of {found.needed} labels (hustings label RUN)."
    agreed = [
        f"{what} κ {decimal(one.kappa, 2)} over {one.pairs}"
        for what, one in (("verdicts", found.verdicts), ("rungs", found.rungs))
        if one.kappa is not None
    ]
    return f"Agreement of evaluations with people: {', '.join(agreed) or 'all answers are the same'}."


def write_figures(figures: Sequence[RunFigures], path: Path) -> None:
    """Write a table with a row for each debate, in the format that the name of the file ends with."""
    rows = [row_of(one) for one in figures]
    match path.suffix:
        case ".csv":
            text = "".join(map(csv_line, [[*row_of(NOTHING)], *([*row.values()] for row in rows)]))
        case ".jsonl":
            text = "".join(f"{as_json(row)}\n" for row in rows)
        case _:
            raise Unsuitable(f"no format for {path.name!r}", fix="use a name that ends with .csv or .jsonl")
    path.write_bytes(text.encode())
    talk(f"Wrote {path}: {_debates(len(rows))}")


NOTHING = RunFigures("", "", dict.fromkeys(GROUPINGS, ""), {})
"""A debate of which nothing is known: the heads of a table."""


def _debates(count: int) -> str:
    return "1 debate" if count == 1 else f"{count:,} debates"


def _article(by: str) -> str:
    return f"{'an' if by[:1] in 'aeiou' else 'a'} {by}"
