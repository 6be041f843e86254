"""The protocol's own result in sections that every report shows, filled with what judges found of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from hustings.judging.arguments import names
from hustings.judging.judgement import Judgement
from hustings.script.debate import Proceedings
from hustings.script.forms import in_lines
from hustings.script.protocol_result import FigureSection, ResultSection
from hustings.text.figures import decimal, of_ten
from hustings.text.tables import text_table
from hustings.text.words import called
from hustings.transcript.notes import RULES

from . import record_view, wording


def result_sections(proceedings: Proceedings, judgement: Judgement | None = None) -> tuple[ResultSection, ...]:
    """Sections of what a debate came to; a result that its protocol does not describe is told line by line."""
    debate = _Debate(proceedings, judgement)
    # A debate that was stopped has no sections, but its issues are on record.
    described = proceedings.sections or (FigureSection(title="Issues", figure="issues"),)
    filled = tuple(
        section
        for part in described
        if (section := FIGURES[part.figure](debate, part.title) if isinstance(part, FigureSection) else part)
    )
    if filled or proceedings.result is None:
        return filled
    return (ResultSection(title="Result of the debate", lines=tuple(in_lines(proceedings.result).splitlines())),)


@dataclass(frozen=True)
class _Debate:
    proceedings: Proceedings
    judgement: Judgement | None

    def name(self, seat: str) -> str:
        return names(self.proceedings.transcript).get(seat) or called(seat)


# -- figures -------------------------------------------------------------------------------


def _issues(debate: _Debate, title: str) -> ResultSection | None:
    if debate.judgement and debate.judgement.settled:
        return ResultSection(title=title, table=text_table(title, *wording.issue_table(debate.judgement)))
    rows = [
        [issue.id, issue.question, wording.issue_state(issue.state)] for issue in record_view.issues(debate.proceedings)
    ]
    heads = ("Issue", "Question", "State")
    return ResultSection(title=title, table=text_table(title, heads, rows)) if rows else None


def _minority(debate: _Debate, title: str) -> ResultSection | None:
    """Who ended at another answer than most speakers, and on which condition; a tie has no minority."""
    votes = debate.judgement.votes if debate.judgement else None
    if votes is None or 2 * max(votes.options.values(), default=0) <= votes.seats:
        return None
    most = max(votes.options, key=lambda option: votes.options[option])
    lines: list[str] = []
    for seat, option in votes.chosen.items():
        if option != most:
            condition = votes.conditions.get(seat, "").rstrip(".")
            how = f", on condition that {condition}." if condition else "."
            lines.append(f"{debate.name(seat)} ended at {option}{how}")
    return ResultSection(title=title, lines=tuple(lines)) if lines else None


def _own_views(debate: _Debate, title: str) -> ResultSection | None:
    """What each seat noted of its own stance, round by round."""
    transcript = debate.proceedings.transcript
    rounds = {turn.turn_id: turn.round_index for turn in transcript.turns}
    labels = {round_.round_index: round_.label or "" for round_ in transcript.rounds}
    rows: list[list[str]] = []
    for note in debate.proceedings.notes:
        if note.kind == "stance" and note.by == RULES:
            turn = next((about.turn_id for about in note.about if about.turn_id), "")
            label = labels.get(rounds.get(turn or "", -1), "")
            stance = {part: value if isinstance(value, str) else "" for part, value in note.body.items()}
            view = [stance.get(part, "") for part in ("says", "condition", "why")]
            rows.append([label, debate.name(stance.get("seat", "")), *view])
    heads = ("Round", "Speaker", "Own view", "On condition that", "Why")
    return ResultSection(title=title, table=text_table(f"{title}, round by round", heads, rows)) if rows else None


def _positions(debate: _Debate, title: str) -> ResultSection | None:
    """Who moved, and by what."""
    judgement = debate.judgement
    if judgement is None or not judgement.movements:
        return None
    rows = [
        [judgement.name(m.seat), m.began, m.ended, m.condition, m.moved_by or _unmoved(m.began, m.ended)]
        for m in judgement.movements
    ]
    heads = ("Speaker", "Began at", "Ended at", "On condition that", "Moved by")
    return ResultSection(title=title, lines=tuple(_dissent(judgement)), table=text_table("Positions", heads, rows))


def _unmoved(began: str, ended: str) -> str:
    return "gave no reason" if began and began != ended else "did not move"


def _dissent(found: Judgement) -> Iterator[str]:
    """Who stayed apart from the most frequent answer, and how well each argued beside those who share it."""
    votes = found.votes
    scores = {total.side: total.score for total in found.totals if total.score is not None}
    if votes is None or not votes.chosen or not scores:
        return
    most = max(votes.options, key=lambda option: votes.options[option])
    others = [scores[seat] for seat, option in votes.chosen.items() if option == most and seat in scores]
    for seat, option in votes.chosen.items():
        if option != most and seat in scores and others:
            mean = sum(others) / len(others)
            scored = f"scored {of_ten(scores[seat])}, those at {most} {decimal(mean)}"
            yield f"Dissent: {found.name(seat)} ended at {option} and {scored}."


FIGURES: Mapping[str, Callable[[_Debate, str], ResultSection | None]] = {
    "issues": _issues,
    "minority": _minority,
    "own views": _own_views,
    "positions": _positions,
}
