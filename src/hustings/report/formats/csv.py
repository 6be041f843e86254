"""The trace table as CSV (RFC 4180): a line for each argument, what became of it, and why.

A cell that a spreadsheet would take for a formula gets an apostrophe in front.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from hustings.judging.arguments import Claim, arguments_of
from hustings.judging.dossier import Dossier
from hustings.judging.judgement import ArgumentResult
from hustings.text.figures import visible

FORMAT = "csv"
SUFFIX = "csv"

Cell = str | float | None


def render(dossier: Dossier) -> str:
    return render_together([dossier])


def render_together(dossiers: Iterable[Dossier]) -> str:
    """One table of several debates; those whose judges marked other things leave those columns empty."""
    dimensions: dict[str, None] = {}
    rows: list[tuple[Sequence[Cell], Mapping[str, float]]] = []
    for dossier in dossiers:
        trace = {argument.id: argument for argument in dossier.judgement.trace} if dossier.judgement else {}
        dimensions |= dict.fromkeys(name for argument in trace.values() for name in argument.dimensions)
        run = dossier.proceedings.transcript.run_id
        for claim in arguments_of(dossier).claims:
            argument = trace.get(claim.id)
            cells = _judged(argument) if argument else _unjudged(claim)
            rows.append(([run, *cells], argument.dimensions if argument else {}))
    blank = [None] * (1 + len(HEADS))
    lines = [[*cells, *blank[len(cells) :], *(marks.get(name) for name in dimensions)] for cells, marks in rows]
    return "".join(map(csv_line, [["run", *HEADS, *dimensions], *lines]))


def _judged(argument: ArgumentResult) -> Sequence[Cell]:
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
