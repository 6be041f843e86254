"""A judgement as Markdown in three depths (one screen, each argument, all checks), and the report on a judge.

The bottom line and how sure it is stand first at every depth. Words of seats are escaped, as in the transcript.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal

from hustings.judging.board import Board
from hustings.judging.judgement import ExecutiveSummary, Judgement, Votes
from hustings.script.protocol_result import ResultSection

from . import summary_text, support_text, wording
from .markdown import items, plain, sections, table

Depth = Literal[1, 2, 3]


def render_judgement(
    judgement: Judgement,
    *,
    depth: Depth = 3,
    cost: str = "",
    result: Sequence[ResultSection] = (),
    summary: ExecutiveSummary | None = None,
) -> str:
    parts = [*_screen(judgement, cost, roomy=depth > 1), *(_summary(summary) if summary else ())]
    if depth > 1:
        board = _board(judgement, judgement.board) if judgement.board else ()
        parts += [*board, *sections(result), *_arguments(judgement)]
    if depth > 2:
        parts += _checks(judgement)
    return "\n\n".join(parts) + "\n"


# -- depth 1: what to decide by, in thirty seconds -----------------------------------------


def _screen(judgement: Judgement, cost: str, *, roomy: bool) -> Iterator[str]:
    def line(label: str, text: str, lines: int) -> str:
        return label + plain(text if roomy else _within(text, lines * COLUMNS - len(label)))

    briefing = judgement.briefing
    yield line("# ", wording.title(judgement.topic) or judgement.judged, 1)
    yield line("**Bottom line:** ", briefing.bottom_line, 3)
    if briefing.sure:
        yield line("**How sure:** ", wording.sure(briefing), 2)
    if told := [(label, text) for label, text in _points(judgement, cost) if text]:
        yield "\n".join(line(f"- **{plain(_within(name, LABEL))}:** ", text, LINES.get(name, 2)) for name, text in told)
    yield plain(briefing.caveat)


def _points(judgement: Judgement, cost: str) -> Iterator[tuple[str, str]]:
    """What stands below the bottom line: label and text, some of it empty."""
    briefing = judgement.briefing
    yield from (("Issue", issue) for issue in briefing.issues)
    yield from ((f"Strongest, {point.side}", wording.strong_point(point)) for point in briefing.strongest)
    yield "What would change it", briefing.would_change
    yield from (("Check first", line) for line in briefing.check_first)
    yield from wording.facts(judgement, cost).items()
    yield wording.limits(judgement), "".join(f"{limit}. " for limit in judgement.degraded).strip()


def _summary(summary: ExecutiveSummary) -> Iterator[str]:
    yield f"## {plain(summary_text.summary_title(summary))}"
    yield items(map(summary_text.summary_sentence, summary.sentences))
    yield summary_text.summary_key(summary)


def _within(text: str, room: int) -> str:
    """Cut the text to what fits into `room` columns once escaped, with an ellipsis if it was cut."""
    if _columns(plain(text)) <= room:
        return text
    kept = text[: max(room, 0)]
    while kept and _columns(plain(kept)) >= room:
        kept = kept[:-1]
    whole = kept.rpartition(" ")[0].rstrip()
    return (whole if 2 * len(whole) > len(kept) else kept) + "…"


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


# -- depth 2: what became of each argument -----------------------------------------------


def _arguments(judgement: Judgement) -> Iterator[str]:
    yield from _list("Held up", judgement.briefing.held_up)
    yield from _list("Refuted", judgement.briefing.refuted)
    yield from _list("Withdrawn", judgement.briefing.withdrawn)
    yield from _list("Check before deciding", judgement.briefing.unresolved)
    if judgement.trace:
        yield "## Each argument"
        yield table(wording.TRACE_HEADS, (wording.argument_cells(judgement, row) for row in judgement.trace))
        yield wording.TRACE_KEY
    if judgement.support and judgement.support.bases:
        yield "## What each argument rests on"
        yield table(["Argument", "Rests on"], support_text.rests_on(judgement.support))
    if judgement.flags:
        yield "## Possible fallacies and broken rules"
        yield wording.hint_key(judgement)
        yield items(wording.hint(judgement, flag) for flag in judgement.flags)
    if judgement.votes and any(judgement.votes.options.values()):
        yield from _votes(judgement.votes, judgement)
    if judgement.issues and not judgement.settled:
        yield "## Issues"
        yield table(*wording.issue_table(judgement))


def _board(judgement: Judgement, board: Board) -> Iterator[str]:
    yield "## Score board"
    yield table(wording.TEAM_HEADS, map(partial(wording.team_cells, judgement), board.teams))
    yield table(wording.DEBATER_HEADS, map(partial(wording.debater_cells, judgement), board.individuals))
    if board.best:
        yield plain(wording.best_debater(judgement, board))
    if board.penalties:
        yield "### Penalties"
        yield table(wording.PENALTY_HEADS, map(partial(wording.penalty_cells, judgement), board.penalties))
    if board.stages:
        yield "### Stages"
        yield table(["Stage", *(plain(judgement.name(team.team)) for team in board.teams)], wording.stage_cells(board))
        if told := wording.stage_lines(board):
            yield items(told)


def _votes(votes: Votes, judgement: Judgement) -> Iterator[str]:
    yield "## Votes"
    yield table(["Answer", "Speakers"], ([option, str(count)] for option, count in votes.options.items()))
    yield plain(wording.vote_line(votes, judgement.name))


# -- depth 3: how far to rely on it, and how to compute it again ---------------------------


def _checks(judgement: Judgement) -> Iterator[str]:
    if judgement.trace:
        yield "## What moved each argument, and what would change it"
        moved = (wording.moved_cells(judgement, row) for row in judgement.trace)
        yield table(wording.moved_heads(judgement.trace), moved)
    if judgement.control:
        yield from _list("With and without debate", list(wording.control_lines(judgement.control)))
    yield from _list("Judge agreement", list(wording.reliability_lines(judgement)))
    if judgement.panel:
        yield "## Judges"
        yield table(wording.JUDGE_HEADS, map(wording.judge_cells, judgement.panel))
    yield from _list("How to reproduce these figures", list(wording.origin_lines(judgement)))


# -- pieces ------------------------------------------------------------------------------


def _list(head: str, lines: Sequence[str]) -> Iterator[str]:
    """A section, if there is anything to put in it."""
    if lines:
        yield f"## {head}"
        yield items(lines)


COLUMNS, LABEL = 100, 60
LINES = {"Cost": 1, "What would change it": 4}
"""Lines that a point may take on one screen, if not two."""
