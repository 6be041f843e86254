"""What one wish leads to: a debate, its control, its judging, one after the other under one cap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from hustings.db.caps import MICRO, Caps
from hustings.db.states import OPEN

from .judging_spec import JudgingRequest, control_spec, judging_spec
from .request import requested
from .spec import RunSpec

if TYPE_CHECKING:
    from .queries import RunQueries


@dataclass(frozen=True)
class FollowUps:
    """What follows a debate."""

    judging: JudgingRequest | None
    """None leaves it unjudged, and without a control: there would be no verdict to compare."""
    control: bool = False

    @classmethod
    def of(cls, judges: str | Sequence[str] | None, *, control: bool = False) -> FollowUps:
        """Judges by name; `auto` takes those that are set up, else the debaters' own; `none` and None leave it out."""
        if judges is None or judges == "none":
            return cls(None, control=control)
        named = judges.split(",") if isinstance(judges, str) else judges
        with requested("panel"):
            judging = JudgingRequest(judges=() if judges == "auto" else tuple(filter(None, map(str.strip, named))))
        return cls(judging, control=control)

    @property
    def judging_request(self) -> JudgingRequest:
        """How the debate is or would be judged."""
        return self.judging or JudgingRequest()

    @property
    def scripts(self) -> tuple[Literal["control", "judging"], ...]:
        """What follows, in order."""
        if not self.judging:
            return ()
        return ("control", "judging") if self.control else ("judging",)

    def after(self, act: RunSpec) -> str:
        """The script that follows an act; none after the last."""
        rest = iter(self.scripts)
        if act.judged:
            any(script == act.debate.protocol for script in rest)  # passes over it, and what was before
        return next(rest, "")

    def dump(self) -> str:
        return FOLLOW_UPS.dump_json(self).decode()

    @staticmethod
    def stored(runs: RunQueries, run_id: str) -> FollowUps | None:
        """What is to follow a run, where a steward sees to it."""
        kept = runs.row(run_id)["follow_ups"]
        return None if kept is None else FOLLOW_UPS.validate_json(kept)


FOLLOW_UPS: TypeAdapter[FollowUps] = TypeAdapter(FollowUps)


def runs_of(
    runs: RunQueries,
    first: RunSpec,
    follow_ups: FollowUps,
    environment: Mapping[str, str],
    prepare: Callable[[RunSpec], RunSpec],
) -> Iterator[RunSpec]:
    """One commission after the other; asked for when the one before is over."""
    act: RunSpec | None = first
    while act is not None:
        yield act
        act = next_run(runs, act, follow_ups, environment, prepare)


def next_run(
    runs: RunQueries,
    last: RunSpec,
    follow_ups: FollowUps,
    environment: Mapping[str, str],
    prepare: Callable[[RunSpec], RunSpec],
) -> RunSpec | None:
    """What follows an act that is over, with what is left of the cap; nothing if it was not played to its end.

    What is on record of it is given as it is, so a programme that broke off goes on.
    """
    script = follow_ups.after(last)
    if not script or runs.read(last.run_id).ending != "played":
        return None
    first = runs.spec(last.judged) if last.judged else last
    request = follow_ups.judging_request.model_copy(update={"caps": left_after(runs, last)})
    return on_record(runs, last, first.run_id, script) or prepare(_drawn_up(runs, first, script, request, environment))


def left_after(runs: RunQueries, spec: RunSpec) -> Caps:
    """Of the caps of a run that is over, for what follows it."""
    used = runs.read(spec.run_id)
    return spec.caps.after(money=round(used.spent * MICRO), tokens=used.tokens, calls=used.calls)


def on_record(runs: RunQueries, last: RunSpec, run_id: str, script: str) -> RunSpec | None:
    """An audit that was begun after an act and was played, the latest, or that could go on."""
    since = [report for report in runs.audits(run_id) if report.created_at >= last.created_at]
    audits = [report for report in since if report.protocol.partition("/")[0] == script]
    played = [report for report in audits if report.ending == "played"][::-1]
    going = [report for report in audits if report.state in OPEN]
    return next((runs.spec(report.run_id) for report in (*played, *going)), None)


def _drawn_up(
    runs: RunQueries, first: RunSpec, script: str, request: JudgingRequest, environment: Mapping[str, str]
) -> RunSpec:
    judged = runs.finished(first.run_id)
    if script == "control":
        return control_spec(first, judged, request, environment, runs.read(first.run_id).tokens)
    return judging_spec(first, judged, request, environment)
