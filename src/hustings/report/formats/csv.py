"""The trace table as CSV (RFC 4180): a line for each argument, what became of it, and why.

A cell that a spreadsheet would take for a formula gets an apostrophe in front.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hustings.judging.arguments import Claim, arguments_of
from hustings.judging.dossier import Dossier
from hustings.judging.judgement import ArgumentResult
from hustings.text.figures import visible

FORMAT = "csv"
SUFFIX = "csv"

Cell = str | float | None


def render(dossier: Dossier) -> str:
    arguments = {argument.id: argument for argument in dossier.judgement.trace} if dossier.judgement else {}
    dimensions = list(dict.fromkeys(name for argument in arguments.values() for name in argument.dimensions))
    claims = arguments_of(dossier).claims
    rows = [_judged(arguments[claim.id], dimensions) if claim.id in arguments else _unjudged(claim) for claim in claims]
    run = dossier.proceedings.transcript.run_id
    heads = ["run", *HEADS, *dimensions]
    width = len(heads) - 1
    return "".join(map(csv_line, [heads, *([run, *row, *[None] * (width - len(row))] for row in rows)]))


def _judged(argument: ArgumentResult, dimensions: Iterable[str]) -> Sequence[Cell]:
    low, high = argument.interval or (None, None)
    flip = argument.flip
    return [
        argument.id,
        argument.seat,
        argument.side,
        argument.turn_id,
        argument.claim,
        argument.quote,
        argument.examined,
        argument.standing,
        argument.strength,
        low,
        high,
        argument.second_opinion,
        argument.certainty,
        argument.score,
        argument.reason,
        "; ".join(argument.guards),
        "; ".join(f"{c.response} {c.share:+}" for c in argument.contributions),
        flip and flip.standing,
        flip and flip.what,
        flip and flip.now,
        flip and flip.then,
        *(argument.dimensions.get(name) for name in dimensions),
    ]


def _unjudged(claim: Claim) -> Sequence[Cell]:
    return [claim.id, claim.seat, None, claim.turn_id, claim.claim, None, None, "not judged"]


def csv_line(cells: Iterable[Cell]) -> str:
    return ",".join(map(_cell, cells)) + "\r\n"


def _cell(cell: Cell) -> str:
    if not isinstance(cell, str):
        return "" if cell is None else str(cell)
    text = visible(cell.replace("\r\n", "\n").replace("\r", "\n"))
    text = f"'{text}" if FORMULA.match(text) else text
    return '"' + text.replace('"', '""') + '"' if SPECIAL.search(text) else text


HEADS = (
    "argument", "seat", "side", "turn", "claim", "quote", "cross_examination", "standing", "strength", "strength_low",
    "strength_high", "second_opinion", "certainty", "score", "reason", "guards", "moved_by", "would_become",
    "if_score", "from", "to",
)  # fmt: skip
FORMULA = re.compile(r"\s*[=+\-@|%＝＋－＠\t]")
"""What Excel, LibreOffice or Google Sheets may evaluate; wide forms count as the narrow ones."""
SPECIAL = re.compile('[",\n\t]')
