"""Debates: begun, listed, told to pause, taken up again, and forgotten."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from hustings.core.errors import Unsuitable
from hustings.run.people import cancel
from hustings.run.report import Report
from hustings.store.runs import Control
from hustings.store.states import State as RunState
from hustings.web import starting
from hustings.web.asking import questions_of
from hustings.web.guests import AGuest, Guest, RunId
from hustings.web.problems import Refused
from hustings.web.shapes import Begun, Forecast, NewDebate, NewFork, NewVerdict, Page, State

router = APIRouter(tags=["debates"])
Key = Annotated[str, Header(alias="Idempotency-Key", max_length=200, pattern=r"^[\x21-\x7e]*$")]
"""The same key with the same request leads to the same run."""


@router.post("/estimates")
async def estimate(guest: AGuest, body: NewDebate) -> Forecast:
    """What a debate would take; no call is made."""
    return await guest.house.heavily(lambda: starting.forecast(guest, body))


@router.post("/debates", status_code=202)
def begin(guest: AGuest, body: NewDebate, response: Response, key: Key = "") -> Begun:
    """Begin a debate, with what follows it."""
    return _begun(starting.begin(guest, body, key), response)


@router.get("/debates")
def debates(
    guest: AGuest,
    cursor: Annotated[str, Query(max_length=300)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    state: RunState | None = None,
    q: Annotated[str, Query(max_length=200, pattern=r"^[^\x00]*$")] = "",
) -> Page:
    """Debates, newest first."""
    found, following = guest.runs.page(cursor or None, limit, state, q)
    awaited = {report.run_id: tuple(q.seat for q in questions_of(guest.runs, report)) for report in found}
    return Page(debates=tuple(found), next=following, awaited={run: seats for run, seats in awaited.items() if seats})


@router.get("/debates/{run_id}")
def debate(guest: AGuest, run_id: RunId, *, blind: bool = False) -> State:
    """How a debate stands, and what follows it; `blind` without what judging found, for whoever is to judge it."""
    report = guest.run(run_id)
    if blind:
        report = report.model_copy(update={"outcome": None})
    return State(
        report=report,
        follows=tuple(guest.runs.audits(run_id)),
        questions=questions_of(guest.runs, report),
        viewable=report.state == "ended",
        votes=len(guest.runs.votes(run_id)),
    )


@router.delete("/debates/{run_id}", status_code=204)
def forget(guest: AGuest, run_id: RunId) -> None:
    """Delete a debate that is over, with its audits."""
    guest.debate(run_id)
    try:
        guest.service.control.forget(run_id)
    except Unsuitable:
        raise Refused(409, "It is not over.", fix="Stop it first, and what follows it.") from None


@router.post("/debates/{run_id}/pause", status_code=202)
def pause(guest: AGuest, run_id: RunId) -> Report:
    """Have it pause after the calls in flight."""
    return _steered(guest, run_id, "pause")


@router.post("/debates/{run_id}/resume", status_code=202)
def resume(guest: AGuest, run_id: RunId) -> Report:
    """Have it go on."""
    return _steered(guest, run_id, "go")


@router.post("/debates/{run_id}/cancel", status_code=202)
def stop(guest: AGuest, run_id: RunId) -> Report:
    """Stop it for good after the calls in flight."""
    guest.run(run_id)
    if not cancel(guest.service.control, run_id, by=guest.owner):
        raise _is_over()
    return guest.run(run_id)


@router.post("/debates/{run_id}/forks", status_code=202)
def fork(guest: AGuest, run_id: RunId, body: NewFork, response: Response, key: Key = "") -> Begun:
    """Have it again from a turn on; what was said before costs nothing."""
    guest.debate(run_id)
    return _begun(starting.again(guest, run_id, body, key), response)


@router.post("/debates/{run_id}/verdicts", status_code=202)
def judge(guest: AGuest, run_id: RunId, body: NewVerdict, response: Response, key: Key = "") -> Begun:
    """Have it judged once more."""
    _must_be_over(guest, run_id)
    return _begun(starting.judge(guest, run_id, body, key), response)


@router.post("/debates/{run_id}/estimates")
async def estimate_verdict(guest: AGuest, run_id: RunId, body: NewVerdict) -> Forecast:
    """What judging it once more would take; no call is made."""

    def foreseen() -> Forecast:
        _must_be_over(guest, run_id)
        return starting.forecast_verdict(guest, run_id, body)

    return await guest.house.heavily(foreseen)


def _must_be_over(guest: Guest, run_id: str) -> None:
    if guest.debate(run_id).state != "ended":
        raise Refused(409, "It is not over.", fix="Wait for its end, or stop it.")


def _begun(run_id: str, response: Response) -> Begun:
    response.headers["Location"] = f"/api/debates/{run_id}"
    return Begun(run_id=run_id)


def _steered(guest: Guest, run_id: str, control: Control) -> Report:
    guest.run(run_id)
    if not guest.service.control.steer(run_id, control, by=guest.owner):
        raise _is_over()
    return guest.run(run_id)


def _is_over() -> Refused:
    return Refused(409, "It is over, or was stopped.", fix="Begin a new one, or take it up again from a turn.")
