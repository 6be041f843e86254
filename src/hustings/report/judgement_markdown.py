"""A judgement as Markdown in three depths (one screen, each argument, all checks), and the report on a judge.

What weakens the verdict stands first at every depth. Words of seats are escaped, as in the transcript.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from hustings.judging.judge_report import JudgeReport, Measure
from hustings.judging.judgement import Board, Judgement, Votes
from hustings.text.figures import listed, percent, signed

from . import wording
from .markdown import plain, table

Depth = Literal[1, 2, 3]


def render_judgement(judgement: Judgement, *, depth: Depth = 3, cost: str = "") -> str:
    parts = [*_screen(judgement, cost, roomy=depth > 1)]
    if depth > 1:
        parts += _arguments(judgement)
    if depth > 2:
        parts += _checks(judgement)
    return "\n\n".join(parts) + "\n"


# -- depth 1: what to decide by ----------------------------------------------------------


def _screen(judgement: Judgement, cost: str, *, roomy: bool) -> Iterator[str]:
    def line(label: str, text: str, lines: int) -> str:
        return label + plain(text if roomy else _within(text, lines * COLUMNS - len(label)))

    yield line("# ", judgement.topic or judgement.judged, 1)
    label, text = wording.warning(judgement)
    if text:
        yield line(f"**{label}:** ", text, 2)
    label, text = wording.advice(judgement)
    yield line(f"**{label}:** ", text, 3)
    facts = wording.facts(judgement, cost)
    yield "\n".join(line(f"- **{name}:** ", text, LINES.get(name, 2)) for name, text in facts.items() if text)


def _within(text: str, room: int) -> str:
    """Cut the text to what fits into `room` columns once escaped, with an ellipsis if it was cut."""
    if _columns(plain(text)) <= room:
        return text
    kept = text[:room]
    while _columns(plain(kept)) >= room:
        kept = kept[:-1]
    whole = kept.rpartition(" ")[0].rstrip()
    return (whole if 2 * len(whole) > len(kept) else kept) + "…"


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


# -- depth 2: what became of each argument -----------------------------------------------


def _arguments(judgement: Judgement) -> Iterator[str]:
    yield from _list("What survived", judgement.briefing.survived)
    yield from _list("What was refuted", judgement.briefing.refuted)
    if judgement.trace:
        yield "## Each argument"
        yield table(wording.TRACE_HEADS, map(wording.argument_cells, judgement.trace))
        yield wording.TRACE_KEY
    if judgement.flags:
        yield "## Hints"
        yield wording.hint_key(judgement)
        yield _items(map(wording.hint, judgement.flags))
    if judgement.board:
        yield from _board(judgement.board)
    if judgement.votes:
        yield from _votes(judgement.votes)
    if judgement.issues:
        yield "## Issues"
        yield table(["issue", "state"], judgement.issues.items())


def _board(board: Board) -> Iterator[str]:
    yield "## Score board"
    yield table(wording.TEAM_HEADS, map(wording.team_cells, board.teams))
    yield table(wording.DEBATER_HEADS, map(wording.debater_cells, board.individuals))
    if board.best:
        yield f"Best debater: {plain(listed(board.best))}."
    if board.penalties:
        yield "### Penalties"
        yield table(wording.PENALTY_HEADS, map(wording.penalty_cells, board.penalties))
    if board.stages:
        yield "### Stages"
        yield table(["stage", *(plain(team.team) for team in board.teams)], wording.stage_cells(board))
        if told := wording.stage_lines(board):
            yield _items(told)


def _votes(votes: Votes) -> Iterator[str]:
    yield "## Votes"
    yield table(["answer", "seats"], ([option, str(count)] for option, count in votes.options.items()))
    yield plain(wording.vote_line(votes))


# -- depth 3: what is left to check, and how to compute it again --------------------------


def _checks(judgement: Judgement) -> Iterator[str]:
    yield from _list("Left to check", judgement.briefing.unresolved)
    if judgement.trace:
        yield "## What moved each argument, and what would change it"
        yield table(wording.MOVED_HEADS, map(wording.moved_cells, judgement.trace))
    if judgement.control:
        yield from _list("With and without debate", list(wording.control_lines(judgement.control)))
    yield from _list("How far the judges can be relied on", list(wording.reliability_lines(judgement)))
    if judgement.panel:
        yield "## Judges"
        yield table(wording.JUDGE_HEADS, map(wording.judge_cells, judgement.panel))
    yield from _list("How to compute this again", list(wording.origin_lines(judgement)))


# -- pieces ------------------------------------------------------------------------------


def _list(head: str, lines: Sequence[str]) -> Iterator[str]:
    """A section, if there is anything to put in it."""
    if lines:
        yield f"## {head}"
        yield _items(lines)


def _items(lines: Iterable[str]) -> str:
    return "\n".join(f"- {plain(line)}" for line in lines)


COLUMNS = 100
LINES = {"Outcome": 3, "Key insight": 4, "Cost": 1}
"""Lines that a fact may take on one screen, if not two."""


def render_judge_report(card: JudgeReport) -> str:
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
