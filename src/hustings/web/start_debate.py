"""Starts, forks, judges and estimates debates from API requests; only allowed models are seated."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256

from pydantic import BaseModel, JsonValue, ValidationError

from hustings.config.plan_run import RunPlan, estimate_follow_ups, estimate_plan, plan_fork, plan_run, prepare_audit
from hustings.db.caps import MICRO
from hustings.db.run_rows import Conflict, RequestKey
from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.llm.model_spec import ModelSpec
from hustings.readers.document import brought
from hustings.runs.debate_fields import DebateFields
from hustings.runs.estimate import AT_WORST, EXPECTED, Estimate, Part
from hustings.runs.follow_ups import NO_FOLLOW_UPS, FollowUps
from hustings.runs.fork import fork
from hustings.runs.judging_spec import JudgingRequest, panel
from hustings.runs.registry import find_protocol
from hustings.runs.request import DebateRequest, model_specs_for
from hustings.runs.spec import RunSpec
from hustings.runs.staging import as_lists
from hustings.script.background import Background, title_of
from hustings.script.complaints import complaints, words_of_error
from hustings.script.debate import DebateSpec
from hustings.script.documents import DocumentText
from hustings.text.figures import limit_in_dollars

from .allowed_models import AllowedModels
from .problems import Refused
from .schemas import EstimateRow, Forecast, NewDebate, NewDocument, NewFork, NewVerdict
from .server_state import RequestContext


def begin(context: RequestContext, asked: NewDebate, key: str) -> str:
    """Record a debate with its follow-ups, and enqueue it for the workers; return its id."""
    return enter(context, plan(context, asked), claim_of(key, asked))


def plan(
    context: RequestContext, asked: NewDebate, *, external: str | None = None, for_estimate: bool = False
) -> RunPlan:
    """The run that a body asks for. Refuses models that this server does not offer."""
    return plan_run(
        request_of(asked, context.state.allowed_models),
        context.state.known,
        external=external,
        for_estimate=for_estimate,
        owner=context.owner,
    )


def again(context: RequestContext, run_id: str, asked: NewFork, key: str) -> str:
    """Fork a debate from a turn on; what followed it follows the fork, too."""
    old = context.runs.spec(run_id)
    _must_fit(old.debate.protocol, {**old.debate.settings, **asked.settings})
    try:
        players = other_models(context, old.debate, asked.seats)
        made = fork(context.runs, run_id, turn=asked.turn or "", settings=asked.settings, model_specs=players)
    except NotFound as error:
        raise Refused(422, error.what, fix=error.fix, fields=("turn",)) from None
    return enter(context, plan_like(context, old, made, asked.settings), claim_of(key, asked, run_id))


def plan_like(context: RequestContext, old: RunSpec, made: RunSpec, settings: Collection[str] = ()) -> RunPlan:
    """Check a run that was made from another one; what followed that one follows it, too."""
    follow_ups = follow_ups_like(context, old.run_id, made)
    return plan_fork(old, made, context.state.known, follow_ups, settings=settings)


def follow_ups_like(context: RequestContext, run_id: str, spec: RunSpec) -> FollowUps:
    """What was asked for with another debate; if that is not on record, judging, where a panel can be formed."""
    if stored := FollowUps.stored(context.runs, run_id):
        return stored
    try:
        panel(spec, JudgingRequest(), context.state.known)
    except Unsuitable:
        return NO_FOLLOW_UPS
    return FollowUps(JudgingRequest())


def other_models(context: RequestContext, debate: DebateSpec, seats: Mapping[str, str]) -> dict[str, ModelSpec]:
    """Models for those seats that change, among those that the server offers."""
    if not seats:
        return {}
    context.state.allowed_models.must_hold(seats.values(), "seats")
    named = tuple(seat for seat in debate.seats if seats.keys() & {seat.id, seat.team, seat.role})
    if seats.keys() - {name for seat in named for name in (seat.id, seat.team, seat.role)}:
        fix = f"choose from {', '.join(seat.id for seat in debate.seats)}"
        raise Refused(422, "There is no such seat.", fix=fix, fields=("seats",))
    request = DebateRequest(protocol=debate.protocol, question=debate.topic, seats=seats)
    changed = debate.model_copy(update={"seats": named})
    return model_specs_for(changed, request, context.state.known)


def judge(context: RequestContext, run_id: str, asked: NewVerdict, key: str) -> str:
    """Judge a finished debate again; return the id of the judging, or of the control before it."""
    follow_ups = _judged_by(asked.judges, context.state.allowed_models, control=asked.control)
    spec = prepare_audit(context.runs, run_id, follow_ups, context.state.known)
    return enter(context, RunPlan(spec, follow_ups, context.state.known), claim_of(key, asked, run_id))


def forecast(context: RequestContext, asked: NewDebate) -> Forecast:
    """Estimate a debate, expected and at worst; no model is called."""
    return forecast_of(estimate_plan(plan(context, asked, for_estimate=True)))


def forecast_verdict(context: RequestContext, run_id: str, asked: NewVerdict) -> Forecast:
    """Estimate another judging of a debate."""
    follow_ups = _judged_by(asked.judges, context.state.allowed_models, control=asked.control)
    return forecast_of(estimate_follow_ups(context.runs, run_id, follow_ups, context.state.known))


def forecast_of(found: Estimate) -> Forecast:
    total = _row("total", found)
    cap = None if found.cap is None else found.cap / MICRO
    within = found.free or (cap is not None and total.dollars is not None and total.dollars[1] <= cap)
    return Forecast(
        rows=tuple(_row(part.script, part) for part in found.parts),
        total=total,
        budget=cap,
        within=within,
        remarks=tuple(_remarks(found, within=within)),
    )


def enter(context: RequestContext, plan: RunPlan, claim: RequestKey | None) -> str:
    service = context.service
    spec = service.budgets.apply(plan.spec.model_copy(update={"owner": context.owner}))
    try:
        earlier = service.control.enter(spec, follow_ups=plan.follow_ups, claim=claim)
    except Conflict as error:
        raise Refused(409, error.what, fix=error.fix) from None
    return earlier or spec.run_id


def request_of(asked: NewDebate, allowed_models: AllowedModels) -> DebateRequest:
    """The request that a body stands for. Refuses models that this server does not offer."""
    allowed_models.must_hold([asked.model], "model", people=True)
    allowed_models.must_hold(asked.seats.values(), "seats", people=True)
    _judged_by(asked.judges, allowed_models)
    _must_fit(asked.protocol, asked.settings)
    fields = {name: getattr(asked, name) for name in DebateFields.model_fields}
    return DebateRequest(**fields, background=_document(asked.background), documents=tuple(_further(asked)))


def _document(asked: NewDocument | None) -> Background | None:
    if asked is None:
        return None
    try:
        return Background(title=asked.title.strip() or title_of(asked.text), text=asked.text)
    except ValidationError as error:
        raise Refused(422, "; ".join(complaints(error)), fields=("background",)) from None


def _further(asked: NewDebate) -> Iterator[DocumentText]:
    for one in asked.documents:
        try:
            yield brought(one.title, one.text, seats=one.seats, media=one.media)
        except BrokenFile as error:
            raise Refused(422, error.what, why=error.why, fix=error.fix, fields=("documents",)) from None


def _judged_by(
    judges: str | Sequence[str] | None, allowed_models: AllowedModels, *, control: bool = False
) -> FollowUps:
    """A judging by models that this server offers."""
    try:
        follow_ups = FollowUps.of(judges, control=control)
    except Unsuitable as error:
        raise Refused(422, error.what, fix=error.fix, fields=("judges",)) from None
    allowed_models.must_hold(follow_ups.judging_request.judges, "judges")
    return follow_ups


def _must_fit(name: str, settings: Mapping[str, JsonValue]) -> None:
    """Check the settings of a protocol; errors name the settings, and never repeat their values."""
    try:
        protocol = find_protocol(name)
    except NotFound as error:
        raise Refused(422, "Unknown protocol.", fix=error.fix, fields=("protocol",)) from None
    try:
        protocol.settings.model_validate(as_lists(protocol, settings))
    except ValidationError as error:
        wrong = {str(one["loc"][0]): words_of_error(one) for one in error.errors(include_input=False) if one["loc"]}
        known = {name: said for name, said in wrong.items() if name in protocol.settings.model_fields}
        raise Refused(
            422,
            "These settings don't work.",
            why="; ".join(f"{name}: {said}" for name, said in known.items()),
            fix=f"Set {', '.join(protocol.settings.model_fields) or 'nothing'}.",
            fields=tuple(f"settings.{name}" for name in known) or ("settings",),
        ) from None


def claim_of(key: str, asked: BaseModel, about: str = "") -> RequestKey | None:
    text = json.dumps([type(asked).__name__, about, asked.model_dump(mode="json")], sort_keys=True)
    return RequestKey(key, sha256(text.encode()).hexdigest()) if key else None


def _row(what: str, found: Estimate | Part) -> EstimateRow:
    expected, worst = found.expected, found.worst or found.expected
    unknown = expected.unpriced or worst.unpriced
    return EstimateRow(
        what=what,
        calls=(expected.calls, worst.calls),
        tokens=(expected.tokens, worst.tokens),
        dollars=None if unknown else (expected.money / MICRO, worst.money / MICRO),
    )


def _remarks(found: Estimate, *, within: bool) -> Iterator[str]:
    yield f"Estimate only. Nothing was sent. {EXPECTED}"
    yield AT_WORST
    if found.cap is not None and not within:
        yield f"The debate stops at your ${limit_in_dollars(found.cap / MICRO)}."
    rows = [row for part in found.parts for row in part.seats]
    if unknown := sorted({row.model for row in rows if row.paid == "unknown"}):
        yield f"No price known for {', '.join(unknown)}. Without a price it is not called."
