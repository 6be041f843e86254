"""Follow-ups of a debate: its control, judging, summary and evaluation, one after the other under one cap."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from hustings.db.caps import MICRO, OPEN, Caps
from hustings.errors import Unsuitable

from .debate_fields import FollowUpFields, PanelFields, Tier
from .evaluation_spec import AuditName, EvaluationRequest, evaluation_spec
from .judging_spec import JudgingRequest, control_spec, judging_spec, summary_spec
from .request import requested
from .spec import RunSpec

if TYPE_CHECKING:
    from .queries import RunQueries

ANY_PANEL = PanelFields()


@dataclass(frozen=True)
class FollowUps:
    """Which audits follow a debate."""

    judging: JudgingRequest | None
    """None: no judging, and no control either, since there would be no verdict to compare."""
    control: bool = False
    summary: bool = False
    """An executive summary by the first judge's model, after judging."""
    evaluation: EvaluationRequest | None = None
    """Comes last. It needs no judging."""

    @classmethod
    def of_request(cls, request: FollowUpFields) -> FollowUps:
        """What a request asks for after its debate."""
        return cls.of(
            request.judges, request, control=request.control, summary=request.summary, evaluate=request.evaluate
        )

    @classmethod
    def of(
        cls,
        judges: str | Sequence[str] | None,
        panel: PanelFields = ANY_PANEL,
        *,
        control: bool = False,
        summary: bool = False,
        evaluate: Tier | bool = False,
    ) -> FollowUps:
        """Judges by name. `auto`: those configured, else the debaters' own or default model. `none`, None or []: none.

        The same models evaluate.
        """
        tier = evaluate if isinstance(evaluate, str) else None
        listed = judges.split(",") if isinstance(judges, str) else judges or ("none",)
        named = tuple(name for one in listed if (name := one.strip()))
        if named == ("none",):
            evaluation = EvaluationRequest(tier=tier) if evaluate else None
            return cls(None, control=control, summary=summary, evaluation=evaluation)
        if not named:
            raise Unsuitable("judges names no model", fix="name models, auto or none")
        with requested("judging"):
            of_panel = {name: getattr(panel, name) for name in PanelFields.model_fields}
            judging = JudgingRequest(judges=() if named == ("auto",) else named, **of_panel)
        evaluation = EvaluationRequest(judges=judging.judges, tier=tier) if evaluate else None
        return cls(judging, control=control, summary=summary, evaluation=evaluation)

    @property
    def judging_request(self) -> JudgingRequest:
        """How the debate is or would be judged."""
        return self.judging or JudgingRequest()

    @property
    def scripts(self) -> tuple[AuditName, ...]:
        """Scripts that follow, in order."""
        last: tuple[AuditName, ...] = ("evaluation",) if self.evaluation else ()
        if not self.judging:
            return last
        return (*(("control",) if self.control else ()), "judging", *(("summary",) if self.summary else ()), *last)

    def after(self, act: RunSpec) -> str:
        """The script that follows a run; empty after the last."""
        rest = iter(self.scripts)
        if act.judged:
            any(script == act.debate.protocol for script in rest)  # skips it, and those before it
        return next(rest, "")

    def dump(self) -> str:
        return FOLLOW_UPS.dump_json(self).decode()

    @staticmethod
    def stored(runs: RunQueries, run_id: str) -> FollowUps | None:
        """Follow-ups stored with a run; None if it was entered without."""
        kept = runs.row(run_id)["follow_ups"]
        return None if kept is None else FOLLOW_UPS.validate_json(kept)


FOLLOW_UPS: TypeAdapter[FollowUps] = TypeAdapter(FollowUps)
NO_FOLLOW_UPS = FollowUps(None)


def left_of(runs: RunQueries, run_id: str) -> tuple[RunSpec, FollowUps] | None:
    """Where a run goes on if it is resumed, and what follows there; None if nothing is left to do.

    That is the run itself, else an audit of it that is open, else one of them that is over and whose follow-up is
    missing.
    """
    kin = [runs.read(run_id), *runs.audits(run_id)]
    going = [report.run_id for report in kin if report.state in OPEN]
    for each in going[:1] if kin[0].state in OPEN else going[::-1]:
        return runs.spec(each), FollowUps.stored(runs, each) or NO_FOLLOW_UPS
    for report in kin[::-1]:
        spec, follow_ups = runs.spec(report.run_id), FollowUps.stored(runs, report.run_id)
        if follow_ups and runs.light_row(spec.run_id)["follows"] == "due" and script_after(runs, spec, follow_ups):
            return spec, follow_ups
    return None


def script_after(runs: RunQueries, last: RunSpec, follow_ups: FollowUps) -> str:
    """The script that follows a run; empty after the last, and if the run was cut short or told to stop."""
    if runs.read(last.run_id).ending != "played":
        return ""
    if runs.light_row(last.run_id)["control"] == "cancel":  # in its last wave: the calls in flight completed it
        return ""
    return follow_ups.after(last)


def next_run(
    runs: RunQueries,
    last: RunSpec,
    follow_ups: FollowUps,
    environment: Mapping[str, str],
    prepare: Callable[[RunSpec], RunSpec],
) -> RunSpec | None:
    """The run that follows a finished one, with the rest of the cap; None if that was cut short or told to stop.

    An audit that is already on record is returned as it is, so interrupted follow-ups continue. One that was begun and
    failed is not begun again.
    """
    script = script_after(runs, last, follow_ups)
    if not script:
        return None
    due = runs.light_row(last.run_id)["follows"] == "due"
    first = runs.spec(last.judged) if last.judged else last
    if (found := on_record(runs, last, script)) or not due:
        return found
    request = follow_ups.judging_request.model_copy(update={"caps": left_after(runs, last)})
    if script == "evaluation":
        wanted = (follow_ups.evaluation or EvaluationRequest()).model_copy(update={"caps": request.caps})
        return prepare(evaluation_spec(first, runs.finished(first.run_id), wanted, environment))
    if script == "summary":
        return prepare(_summary(runs, first, last, request))
    return prepare(_drawn_up(runs, first, script, request, environment))


def left_after(runs: RunQueries, spec: RunSpec) -> Caps:
    """What remains of the caps of a finished run, for its follow-ups."""
    used = runs.read(spec.run_id)
    return spec.caps.after(money=round(used.spent * MICRO), tokens=used.tokens + used.tokens_held, calls=used.calls)


def on_record(runs: RunQueries, last: RunSpec, script: str) -> RunSpec | None:
    """An audit entered after a run: the latest that was played, else one that is still open."""
    since = [report for report in runs.audits(last.judged or last.run_id) if report.created_at >= last.created_at]
    audits = [report for report in since if report.protocol.partition("/")[0] == script]
    played = [report for report in audits if report.ending == "played"][::-1]
    going = [report for report in audits if report.state in OPEN]
    return next((runs.spec(report.run_id) for report in (*played, *going)), None)


def _summary(runs: RunQueries, first: RunSpec, judging: RunSpec, request: JudgingRequest) -> RunSpec:
    from .dossiers import judgement  # noqa: PLC0415  heavy

    return summary_spec(first, runs.finished(first.run_id), judging, judgement(runs, judging.run_id), request)


def _drawn_up(
    runs: RunQueries, first: RunSpec, script: str, request: JudgingRequest, environment: Mapping[str, str]
) -> RunSpec:
    judged = runs.finished(first.run_id)
    if script == "control":
        return control_spec(first, judged, request, environment, runs.read(first.run_id).tokens)
    return judging_spec(first, judged, request, environment)
