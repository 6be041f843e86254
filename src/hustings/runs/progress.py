"""How far a debate has come, with all that follows it, for callers that wait for its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from hustings.db.caps import OVER
from hustings.db.continuing import continues
from hustings.transcript.events import TurnEntered
from hustings.transcript.models import Turn
from hustings.transcript.record import RunProgress, progress_after

from .queries import RunQueries
from .run_summary import RunSummary

Phase = Literal["waiting", "running", "paused", "ended", "broken", "judging"]


@dataclass(frozen=True)
class DebateProgress:
    """What is known at one moment. Give it to `progress_of` to be told only what is new."""

    report: RunSummary
    continues: bool
    """Whether more will come by itself: of the debate, or of what follows it."""
    stopped: RunSummary | None = None
    """The run that is paused and must be resumed: the debate, or one that follows it."""
    turns: int = 0
    """Turns on record."""
    new: tuple[Turn, ...] = ()
    """Turns since the moment before."""
    events: RunProgress = field(default_factory=RunProgress)
    """What goes on by the log, up to this event."""
    seq: int = -1

    @property
    def phase(self) -> Phase:
        if self.report.state in OVER and self.continues:
            return "judging"
        return "paused" if self.stopped else self.report.state

    @property
    def speaking(self) -> tuple[str, ...]:
        """Seats that are asked now."""
        return () if self.report.state in OVER else self.events.speaking


def progress_of(runs: RunQueries, run_id: str, before: DebateProgress | None = None) -> DebateProgress:
    """Read how far a debate has come. States first: what is over then has its whole log."""
    report = runs.read(run_id)
    with runs.scoped.reading() as db:
        more = continues(db, run_id)
    if not more:  # it may have ended between the two
        report = runs.read(run_id)
    resting = () if more else (one for one in (report, *runs.audits(run_id)) if one.state == "paused")
    fresh = runs.events(run_id, after=before.seq if before else -1)
    new = tuple(event.turn for event in fresh if isinstance(event, TurnEntered))
    return DebateProgress(
        report=report,
        continues=more,
        stopped=next(iter(resting), None),
        turns=(before.turns if before else 0) + len(new),
        new=new,
        events=progress_after(fresh, before.events if before else None),
        seq=max((event.seq for event in fresh if event.kind != "text_streamed"), default=before.seq if before else -1),
    )
