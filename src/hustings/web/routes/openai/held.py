"""Starts the debate that a client asks for, or finds the one that it asked for before; follows it to its answer."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import anyio
from starlette.concurrency import run_in_threadpool

from hustings.db.caps import OPEN
from hustings.db.instants import seconds_of
from hustings.db.run_rows import run_bound_to
from hustings.engine.run_control import OverLimit
from hustings.errors import NotFound
from hustings.report.markdown import plain
from hustings.report.recommendation import caveats, recommendation
from hustings.runs.dossiers import dossier
from hustings.runs.progress import DebateProgress, progress_of
from hustings.runs.queries import RunQueries
from hustings.transcript.events import CallPaid
from hustings.transcript.models import Turn
from hustings.web import start_debate
from hustings.web.problems import Refused
from hustings.web.server_state import RequestContext

from .asked import AskedDebate

AGAIN_SECONDS = 600.0
"""Seconds after the end of a debate for which the same messages lead to it: clients send a broken request again."""
POLL_SECONDS = 0.3
QUIET_SECONDS = 10.0
"""Seconds of silence after which a stream shows that it lives: proxies close silent lines."""
SAME = "the same messages were sent before, and this is their debate; send an Idempotency-Key for another one"
ENDED = {
    "played": "The debate was not judged",
    "failed": "The debate failed",
    "cancelled": "The debate was stopped",
    "budget_stopped": "The debate reached a limit",
}
ALIVE = ""
"""Yielded between turns after a silence."""


@dataclass(frozen=True)
class HeldDebate:
    run_id: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class TokenUse:
    """Known tokens of a debate and of what followed it."""

    read: int
    cached: int
    written: int


@dataclass(frozen=True)
class FinalAnswer:
    text: str
    used: TokenUse


def hold(context: RequestContext, asked: AskedDebate, key: str) -> HeldDebate:
    """Start a debate, or lead to the one that the same key or the same messages started."""
    try:
        if key:
            context.must_be_within_limits()
            return HeldDebate(start_debate.begin(context, asked.body(), key), asked.notes)
        return _unless_repeated(context, asked)
    except OverLimit as error:
        raise Refused(402, error.what, fix="Raise the limit (hustings db cap), or wait until debates end.") from None


def _unless_repeated(context: RequestContext, asked: AskedDebate) -> HeldDebate:
    """Keys are numbered: one whose debate is long over stays with it, and the next one is tried."""
    number = 0
    while True:
        key = f"same-messages:{asked.digest}:{number}"
        with context.runs.scoped.reading() as db:
            before = run_bound_to(db, context.owner, key)
        if before is None:
            context.must_be_within_limits()
            # If the same request has come in meanwhile, its debate is returned.
            return HeldDebate(start_debate.begin(context, asked.body(), key), asked.notes)
        if _is_recent(context.runs, before):
            return HeldDebate(before, (*asked.notes, SAME))
        number += 1


def _is_recent(runs: RunQueries, run_id: str) -> bool:
    """Whether a repeated request means this debate: it is open, or was played and has just ended."""
    try:
        seen = progress_of(runs, run_id)
    except NotFound:
        return False
    if seen.continues or seen.stopped or seen.report.state in OPEN:
        return True
    ends = [report.ended_at for report in (seen.report, *runs.audits(run_id)) if report.ended_at]
    return seen.report.ending == "played" and time.time() - max(map(seconds_of, ends)) < AGAIN_SECONDS


async def turns_of(context: RequestContext, run_id: str) -> AsyncGenerator[str]:
    """Each turn as it is entered, until debate and judging rest; `ALIVE` after a silence."""
    callers = f"owner:{context.owner}", f"address:{context.address}"
    seen: DebateProgress | None = None
    heard = time.monotonic()
    with context.state.counted_stream(context.credential, *callers):
        while await context.state.still_knows(context.credential):
            seen = await run_in_threadpool(progress_of, context.runs, run_id, seen)
            for turn in seen.new:
                heard = time.monotonic()
                yield _spoken(turn)
            if not seen.continues:
                return
            if time.monotonic() - heard >= QUIET_SECONDS:
                heard = time.monotonic()
                yield ALIVE
            await anyio.sleep(POLL_SECONDS)
    raise Refused(401, "Your access token is no longer valid.", fix="Ask the operator for another one.")


def _spoken(turn: Turn) -> str:
    said = "\n".join(plain(line) for line in turn.said.splitlines()) or "No usable answer."
    return f"**{plain(turn.speaker_id)}** ({plain(turn.turn_id)})\n{said}\n\n"


async def final_answer(context: RequestContext, run_id: str) -> FinalAnswer:
    return await context.state.heavily(lambda: _final(context.runs, run_id))


def _final(runs: RunQueries, run_id: str) -> FinalAnswer:
    report = runs.read(run_id)
    found = dossier(runs, run_id) if report.state == "ended" else None
    judged = found.judgement if found else None
    lines = [*recommendation(judged)] if judged else [_unjudged(runs, run_id)]
    lines = [plain(line) for line in lines]
    if judged and (weak := caveats(judged)):
        lines += ["", f"Limits of this result ({len(weak)}):", *(f"- {plain(caveat)}" for caveat in weak)]
    cost = f" {found.cost}." if found and found.cost else ""
    return FinalAnswer("\n".join((*lines, "", f"Debate {run_id}.{cost}")), _used(runs, run_id))


def _unjudged(runs: RunQueries, run_id: str) -> str:
    seen = progress_of(runs, run_id)
    why = f": {(seen.stopped or seen.report).reason}" if (seen.stopped or seen.report).reason else ""
    if seen.stopped or seen.report.state in OPEN:
        return f"No verdict yet. The debate is paused{why}. Resume it: hustings resume {run_id}"
    return f"No verdict. {ENDED.get(seen.report.ending, 'The debate broke off')}{why}."


def _used(runs: RunQueries, run_id: str) -> TokenUse:
    kin = (run_id, *(audit.run_id for audit in runs.audits(run_id)))
    paid = [event for run in kin for event in runs.events(run) if isinstance(event, CallPaid)]
    return TokenUse(
        read=sum(event.tokens_in or 0 for event in paid),
        cached=sum(event.tokens_cached or 0 for event in paid),
        written=sum(event.tokens_out or 0 for event in paid),
    )
