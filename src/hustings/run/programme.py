"""What one wish leads to: a debate, its control, its judging, one after the other under one cap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from hustings.store.caps import MICRO, Caps

from .commission import Commission
from .judging import JudgingWish, commission_control, commission_judging
from .wish import requested

if TYPE_CHECKING:
    from .desk import Desk


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
    def load(text: str) -> Programme:
        return PROGRAMME.validate_json(text)


PROGRAMME: TypeAdapter[Programme] = TypeAdapter(Programme)


def acts(
    desk: Desk,
    first: Commission,
    programme: Programme,
    environment: Mapping[str, str],
    prepare: Callable[[Commission], Commission],
) -> Iterator[Commission]:
    """One commission after the other; asked for when the one before is over."""
    act: Commission | None = first
    while act is not None:
        yield act
        act = next_act(desk, act, programme, environment, prepare)


def next_act(
    desk: Desk,
    last: Commission,
    programme: Programme,
    environment: Mapping[str, str],
    prepare: Callable[[Commission], Commission],
) -> Commission | None:
    """What follows an act that is over, with what is left of the cap; nothing if it was not played to its end.

    What is on record of it is given as it is, so a programme that broke off goes on.
    """
    script = programme.after(last)
    if not script or desk.report(last.run_id).ending != "played":
        return None
    first = desk.commission(last.judged) if last.judged else last
    wish = programme.judging_wish.model_copy(update={"caps": left_after(desk, last)})
    return on_record(desk, last, first.run_id, script) or prepare(_drawn_up(desk, first, script, wish, environment))


def left_after(desk: Desk, commission: Commission) -> Caps:
    """Of the caps of a run that is over, for what follows it."""
    used = desk.report(commission.run_id)
    return commission.caps.after(money=round(used.spent * MICRO), tokens=used.tokens, calls=used.calls)


def on_record(desk: Desk, last: Commission, run_id: str, script: str) -> Commission | None:
    """An audit that was begun after an act and was played, the latest, or that could go on."""
    since = [report for report in desk.follows(run_id) if report.created_at >= last.created_at]
    audits = [report for report in since if report.protocol.partition("/")[0] == script]
    played = [report for report in audits if report.ending == "played"][::-1]
    going = [report for report in audits if report.state in {"running", "paused", "waiting"}]
    return next((desk.commission(report.run_id) for report in (*played, *going)), None)


def _drawn_up(
    desk: Desk, first: Commission, script: str, wish: JudgingWish, environment: Mapping[str, str]
) -> Commission:
    judged = desk.finished(first.run_id)
    if script == "control":
        return commission_control(first, judged, wish, environment, desk.report(first.run_id).tokens)
    return commission_judging(first, judged, wish, environment)
