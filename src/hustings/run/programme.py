"""What one wish leads to: a debate, its control, its judging, one after the other under one cap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from hustings.store.caps import MICRO, Caps
from hustings.store.states import OPEN

from .commission import Commission
from .judging import JudgingWish, commission_control, commission_judging
from .wish import requested

if TYPE_CHECKING:
    from .queries import RunQueries


@dataclass(frozen=True)
class Programme:
    """What follows a debate."""

    judging: JudgingWish | None
    """None leaves it unjudged, and without a control: there would be no verdict to compare."""
    control: bool = False

    @classmethod
    def of(cls, judges: str | Sequence[str] | None, *, control: bool = False) -> Programme:
        """Judges by name; `auto` takes those that are set up, else the debaters' own; `none` and None leave it out."""
        if judges is None or judges == "none":
            return cls(None, control=control)
        named = judges.split(",") if isinstance(judges, str) else judges
        with requested("panel"):
            judging = JudgingWish(judges=() if judges == "auto" else tuple(filter(None, map(str.strip, named))))
        return cls(judging, control=control)

    @property
    def judging_wish(self) -> JudgingWish:
        """How the debate is or would be judged."""
        return self.judging or JudgingWish()

    @property
    def scripts(self) -> tuple[Literal["control", "judging"], ...]:
        """What follows, in order."""
        if not self.judging:
            return ()
        return ("control", "judging") if self.control else ("judging",)

    def after(self, act: Commission) -> str:
        """The script that follows an act; none after the last."""
        rest = iter(self.scripts)
        if act.judged:
            any(script == act.debate.protocol for script in rest)  # passes over it, and what was before
        return next(rest, "")

    def dump(self) -> str:
        return PROGRAMME.dump_json(self).decode()

    @staticmethod
    def stored(runs: RunQueries, run_id: str) -> Programme | None:
        """What is to follow a run, where a steward sees to it."""
        kept = runs.row(run_id)["programme"]
        return None if kept is None else PROGRAMME.validate_json(kept)


PROGRAMME: TypeAdapter[Programme] = TypeAdapter(Programme)


def acts(
    runs: RunQueries,
    first: Commission,
    programme: Programme,
    environment: Mapping[str, str],
    prepare: Callable[[Commission], Commission],
) -> Iterator[Commission]:
    """One commission after the other; asked for when the one before is over."""
    act: Commission | None = first
    while act is not None:
        yield act
        act = next_act(runs, act, programme, environment, prepare)


def next_act(
    runs: RunQueries,
    last: Commission,
    programme: Programme,
    environment: Mapping[str, str],
    prepare: Callable[[Commission], Commission],
) -> Commission | None:
    """What follows an act that is over, with what is left of the cap; nothing if it was not played to its end.

    What is on record of it is given as it is, so a programme that broke off goes on.
    """
    script = programme.after(last)
    if not script or runs.read(last.run_id).ending != "played":
        return None
    first = runs.commission(last.judged) if last.judged else last
    wish = programme.judging_wish.model_copy(update={"caps": left_after(runs, last)})
    return on_record(runs, last, first.run_id, script) or prepare(_drawn_up(runs, first, script, wish, environment))


def left_after(runs: RunQueries, commission: Commission) -> Caps:
    """Of the caps of a run that is over, for what follows it."""
    used = runs.read(commission.run_id)
    return commission.caps.after(money=round(used.spent * MICRO), tokens=used.tokens, calls=used.calls)


def on_record(runs: RunQueries, last: Commission, run_id: str, script: str) -> Commission | None:
    """An audit that was begun after an act and was played, the latest, or that could go on."""
    since = [report for report in runs.audits(run_id) if report.created_at >= last.created_at]
    audits = [report for report in since if report.protocol.partition("/")[0] == script]
    played = [report for report in audits if report.ending == "played"][::-1]
    going = [report for report in audits if report.state in OPEN]
    return next((runs.commission(report.run_id) for report in (*played, *going)), None)


def _drawn_up(
    runs: RunQueries, first: Commission, script: str, wish: JudgingWish, environment: Mapping[str, str]
) -> Commission:
    judged = runs.finished(first.run_id)
    if script == "control":
        return commission_control(first, judged, wish, environment, runs.read(first.run_id).tokens)
    return commission_judging(first, judged, wish, environment)
