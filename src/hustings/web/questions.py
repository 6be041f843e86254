"""Open questions to people, as the frontend needs them: task, readable turns, and form of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from hustings.db.states import OVER
from hustings.engine.people import questions
from hustings.runs.queries import RunQueries
from hustings.runs.summary import RunSummary
from hustings.script.calls import Call
from hustings.script.forms import schema_of
from hustings.transcript.events import TurnEntered

from .schemas import Question


def questions_of(runs: RunQueries, report: RunSummary) -> tuple[Question, ...]:
    """Open questions of a debate; empty if it is over or no person has a seat in it."""
    if report.state in OVER or not _people(runs, report.run_id):
        return ()
    waiting = questions(runs, report.run_id)
    since = _latest(runs, report) if waiting else ""
    return tuple(_question(call, since) for call in waiting)


def _people(runs: RunQueries, run_id: str) -> bool:
    return any(player.model == "human" for player in runs.spec(run_id).debate.cast.values())


def _latest(runs: RunQueries, report: RunSummary) -> str:
    """When the question was asked: at the last turn, or at the start of the debate."""
    said = [e.turn.attempts[-1].timestamp for e in runs.events(report.run_id) if isinstance(e, TurnEntered)]
    return max([report.created_at, *said])


def offering(schema: Mapping[str, Any], choices: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """Add the allowed values to the fields of a form, where known; a seat's own new ids are free to choose."""
    offered = choices.get(schema.get("x-choice", ""))
    more = {"enum": [*offered]} if offered and schema["x-choice"] != "own" else {}
    return {name: _deeper(part, choices) for name, part in schema.items()} | more


def _deeper(part: Any, choices: Mapping[str, tuple[str, ...]]) -> Any:
    match part:
        case dict():
            return offering(cast("dict[str, Any]", part), choices)
        case list():
            return [_deeper(one, choices) for one in cast("list[Any]", part)]
        case _:
            return part


def _question(call: Call, since: str) -> Question:
    brief = call.brief
    return Question(
        seat=call.seat.id,
        key=call.key,
        brief=brief.name,
        task="\n\n".join([brief.text, *call.instructions]),
        words=brief.words,
        seconds=brief.seconds,
        since=since,
        until=None,
        form=None if brief.form.prose else offering(schema_of(brief.form), brief.choices),
        readable=tuple(turn.turn_id for turn in call.knowledge.turns),
    )
