"""What each tool does. Only calls load this module: it needs the database and the engine."""

from __future__ import annotations

import re
import time
from typing import Protocol
from urllib.parse import unquote

import anyio
from anyio.to_thread import run_sync

from hustings.db.caps import OPEN, OVER
from hustings.db.listing import DebateFilter
from hustings.engine.hosting import enter
from hustings.errors import NotFound, Unsuitable
from hustings.runs.debate_rows import debate_rows
from hustings.runs.dossiers import rendered
from hustings.runs.progress import DebateProgress, progress_of
from hustings.runs.registry import find_export

from .caller import Caller
from .debate_words import marked, new_marks, next_call, result_call, result_text, stands, turns_so_far, wait_call
from .hosting_tools import next_questions, take_answer
from .shapes import (
    MOST_FOUND,
    AnswerArguments,
    DebateAnswer,
    EarlierDebate,
    FindArguments,
    FoundAnswer,
    NextArguments,
    ResultArguments,
    StartArguments,
    SteerArguments,
    ToolAnswer,
    ToolArguments,
    WaitArguments,
)

POLL_SECONDS = 0.5
"""Seconds between two looks at a debate that is waited for."""
RESOURCE = re.compile(r"debate://([^/]+)/([^/]+)")


class ReportProgress(Protocol):
    async def __call__(self, progress: float, total: float | None = None, message: str | None = None) -> None: ...


async def answer_tool(caller: Caller, report: ReportProgress, asked: ToolArguments) -> ToolAnswer:
    match asked:
        case StartArguments():
            return await run_sync(_start, caller, asked)
        case WaitArguments():
            return await _wait(caller, report, asked)
        case ResultArguments():
            return await caller.heavily(lambda: _result(caller, asked))
        case FindArguments():
            return await run_sync(_find, caller, asked)
        case SteerArguments():
            return await run_sync(_steer, caller, asked)
        case NextArguments():
            return await caller.heavily(lambda: next_questions(caller, asked))
        case AnswerArguments():
            return await caller.heavily(lambda: take_answer(caller, asked))
        case _:
            raise AssertionError(type(asked).__name__)


async def read_resource(caller: Caller, uri: str) -> str:
    """A finished debate in a format, between marks like every answer: the reader is a model, too."""
    found = RESOURCE.fullmatch(uri)
    if found is None:
        raise NotFound(f"no resource {uri!r}", fix="read debate://RUN/md, or another format")
    name, form = map(unquote, found.groups())

    def render() -> str:
        run_id = _debate(caller, "debate_result", name)
        export = find_export(form)
        if (state := caller.service.runs.read(run_id).state) not in OVER:
            raise Unsuitable(f"{run_id!r} has not ended (it is {state})", fix=f"first {_small(wait_call(run_id))}")
        return marked(new_marks(), f"{form} of {run_id}", rendered(caller.service.runs, run_id, export))

    return await caller.heavily(render)


def _start(caller: Caller, asked: StartArguments) -> DebateAnswer:
    caller.must_be_permitted("debate_start")
    plan, service = caller.plan(asked), caller.service
    run_id = plan.spec.run_id
    if asked.brain == "you":
        enter(service, plan.spec)
        first = f"You play every seat. Get the first questions: {next_call(run_id)}"
        return DebateAnswer(run_id=run_id, state="running", spent_usd=None, next=first)
    service.control.enter(service.budgets.apply(plan.spec), follow_ups=plan.follow_ups)
    return DebateAnswer(run_id=run_id, state="waiting", next=f"It runs by itself. {wait_call(run_id)}")


async def _wait(caller: Caller, report: ReportProgress, asked: WaitArguments) -> DebateAnswer:
    """Look again and again until the debate rests or the time is up; tell what changed meanwhile."""
    until = time.monotonic() + asked.seconds
    run_id = await run_sync(_debate, caller, "debate_wait", asked.run_id)
    told, count, seen = "", 0, None
    with caller.waiting():
        while True:
            seen = await run_sync(progress_of, caller.service.runs, run_id, seen)
            if (said := turns_so_far(seen)) != told:
                told, count = said, count + 1
                await report(count, None, said)
            left = until - time.monotonic()
            if not seen.continues or left <= 0:
                break
            await anyio.sleep(min(POLL_SECONDS, left))
    return await caller.heavily(lambda found=seen: stands(caller.service, found))


def _result(caller: Caller, asked: ResultArguments) -> str:
    run_id = _debate(caller, "debate_result", asked.run_id)
    return result_text(caller.service, progress_of(caller.service.runs, run_id), asked.part)


def _find(caller: Caller, asked: FindArguments) -> FoundAnswer:
    caller.must_be_permitted("debate_find")
    reports, _ = debate_rows(caller.service.runs, None, MOST_FOUND, DebateFilter(query=asked.words))
    marks = new_marks()
    found = tuple(
        EarlierDebate(
            run_id=report.run_id,
            state=report.state,
            outcome=report.outcome.kind if report.outcome else "",
            motion=marked(marks, "motion", report.topic),
        )
        for report in reports
    )
    if not found:
        return FoundAnswer(debates=(), next="Nothing was found. Start one: debate_start(question=…)")
    return FoundAnswer(
        debates=found,
        next=f"Read one that fits: {result_call(found[0].run_id, 'briefing')}. Or start one: debate_start(question=…)",
    )


def _steer(caller: Caller, asked: SteerArguments) -> DebateAnswer:
    run_id = _debate(caller, "debate_steer", asked.run_id)
    service = caller.service
    control, seen = service.control, progress_of(service.runs, run_id)
    target = _target(caller, seen)
    match asked.what:
        case "pause":
            done = target and control.steer(target, "pause")
        case "resume":
            # No worker can carry out what the caller plays, so it is in no queue.
            done = target and (control.steer(target, "go") if seen.report.hosted else control.resume(target))
        case "stop":
            done = target and control.steer(target, "cancel")
    if not done:
        raise Unsuitable(f"{run_id!r} is over or was stopped", fix=f"read it: {result_call(run_id, 'briefing')}")
    return stands(service, progress_of(service.runs, run_id))


def _target(caller: Caller, seen: DebateProgress) -> str:
    """The run to steer: the debate, or the one that follows it; empty if none is open."""
    kin = (seen.report, *caller.service.runs.audits(seen.report.run_id))
    return next((report.run_id for report in kin if report.state in OPEN), "")


def _debate(caller: Caller, tool: str, name: str) -> str:
    """The id of the debate that is meant. A judging stands for its debate."""
    caller.must_be_permitted(tool, name)
    runs = caller.service.runs
    try:
        report = runs.read(runs.find(name))
    except NotFound:
        raise NotFound(f"no debate {name!r}", fix="find it: debate_find(words=…)") from None
    run_id = report.judged or report.run_id
    caller.must_be_permitted(tool, run_id)
    return run_id


def _small(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]
