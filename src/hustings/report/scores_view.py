"""View of the scores: the panel's means with each judge's own marks, and the score board turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import fsum

from pydantic import BaseModel

from hustings.judging.board import Board, Individual
from hustings.judging.judgement import Judgement, Marked, Total
from hustings.text.figures import decimal, of_ten, signed, span
from hustings.text.tables import LabelledText, TextTable, text_table
from hustings.transcript.models import Transcript

from . import remarks, wording


class JudgeMark(BaseModel, frozen=True, defer_build=True):
    judge: str
    mark: float
    """The mean over the orders of presentation."""
    shown: str


class Cell(BaseModel, frozen=True, defer_build=True):
    """One mark of the panel."""

    mean: float | None
    """None if not scored."""
    shown: str
    heat: int
    """From 1 to 10; 0 if not scored."""
    judges: tuple[JudgeMark, ...]
    spread: str
    """How far the judges are apart, in words; empty for a single judge."""


class MarkRow(BaseModel, frozen=True, defer_build=True):
    about: str
    """An argument or a turn."""
    seat: str
    words: str
    cells: tuple[Cell, ...]
    """One for each dimension."""
    total: Cell


class MarkGrid(BaseModel, frozen=True, defer_build=True):
    """A table of marks: items by dimension."""

    caption: str
    what: str
    """`argument` or `speech`."""
    dimensions: tuple[str, ...]
    rows: tuple[MarkRow, ...]


class ScoreStep(BaseModel, frozen=True, defer_build=True):
    """The score board after one turn."""

    turn: str
    seat: str
    team: str
    score: float | None
    """Mark of this speech."""
    penalties: tuple[str, ...]
    """Penalties for this turn, in words."""
    totals: Mapping[str, float]
    """Points of each team so far."""
    penalty_totals: Mapping[str, int]
    """Penalty points of each team so far."""
    cells: tuple[str, ...]
    """The row as text, under `course_heads`."""


class DebaterRow(BaseModel, frozen=True, defer_build=True):
    seat: str
    cells: tuple[str, ...]
    speeches: tuple[LabelledText, ...]
    """Turn and its marks."""


class ScoreBoard(BaseModel, frozen=True, defer_build=True):
    """The score board of a competition."""

    best: str
    """The best debater, in a sentence."""
    teams: TextTable
    debater_heads: tuple[str, ...]
    debaters: tuple[DebaterRow, ...]
    stages: TextTable
    summaries: tuple[str, ...]
    """What the judge at the table summed up."""
    penalties: TextTable
    course_heads: tuple[str, ...]
    course: tuple[ScoreStep, ...]


# -- marks -------------------------------------------------------------------------------


def grids(judgement: Judgement | None, transcript: Transcript) -> Iterator[MarkGrid]:
    if judgement is None:
        return
    own = _Own(judgement.marks)
    if any(argument.dimensions for argument in judgement.trace):
        yield _arguments(judgement, own)
    if judgement.board and own.readings:
        yield _speeches(judgement.board, own, [turn.turn_id for turn in transcript.turns])


def totals(judgement: Judgement | None) -> tuple[LabelledText, ...]:
    """How well each side argued."""
    if judgement is None:
        return ()
    return tuple(LabelledText(label=judgement.name(total.side), text=_total(total)) for total in judgement.totals)


def _total(total: Total) -> str:
    return of_ten(total.score) + (f" ({span(total.interval)})" if total.interval else "")


class _Own:
    """Each judge's marks, over the orders it was asked in."""

    def __init__(self, readings: Sequence[Marked]) -> None:
        self.readings = readings

    def given(self, item: str, dimension: str) -> dict[str, list[float]]:
        found: dict[str, list[float]] = {}
        for reading in self.readings:
            if (mark := reading.scores.get(item, {}).get(dimension)) is not None:
                found.setdefault(reading.judge, []).append(mark)
        return found

    def dimensions(self, items: Iterable[str]) -> tuple[str, ...]:
        names = (name for item in items for reading in self.readings for name in reading.scores.get(item, {}))
        return tuple(dict.fromkeys(names))

    def panel_mean(self, item: str, dimension: str) -> float | None:
        """None if fewer than half of the readings gave one, as for the verdict."""
        marks = [mark for given in self.given(item, dimension).values() for mark in given]
        return _mean(marks) if marks and 2 * len(marks) >= len(self.readings) else None

    def cell(self, item: str, dimension: str, mean: float | None) -> Cell:
        return _cell(mean, {judge: _mean(marks) for judge, marks in self.given(item, dimension).items()})


