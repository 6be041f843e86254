"""Routes for the operator at this machine: what is configured, which keys are there, and whether all of it works."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter

from hustings.config.checkup import CheckResult
from hustings.config.doctor import call_models, check_models, examine
from hustings.config.settings_view import SettingsView, settings_view
from hustings.db.instants import instant
from hustings.web.own_schemas import Checkup, Finding
from hustings.web.server_state import Context, RequestContext

router = APIRouter(tags=["settings"])


@router.get("/settings")
def settings(context: Context) -> SettingsView:
    """What is configured and from where, for the operator; keys by their names only."""
    context.must_operate()
    state = context.state
    found = settings_view(state.setting.look(), state.setting.find())
    tried = state.keys_tried
    keys = tuple(
        key.model_copy(update={"checked": tried[key.name][0], "works": tried[key.name][1]})
        if key.name in tried
        else key
        for key in found.keys
    )
    return found.model_copy(update={"keys": keys})


@router.get("/checkup")
async def check(context: Context) -> Checkup:
    """Check the installation, as `hustings doctor` does, for the operator. No model is called."""
    context.must_operate()
    state = context.state
    return await state.heavily(lambda: _told(examine(state.setting.url, state.setting.find())))


@router.post("/checkup/calls")
async def call_each_model(context: Context) -> Checkup:
    """Call each configured model once, as `hustings doctor --online` does, for the operator. It may cost a little."""
    context.must_operate()
    context.must_be_within_limits()
    return await context.state.heavily(lambda: _called(context))


def _called(context: RequestContext) -> Checkup:
    state = context.state
    known = state.setting.look()
    models = check_models(state.setting.find(), known)
    answers, at = call_models(models.there, known), instant()
    state.keys_tried.update({spec.key: (at, found.state == "ok") for spec, found in answers if spec.key})
    return _told([*models.findings, *(found for _, found in answers)])


def _told(found: Iterable[CheckResult]) -> Checkup:
    findings = (Finding(state=one.state, about=one.about, said=one.said, fix=one.cure) for one in found)
    return Checkup(at=instant(), findings=tuple(findings))
