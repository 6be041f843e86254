"""Routes about an owner's own things: what debates have cost, saved panels, and questions that wait for people."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query

from hustings.db.instants import instant_of
from hustings.db.listing import asking_people
from hustings.db.saved_panels import keep_panel, panels_of, remove_panel
from hustings.errors import Unsuitable
from hustings.runs.costs import Costs, costs_by_owner, costs_of
from hustings.web.own_schemas import AwaitedDebate, AwaitedList, NewPanel, PanelList, PanelName
from hustings.web.problems import Refused
from hustings.web.server_state import Context, RequestContext

from .participation import questions_of

router = APIRouter(tags=["account"])
MOST_PANELS, LONGEST_PANEL = 100, 20_000
MOST_AWAITED = 50
"""Debates that are looked through for questions to people, the newest first."""


@router.get("/costs")
async def costs(context: Context, since: Annotated[str, Query(max_length=20)] = "") -> Costs:
    """What the caller's debates have cost, with their audits. `since` is 12h, 30d, 2w or a day; empty: ever."""
    return await context.state.heavily(lambda: _costs(context, since))


def _costs(context: RequestContext, since: str) -> Costs:
    try:
        begin = instant_of(since, datetime.now(UTC)) if since else ""
    except Unsuitable as error:
        raise Refused(422, "Unknown time.", fix=error.fix, fields=("since",)) from None
    found = costs_of(context.runs, context.owner, begin)
    if not context.operates:
        return found
    return found.model_copy(update={"owners": costs_by_owner(context.state.operator.runs, begin)})


@router.get("/panels")
def saved_panels(context: Context) -> PanelList:
    """Panels that the owner has saved."""
    with context.runs.scoped.reading() as db:
        found = panels_of(db, context.owner)
    return PanelList(panels=tuple(NewPanel.model_validate_json(body) for body in found.values()))


@router.post("/panels", status_code=201)
def save_panel(context: Context, body: NewPanel) -> PanelList:
    """Save a panel under its name."""
    text = json.dumps(body.model_dump(mode="json"))
    if len(text) > LONGEST_PANEL:
        raise Refused(422, "The panel is too long.", fix="Save fewer settings.", fields=("settings",))
    with context.runs.scoped.writing() as db:
        others = panels_of(db, context.owner).keys() - {body.name}
        if len(others) >= MOST_PANELS:
            raise Refused(409, f"There are {MOST_PANELS} panels already.", fix="Delete one of them first.")
        keep_panel(db, context.owner, body.name, text)
    return saved_panels(context)


@router.delete("/panels", status_code=204)
def forget_panel(context: Context, name: Annotated[PanelName, Query()]) -> None:
    """Delete a saved panel."""
    with context.runs.scoped.writing() as db:
        if not remove_panel(db, context.owner, name):
            raise Refused(404, "There is no such panel.", fix="See the list of panels.")


@router.get("/awaited")
def awaited(context: Context) -> AwaitedList:
    """Debates that wait for people."""
    with context.runs.scoped.reading() as db:
        ids = asking_people(db, context.owner, MOST_AWAITED)
    found: list[AwaitedDebate] = []
    for run_id in ids:
        report = context.runs.read(run_id)
        if asked := questions_of(context.runs, report):
            seats, keys = tuple(one.seat for one in asked), tuple(one.key for one in asked)
            found.append(AwaitedDebate(run_id=run_id, topic=report.topic, seats=seats, keys=keys))
    return AwaitedList(debates=tuple(found))