def _arguments(judgement: Judgement, own: _Own) -> MarkGrid:
    scored = [argument for argument in judgement.trace if argument.dimensions]
    dimensions = tuple(dict.fromkeys(name for argument in scored for name in argument.dimensions))
    return MarkGrid(
        caption=wording.SCORES_CAPTION,
        what="argument",
        dimensions=tuple(map(wording.spaced, dimensions)),
        rows=tuple(
            MarkRow(
                about=argument.id,
                seat=argument.seat,
                words=argument.claim,
                cells=tuple(own.cell(argument.id, name, argument.dimensions.get(name)) for name in dimensions),
                total=_cell(argument.score, {}),
            )
            for argument in scored
        ),
    )


def _speeches(board: Board, own: _Own, turns: Sequence[str]) -> MarkGrid:
    """In the order of the record."""
    marked = {turn: (who.seat, score) for who in board.individuals for turn, score in who.speeches.items()}
    spoken = {turn: marked[turn] for turn in turns if turn in marked}
    dimensions = own.dimensions(spoken)
    return MarkGrid(
        caption=wording.SCORES_CAPTION,
        what="speech",
        dimensions=tuple(map(wording.spaced, dimensions)),
        rows=tuple(
            MarkRow(
                about=turn,
                seat=seat,
                words="",
                cells=tuple(own.cell(turn, name, own.panel_mean(turn, name)) for name in dimensions),
                total=_cell(score, {}),
            )
            for turn, (seat, score) in spoken.items()
        ),
    )


def _cell(mean: float | None, judges: Mapping[str, float]) -> Cell:
    low, high = min(judges.values(), default=0.0), max(judges.values(), default=0.0)
    return Cell(
        mean=mean,
        shown="–" if mean is None else decimal(mean),
        heat=0 if mean is None else heat(mean),
        judges=tuple(JudgeMark(judge=judge, mark=mark, shown=decimal(mark)) for judge, mark in judges.items()),
        spread=f"{span((low, high))}, {len(judges)} judges" if len(judges) > 1 else "",
    )


def heat(mark: float) -> int:
    """How strong its colour is, from 1 to 10."""
    return min(10, max(1, round(mark)))


def _mean(marks: Sequence[float]) -> float:
    return fsum(marks) / len(marks)


# -- the score board ---------------------------------------------------------------------


def score_board(judgement: Judgement | None, transcript: Transcript) -> ScoreBoard | None:
    board = judgement.board if judgement else None
    if judgement is None or board is None:
        return None
    teams = [judgement.name(team.team) for team in board.teams]
    cells = partial(wording.team_cells, judgement)
    return ScoreBoard(
        best=wording.best_debater(judgement, board) if board.best else "",
        teams=text_table("Teams", wording.TEAM_HEADS, map(cells, board.teams)),
        debater_heads=wording.DEBATER_HEADS,
        debaters=tuple(_debater(judgement, who) for who in board.individuals),
        stages=text_table("Stages", ("Stage", *teams), wording.stage_cells(board)),
        summaries=tuple(wording.stage_lines(board)),
        penalties=text_table(
            "Penalties", wording.PENALTY_HEADS, (wording.penalty_cells(judgement, one) for one in board.penalties)
        ),
        course_heads=("Turn", "Speaker", "Scores", "Penalties", *teams),
        course=tuple(_course(board, [turn.turn_id for turn in transcript.turns])),
    )


def _debater(judgement: Judgement, who: Individual) -> DebaterRow:
    speeches = tuple(
        LabelledText(label=turn, text="–" if score is None else decimal(score)) for turn, score in who.speeches.items()
    )
    return DebaterRow(seat=who.seat, cells=tuple(wording.debater_cells(judgement, who)), speeches=speeches)


def _course(board: Board, turns: Sequence[str]) -> Iterator[ScoreStep]:
    """Every turn that changed the board; penalties of no known turn come last."""
    scores = {turn: (who, score) for who in board.individuals for turn, score in who.speeches.items()}
    points, lost = {t.team: 0.0 for t in board.teams}, {t.team: 0 for t in board.teams}
    known = set(turns)
    for turn in (*turns, ""):
        who, score = scores.get(turn, (None, None))
        paid = [one for one in board.penalties if (one.turn_id if one.turn_id in known else "") == turn]
        if who is None and not paid:
            continue
        if who:
            points[who.team] += score or 0.0
        for one in paid:
            lost[one.team] = lost.get(one.team, 0) + one.individual + one.on_team
        totals = {team: round(points.get(team, 0.0) + lost[team], DECIMALS) for team in lost}
        seat = who.seat if who else ""
        costs = [signed(one.individual + one.on_team, 0) for one in paid]
        marks = "" if who is None else wording.mean(score)
        yield ScoreStep(
            turn=turn,
            seat=seat,
            team=who.team if who else "",
            score=score,
            penalties=tuple(map(remarks.penalised, paid)),
            totals=totals,
            penalty_totals=dict(lost),
            cells=(turn, seat, marks, ", ".join(costs), *(decimal(total) for total in totals.values())),
        )


DECIMALS = 6
