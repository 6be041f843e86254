"""HTML of a result for notebooks: the briefing and the trace table of arguments.

It has no scripts and requests nothing. It uses the page's own colours, so it is readable in light and dark themes.
All text from seats is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from hustings.judging.dossier import Dossier
from hustings.judging.judgement import ArgumentResult, Judgement
from hustings.report import wording
from hustings.report.markdown import HIDDEN
from hustings.text.figures import decimal
from hustings.transcript.outcome import BudgetStopped, Cancelled, Ending, Failed, Played

SIGNS = {"upheld": "✓", "partially_upheld": "◐", "refuted": "✕", "uncertain": "?"}
LINE = "1px solid rgba(127,127,127,.35)"
CARE = "border-left:4px solid #b7791f;padding-left:.7em;margin:.4em 0"
HEADS = ("Id", "Argument", "Standing", "Strength", "Why")
CELL = f"text-align:left;vertical-align:top;padding:.35em .7em;border-bottom:{LINE}"


def shown(dossier: Dossier) -> str:
    """The summary, and below it the trace table if the debate was judged."""
    judgement = dossier.judgement
    body = _judged(judgement, dossier.cost) if judgement else _unjudged(dossier)
    inner = "".join([*_head(dossier), *body, *_foot(dossier)])
    return f'<section style="border:{LINE};border-radius:6px;padding:.8em 1.1em;max-width:62em">{inner}</section>'


def show(text: str) -> str:
    """Escape text for HTML, with control characters made visible."""
    return escape(HIDDEN.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", " ".join(text.split())))


def _head(dossier: Dossier) -> Iterator[str]:
    transcript = dossier.proceedings.transcript
    motion = transcript.debate_metadata.topic or transcript.run_id
    yield f'<div style="font-size:1.15em;font-weight:600;margin-bottom:.4em" dir="auto">{show(motion)}</div>'


def _judged(judgement: Judgement, cost: str) -> Iterator[str]:
    label, weak = wording.warning(judgement)
    if weak:
        yield f'<p style="{CARE}"><b>{label}:</b> {show(weak)}</p>'
    yield _line(*wording.advice(judgement))
    for name, text in wording.facts(judgement, cost).items():
        yield _line(name, text)
    if judgement.trace:
        yield _table(judgement.trace)


def _table(trace: Sequence[ArgumentResult]) -> str:
    heads = "".join(f'<th scope="col" style="{CELL}">{head}</th>' for head in HEADS)
    return (
        '<table style="border-collapse:collapse;margin:.7em 0;width:100%">'
        '<caption style="text-align:left;font-weight:600;padding:.3em 0">What became of each argument</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(map(_row, trace))}</tbody></table>"
    )


def _row(argument: ArgumentResult) -> str:
    standing = f"{SIGNS[argument.standing]} {argument.standing.replace('_', ' ')}"
    strength = "" if argument.strength is None else decimal(argument.strength, 2)
    cells = [
        f'<td style="{CELL}" dir="auto">{show(text)}</td>'
        for text in (argument.claim, standing, strength, argument.reason)
    ]
    return f'<tr><th scope="row" style="{CELL};white-space:nowrap">{show(argument.id)}</th>{"".join(cells)}</tr>'


def _unjudged(dossier: Dossier) -> Iterator[str]:
    turns = dossier.proceedings.transcript.turns
    said = sum(1 for turn in turns if turn.said)
    yield _line("Outcome", f"{ended(dossier.proceedings.ending)}. It was not judged.")
    yield _line("Said", f"{said} of {len(turns)} turns")
    yield _line("Cost", dossier.cost)


def ended(ending: Ending) -> str:
    match ending:
        case Played():
            return "played to its end"
        case BudgetStopped():
            return f"stopped by its budget, {ending.spent:g} of {ending.cap:g} {ending.unit}"
        case Cancelled():
            return f"cancelled by {ending.by}"
        case Failed():
            return f"failed ({ending.code}) {ending.reason}".strip()


def _foot(dossier: Dossier) -> Iterator[str]:
    run_id = dossier.proceedings.transcript.run_id
    yield f'<p style="opacity:.7;font-size:.85em;margin:.5em 0 0">{show(run_id)}</p>'


def _line(label: str, text: str) -> str:
    return f'<p style="margin:.35em 0"><b>{label}:</b> {show(text)}</p>' if text else ""
