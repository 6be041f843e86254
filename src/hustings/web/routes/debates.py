"""Routes to start, list, pause, resume, cancel, fork, judge and delete debates."""

from __future__ import annotations

from typing import Annotated, TypeVar

from fastapi import APIRouter, Header, Query, Request, Response

from hustings.db.caps import OVER
from hustings.db.run_rows import Control
from hustings.errors import Unsuitable
from hustings.llm.model_spec import NO_MODEL
from hustings.runs.debate_rows import DebateRow, debate_rows, own_tags
from hustings.runs.open_calls import LiveRun, live_run
from hustings.runs.request import models_of_seats
from hustings.runs.run_summary import RunSummary
from hustings.web import start_debate
from hustings.web.etags import SAME, current, tag_of
from hustings.web.list_schemas import ListQuery, Page
from hustings.web.problems import Refused
from hustings.web.schemas import Begun, Forecast, NewDebate, NewFork, NewVerdict, Resumption, State
from hustings.web.server_state import Context, RequestContext, RunId

from .participation import questions_of

router = APIRouter(tags=["debates"])
LARGE = 1_000
"""Events of a debate of some 200 turns."""
Key = Annotated[str, Header(alias="Idempotency-Key", max_length=200, pattern=r"^[\x21-\x7e]*$")]
"""The same key with the same request returns the same run."""


@router.post("/estimates")
async def estimate(context: Context, body: NewDebate) -> Forecast:
    """Estimate a debate; no model is called."""
    return await context.state.heavily(lambda: start_debate.forecast(context, body))


@router.post("/debates", status_code=202)
def begin(context: Context, body: NewDebate, response: Response, key: Key = "") -> Begun:
    """Begin a debate with its follow-ups."""
    context.must_be_within_limits()
    return begun(start_debate.begin(context, body, key), response)


@router.get("/debates", response_model=Page, responses=SAME)
def debates(context: Context, asked: Annotated[ListQuery, Query()], request: Request) -> Response:
    """List debates, newest first or in another order."""
    found, following = debate_rows(context.runs, asked.cursor or None, asked.limit, asked.wanted)
    if context.access.role == "judge":
        found = [without_result(report) for report in found]
    awaited = {report.run_id: tuple(q.seat for q in questions_of(context.runs, report)) for report in found}
    page = Page(
        debates=tuple(found),
        next=following,
        awaited={run: seats for run, seats in awaited.items() if seats},
        tags=tuple(own_tags(context.runs)),
    )
    text = page.model_dump_json(by_alias=True)
    return current(request, tag_of([text]), lambda: Response(text, media_type="application/json"))


@router.get("/debates/{run_id}")
def debate(context: Context, run_id: RunId, *, blind: bool = False) -> State:
    """The state of a debate and its follow-ups; `blind` hides the outcome, for a person who is to judge it."""
    report = context.run(run_id)
    hidden = context.blind(run_id)
    if blind or hidden:
        report = without_result(report)
    seat = context.access.seat
    return State(
        report=report,
        follows=() if hidden else tuple(context.runs.audits(run_id)),
        questions=tuple(q for q in questions_of(context.runs, report) if seat in ("", q.seat)),
        live=_live(context, report),
        viewable=report.state == "ended",
        large=context.runs.light_row(run_id)["events"] > LARGE,
        votes=len(context.runs.votes(run_id)),
    )


@router.delete("/debates/{run_id}", status_code=204)
def forget(context: Context, run_id: RunId) -> None:
    """Delete a finished debate with its audits."""
    context.debate(run_id)
    try:
        context.service.control.forget(run_id)
    except Unsuitable:
        raise Refused(409, "The debate has not ended.", fix="Stop it and its judging first.") from None


@router.post("/debates/{run_id}/pause", status_code=202)
def pause(context: Context, run_id: RunId) -> RunSummary:
    """Pause a run after the calls in flight."""
    return _steered(context, run_id, "pause")


@router.post("/debates/{run_id}/resume", status_code=202)
def resume(context: Context, run_id: RunId, body: Resumption | None = None) -> RunSummary:
    """Resume a paused run; seats may get other models, or be left out."""
    context.run(run_id)
    context.service.control.allow_time(run_id, context.state.known)
    if body and (body.seats or body.without):
        context.state.allowed_models.must_hold(body.seats.values(), "seats")
        chosen = models_of_seats(context.runs.spec(run_id), body.seats, context.state.known)
        changed = {**chosen, **dict.fromkeys(body.without, NO_MODEL)}
        context.service.control.reseat(run_id, changed, by=context.owner)
    if not context.service.control.resume(run_id, by=context.owner):
        raise _is_over()
    return context.run(run_id)


@router.post("/debates/{run_id}/cancel", status_code=202)
def stop(context: Context, run_id: RunId) -> RunSummary:
    """Stop a run for good after the calls in flight."""
    context.run(run_id)
    if not context.service.control.steer(run_id, "cancel", by=context.owner):
        raise _is_over()
    return context.run(run_id)


@router.post("/debates/{run_id}/forks", status_code=202)
def fork(context: Context, run_id: RunId, body: NewFork, response: Response, key: Key = "") -> Begun:
    """Fork a debate from a turn on; earlier turns are reused and cost nothing."""
    context.debate(run_id)
    context.must_be_within_limits()
    return begun(start_debate.again(context, run_id, body, key), response)


@router.post("/debates/{run_id}/verdicts", status_code=202)
def judge(context: Context, run_id: RunId, body: NewVerdict, response: Response, key: Key = "") -> Begun:
    """Judge a finished debate again."""
    must_be_over(context, run_id)
    context.must_be_within_limits()
    return begun(start_debate.judge(context, run_id, body, key), response)


@router.post("/debates/{run_id}/estimates")
async def estimate_verdict(context: Context, run_id: RunId, body: NewVerdict) -> Forecast:
    """Estimate another judging of a debate; no model is called."""

    def foreseen() -> Forecast:
        must_be_over(context, run_id)
        return start_debate.forecast_verdict(context, run_id, body)

    return await context.state.heavily(foreseen)


def _live(context: RequestContext, report: RunSummary) -> LiveRun | None:
    """How the calls of a debate that goes on stand."""
    if report.state in OVER or report.judged:
        return None
    spec = context.runs.spec(report.run_id)
    rows = () if context.access.seat else context.runs.calls_of_wave(report.run_id)
    return live_run(spec, rows)


Report = TypeVar("Report", bound=RunSummary)


def without_result(report: Report) -> Report:
    """What a judge may see before the vote; a row of the list also hides how sure it is, and what its batch came to."""
    group = getattr(report, "group", None)
    hidden = {"sure": None, "group": group and group.model_copy(update={"outcomes": {}})}
    return report.model_copy(update={"outcome": None, **(hidden if isinstance(report, DebateRow) else {})})


def must_be_over(context: RequestContext, run_id: str) -> None:
    if context.debate(run_id).state != "ended":
        raise Refused(409, "The debate has not ended.", fix="Wait until it ends, or stop it.")


def begun(run_id: str, response: Response) -> Begun:
    response.headers["Location"] = f"/api/debates/{run_id}"
    return Begun(run_id=run_id)


def _steered(context: RequestContext, run_id: str, control: Control) -> RunSummary:
    context.run(run_id)
    if not context.service.control.steer(run_id, control, by=context.owner):
        raise _is_over()
    return context.run(run_id)


def _is_over() -> Refused:
    return Refused(409, "The debate has ended or was stopped.", fix="Start a new one, or branch it at a turn.")
