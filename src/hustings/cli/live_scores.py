"""Live marks of the judge at the table and the score board so far, provisional until a panel judges."""

from __future__ import annotations

from collections.abc import Iterator

from hustings.judging.judgement import Board
from hustings.judging.score_board import STAGES, board, stage_of
from hustings.rubrics.speech import SpeechScore
from hustings.transcript.fold import Record
from hustings.transcript.notes import Note


class Scoring:
    def __init__(self) -> None:
        self.scores: dict[str, float | None] = {}
        """Weighted score of each turn; None if a mark is missing."""
        self._stage = self._due = ""

    def take(self, note: Note, judge: str) -> str:
        """Record a judge's marks for a speech, and return them as one line."""
        turn = next((about.turn_id for about in note.about if about.turn_id), None) or note.after_turn or ""
        marks = {name: row.get("score") for name, row in note.body.items() if isinstance(row, dict) and "score" in row}
        weights = SpeechScore.weights()
        points = {name: mark for name, mark in marks.items() if isinstance(mark, int | float)}
        whole = points.keys() == weights.keys()
        self.scores[turn] = sum(points[name] * share for name, share in weights.items()) if whole else None
        total = self.scores[turn]
        shown = " · ".join(f"{name.replace('_', ' ')} {'-' if mark is None else mark}" for name, mark in marks.items())
        sum_of_it = "no score" if total is None else f"{total:.1f}"
        return f"{judge} on {note.body.get('about', '')} ({turn}): {sum_of_it} = {shown}"

    def opened(self, label: str) -> None:
        """Note that a round opened: a stage of a competition is over when another one begins."""
        before, self._stage = self._stage, stage_of(label)
        if before in STAGES and before != self._stage:
            self._due = before

    def due(self, record: Record) -> bool:
        """Whether a stage is over and all its speeches are marked; marks arrive during the next speech."""
        rounds = [r for r in record.transcript.rounds if self._due and stage_of(r.label) == self._due]
        return bool(rounds) and all(turn.turn_id in self.scores for r in rounds for turn in r.turns if turn.said)

    def board(self, record: Record, *, final: bool = False) -> Iterator[str]:
        """Lines of the board: teams and speakers, highest score first."""
        after, self._due = self._due, ""
        if not self.scores:
            return
        found = board(record.transcript, record.notes, self.scores, (), SpeechScore)
        yield ""
        yield f"-- {'final board' if final else f'board after {after}'}, by the judge at the table; provisional"
        for team in sorted(found.teams, key=lambda team: -team.total):
            parts = f"speeches {team.speeches:.1f}, penalties {team.penalties}"
            yield f"  {team.team.upper():<10} {team.total:7.1f}  {parts}"
        yield from _speakers(found)
        if final and found.best:
            yield f"  Best debater: {', '.join(found.best)}"


def _speakers(found: Board) -> Iterator[str]:
    for one in sorted(found.individuals, key=lambda one: -one.total):
        if one.speeches:
            mean = "unscored" if one.per_speech is None else f"{one.per_speech:.1f} a speech"
            many = "1 speech" if len(one.speeches) == 1 else f"{len(one.speeches)} speeches"
            yield f"    {one.seat:<8} {one.total:7.1f}  {mean}, {many}"
