"""The evaluation as a section of a Markdown report. Words of seats and judges are untrusted, and escaped."""

from __future__ import annotations

from collections.abc import Iterator

from hustings.report.markdown import items, plain, table

from .evaluation_view import EvaluationView, SeatLine, TurnCell, TurnReading
from .plots import Plot


def evaluation_parts(found: EvaluationView) -> Iterator[str]:
    yield "# Evaluation"
    if found.badges:
        yield "\n".join(f"> **{plain(badge.text)}** {plain(badge.why)}".rstrip() + "  " for badge in found.badges)
    yield plain(found.panel)
    yield "\n".join(f"- **{plain(fact.label)}:** {plain(fact.text)}" for fact in found.facts)
    yield "## Reasoning by speaker and round"
    yield table(["Speaker", *(plain(one.label) for one in found.rounds)], map(_line, found.seats))
    yield plain(found.key)
    for plot in found.plots:
        yield from _plot(plot)
    if found.movement:
        yield "## How positions moved"
        yield items(found.movement)
    for one in (found.speakers, found.syntheses):
        if one.rows:
            yield table(one.heads, one.rows)
    yield "## Metrics"
    rows = ([one.name, one.shown, one.range, one.means, one.not_means] for one in found.metrics)
    yield table(["Metric", "Value", "Range", "It means", "It does not mean"], rows)
    yield plain(found.cannot)
    yield "## Evaluated turns"
    for turn in found.turns:
        yield from _turn(turn)
    if found.judges.rows:
        yield "## Evaluating judges"
        yield table(found.judges.heads, found.judges.rows)
    yield "## How to reproduce these figures"
    yield items(found.repeat)


def _line(line: SeatLine) -> list[str]:
    return [f"{line.seat} (mean {line.rho})", *("; ".join(map(_cell, cells)) or "silent" for cells in line.cells)]


def _cell(cell: TurnCell) -> str:
    pillars = " ".join("–" if bar.value is None else bar.shown for bar in cell.bars)
    return f"{cell.turn}: {cell.rho_shown} ({pillars}), {cell.verdict}, {cell.ladder}"


def _plot(plot: Plot) -> Iterator[str]:
    yield f"## {plain(plot.title)}"
    yield plain(plot.says)
    yield table(plot.table.heads, plot.table.rows)


def _turn(turn: TurnReading) -> Iterator[str]:
    yield f"### {plain(turn.seat)}, {plain(turn.cell.kind)} ({plain(turn.turn)})"
    yield items(f"{fact.label}: {fact.text}" for fact in turn.facts)
    if turn.quotes:
        yield items(
            f"{'Failure: ' if one.fault else ''}{one.label} ({one.judge}): “{one.words}”" for one in turn.quotes
        )
    if turn.answers:
        answers = (
            f"{one.judge}: " + "; ".join(f"{line.label}: {line.text}" for line in one.lines) for one in turn.answers
        )
        yield items(answers)
    if turn.claims.rows:
        yield table(turn.claims.heads, turn.claims.rows)
