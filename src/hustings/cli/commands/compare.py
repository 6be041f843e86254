"""`hustings compare`: two finished debates side by side, and whether they are comparable at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import JsonValue

from hustings.cli.options import AsJson, DatabaseOption
from hustings.cli.run_table import run_id_of
from hustings.cli.terminal import show_json, show_line, talk
from hustings.judging.comparison import side_by_side
from hustings.lab.evaluation_gains import evaluated_pair
from hustings.lab.evaluation_results import evaluation
from hustings.runs.dossiers import held as held_at
from hustings.runs.outcome_text import outcome_text, state_text
from hustings.script.forms import in_lines
from hustings.text.figures import decimal, dollars, of_ten, percent, signed
from hustings.text.words import shortened

from .db import open_runs

if TYPE_CHECKING:
    from hustings.judging.comparison import Comparison
    from hustings.judging.dossier import Dossier
    from hustings.lab.artefact import Evaluation
    from hustings.lab.evaluation_gains import EvaluatedPair

First = Annotated[str, typer.Argument(metavar="A", help="ID of a debate, or of one of its judgings.")]
Second = Annotated[
    str, typer.Argument(metavar="B", help="ID to compare it with. It may be another judging of the same debate.")
]
Rows = Iterable[Sequence[str]]
WIDEST = 48
"""Characters of a cell."""
WORDS = 9


def compare_runs(first: First, second: Second, *, database: DatabaseOption = "", as_json: AsJson = False) -> None:
    """Compare two finished debates: settings, results, and the arguments they share."""
    with open_runs(database) as runs:
        held = held_at(runs, run_id_of(runs, first)), held_at(runs, run_id_of(runs, second))
        evaluated = evaluation(runs, held[0].run_id), evaluation(runs, held[1].run_id)
    found = side_by_side(*held)
    pair = evaluated_pair(evaluated[0], evaluated[1]) if evaluated[0] and evaluated[1] else None
    if as_json:
        show_json({**found.model_dump(mode="json"), "evaluated": pair and pair.model_dump(mode="json")})
    else:
        for line in _lines(found, (held[0].dossier, held[1].dossier)):
            show_line(line)
        for line in _pair(pair) if pair else _half(found, evaluated):
            show_line(line)
    unjudged = [h.dossier.proceedings.transcript.run_id for h in held if h.dossier.judgement is None]
    run = held[0].dossier.proceedings.transcript.run_id
    talk(f"Next: hustings judge {unjudged[0]}" if unjudged else f"Next: hustings export {run} --to html")


def _lines(found: Comparison, dossiers: tuple[Dossier, Dossier]) -> Iterator[str]:
    for letter, run, protocol, topic in zip("AB", found.runs, found.protocols, found.topics, strict=True):
        yield f"{letter}  {run}  {protocol}  {shortened(topic, 20)}"
    if not found.comparable:
        yield "Not comparable: these figures measure different things."
    yield from (f"Note: {caveat}." for caveat in found.caveats)
    yield from _section("Settings that differ", ["", "A", "B"], _settings(found))
    yield from _section("Results", ["", "A", "B"], _results(found, dossiers))
    yield from _section("Arguments in both", ["A", "B", "in A", "in B", "", "claim"], _arguments(found))
    yield ""
    yield _agreement(found)
    yield from _section("Speakers", ["", "A", "B"], _speakers(found))


def _settings(found: Comparison) -> Rows:
    return [[name.replace("_", " "), *map(_value, pair)] for name, pair in found.settings.items()]


def _value(value: JsonValue) -> str:
    if isinstance(value, list):
        return ", ".join(map(_value, value)) or "none"
    return "–" if value is None else in_lines(value)


def _results(found: Comparison, dossiers: tuple[Dossier, Dossier]) -> Rows:
    yield ["ending", *map(state_text, found.endings)]
    yield ["outcome", *map(_outcome, dossiers)]
    for side, scores in found.totals.items():
        yield [f"how well {side} argued", *map(of_ten, scores)]
    first, second = found.took
    yield ["calls", str(first.calls), str(second.calls)]
    yield ["tokens", f"{first.tokens:,}", f"{second.tokens:,}"]
    yield ["USD", dollars(first.spent, 4), dollars(second.spent, 4)]


def _outcome(about: Dossier) -> str:
    return outcome_text(about.judgement and about.judgement.outcome)


def _arguments(found: Comparison) -> Rows:
    for argument in found.matched:
        standings = [_standing(s, v) for s, v in zip(argument.standings, argument.strengths, strict=True)]
        same = "same" if argument.same else "differs" if argument.judged else ""
        yield [*argument.ids, *standings, same, shortened(argument.claim, WORDS)]


def _standing(standing: str | None, strength: float | None) -> str:
    if standing is None:
        return "not judged"
    return standing.replace("_", " ") + ("" if strength is None else f" {decimal(strength, 2)}")


def _agreement(found: Comparison) -> str:
    alone = f"Only in A: {found.alone[0]}; only in B: {found.alone[1]}."
    if found.agreement is None:
        return f"No argument in both has a status. {alone}"
    judged = sum(argument.judged for argument in found.matched)
    return f"Agreement: {percent(found.agreement)} of {judged} shared arguments have the same status. {alone}"


def _speakers(found: Comparison) -> Rows:
    for seat, pair in found.spoke.items():
        if not any(who and who.turns for who in pair):  # a seat that was not in play, or that only writes notes
            continue
        told = [
            f"{who.turns} turns, {who.words} words, {who.model or 'no model'}" if who and who.turns else "–"
            for who in pair
        ]
        yield [seat, *told]


def _pair(pair: EvaluatedPair) -> Iterator[str]:
    gains = pair.gains
    rows = [
        ["reasoning depth", *_figures(pair.reasoning_depth), _change(gains.quality_improvement)],
        ["argument diversity", *_figures(pair.argument_diversity), _change(gains.diversity_gain)],
        ["points at equal length", *_figures(pair.points_at_equal_length), _change(gains.diversity_gain_equal_length)],
        ["decision confidence", *_figures(pair.decision_confidence), _change(gains.confidence_improvement)],
        ["tokens of the debate", *(_known(one, "{:,}") for one in pair.tokens), _times(gains.token_multiplier)],
        [
            "USD of the debate",
            *("unknown" if one is None else dollars(one, 4) for one in pair.dollars),
            _times(gains.cost_multiplier),
        ],
        ["depth gained per USD", "", "", _change(gains.gain_per_dollar)],
    ]
    yield from _section(f"Evaluation ({'; '.join(pair.caveats)})", ["", "A", "B", "B against A"], rows)


def _half(found: Comparison, evaluated: tuple[Evaluation | None, Evaluation | None]) -> Iterator[str]:
    """Say which of two debates lacks an evaluation, if the other has one."""
    missing = [run for run, one in zip(found.runs, evaluated, strict=True) if one is None]
    if len(missing) == 1:
        yield from ("", f"Quality is not compared: {missing[0]} was not evaluated (hustings evaluate {missing[0]}).")


def _figures(pair: tuple[float | None, float | None]) -> list[str]:
    return [_known(one, "{:.2f}") for one in pair]


def _known(value: float | None, form: str) -> str:
    return "unknown" if value is None else form.format(value)


def _change(value: float | None) -> str:
    return "unknown" if value is None else signed(value, 2)


def _times(value: float | None) -> str:
    return "unknown" if value is None else f"× {decimal(value, 2)}"


def _section(head: str, heads: Sequence[str], rows: Rows) -> Iterator[str]:
    """A plain-text table with a heading; nothing if it has no rows."""
    lines = [[_cell(cell) for cell in row] for row in rows]
    if not lines:
        return
    table = [list(heads), *lines]
    widths = [max(len(row[n]) for row in table) for n in range(len(heads))]
    yield from ("", head)
    for row in table:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _cell(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WIDEST else line[: WIDEST - 1] + "…"
