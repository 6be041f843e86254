"""Handles the attempts at one question: checks each reply, sends it back with complaints, or records it.

With retries, an answer that breaks its form or a rule goes back to the seat; after the last attempt the turn is lost.
Without retries, every answer stands: a broken rule becomes a `violation` note, an answer that fits no form an
`unparsed` one. Notes are off the record, so a seat may always correct one once. No answer is lost for a preference: if
no better one comes, the last that could be used stands. A seat that declines is never asked again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from hustings.errors import Malformed, OutOfOrder, SeatError
from hustings.transcript.events import AttemptRejected
from hustings.transcript.models import (
    AppliedIntervention,
    Attempt,
    AttemptStatus,
    Diagnostics,
    Intervention,
    TurnOutcome,
)
from hustings.transcript.notes import RULES, Subject

from .calls import NONE_SENT, Fault, Reply, Sampling
from .complaints import Unfit
from .examples import copied
from .forms import MAX_ANSWER, Form, Link, marked, read
from .moves import Ask, Brief
from .recorder import NewTurn, Recorder
from .visibility import Knowledge

_FAULTS: dict[Fault, str] = {
    "refused": "the seat declined to answer",
    "filtered": "the answer was withheld by a content filter",
    "truncated": "the answer broke off before its end; make it shorter",
    "empty": "the answer is empty",
}


@dataclass(frozen=True)
class Weighed:
    """An answer and what is wrong with it; without an answer if it did not fit the form."""

    answer: Form | None
    complaints: tuple[str, ...] = ()
    error_type: str = ""
    """As the transcript calls it: form, rule, refused, filtered, truncated, empty."""
    preferences: tuple[str, ...] = ()
    """What would be better about it, if nothing is wrong."""
    left_out: tuple[str, ...] = ()
    """What of the reply its form does not ask for."""


def legible(reply: Reply) -> Reply:
    """Make a reply fit to store and show: escape lone surrogates, and cut what is too long."""
    text = reply.text.encode("utf-8", "backslashreplace").decode()
    if len(text) <= MAX_ANSWER:
        return reply if text == reply.text else replace(reply, text=text)
    return replace(reply, text=text[:MAX_ANSWER], fault="truncated")


def weigh(brief: Brief[Any], reply: Reply) -> Weighed:
    if reply.fault is not None:
        return Weighed(None, (_FAULTS[reply.fault],), reply.fault)
    if not reply.text.strip():
        return Weighed(None, (_FAULTS["empty"],), "empty")
    try:
        reading = read(brief.form, reply.text)
    except Unfit as unfit:
        return Weighed(None, unfit.complaints, "form")
    answer: Form = reading.answer
    broken = (
        *not_offered(brief, answer),
        *copied(brief.example, answer),
        *(c for check in brief.checks for c in check(answer)),
    )
    preferences = () if broken else tuple(c for prefer in brief.preferences for c in prefer(answer))
    return Weighed(answer, broken, "rule" if broken else "", preferences, reading.left_out)


def not_offered(brief: Brief[Any], answer: Form) -> Iterator[str]:
    """Complaints about choices that the brief does not offer; new ids must have the right prefix."""
    for kind, value in marked(answer, "x-choice"):
        offered = brief.choices.get(kind)
        if offered is None or value in offered:
            continue
        if kind != "own":
            yield f"{value!r} is none of the {kind}s you may name: {', '.join(offered) or 'there are none'}"
        elif not any(re.fullmatch(rf"{re.escape(prefix)}-[1-9][0-9]{{0,3}}", value) for prefix in offered):
            yield f"{value!r} is no id for an argument of yours: use {offered[0]}-1, {offered[0]}-2 and so on"


REPAIRS = 1
"""Further attempts at a note, whatever the debate allows for turns."""
FINAL = ("refused", "filtered")
"""A seat that declines is not asked again: that would be paid twice, and would press the seat."""
SHOWN_AGAIN = 4_000
"""Characters of a rejected answer that go back to its seat with the complaint."""


@dataclass(frozen=True)
class Usable:
    """An answer that went back only to be made better: it stands if no better one comes."""

    weighed: Weighed
    attempt: int


@dataclass
class Pending:
    """A question that waits for its answer. What its seat knows is fixed when it is first asked."""

    ask: Ask[Any]
    asked: int
    """The wave in which it was first asked."""
    knowledge: Knowledge
    attempts: list[Attempt] = field(default_factory=list[Attempt])
    complaints: tuple[str, ...] = ()
    rejected: str = ""
    interventions: list[Intervention] = field(default_factory=list[Intervention])
    outcome: Form | SeatError | None = None
    error_type: str = ""
    player: str = ""
    """Label of the model that made the latest attempts, and before which attempt it took the seat."""
    since: int = 0
    model: str = ""
    sampling: Sampling = NONE_SENT
    address: str = ""
    """Address of its latest attempt."""
    usable: Usable | None = None
    left_out: tuple[str, ...] = ()
    """What of its latest answer was left out."""


# -- a reply comes in --------------------------------------------------------------------


def take(pending: Pending, reply: Reply | SeatError, recorder: Recorder, *, floor: str, retries: int) -> None:
    """Validate a reply: it settles the question, or goes back to the seat with the reason."""
    if isinstance(reply, SeatError):
        _no_reply(pending, reply, recorder, floor=floor, retries=retries)
        return
    reply = legible(reply)
    at = max(reply.at, floor)
    recorder.now = max(recorder.now, at)
    pending.model, pending.sampling = reply.model, reply.sampling
    weighed = weigh(pending.ask.brief, reply)
    on_record = pending.ask.on_record
    more = _may_try_again(pending, reply, retries) and weighed.error_type not in FINAL
    if reply.player != pending.player:
        pending.player, pending.since = reply.player, len(pending.attempts)
    posthoc = on_record and not retries
    if weighed.preferences and more and (on_record or not pending.attempts):
        pending.usable = Usable(weighed, len(pending.attempts))
        weighed = Weighed(None, weighed.preferences, "rule")
    stands = pending.usable if weighed.error_type and not more else None
    pending.complaints, pending.error_type = weighed.complaints, weighed.error_type
    pending.left_out = weighed.left_out
    again = more or stands is not None
    status: AttemptStatus = "ok" if not weighed.error_type or posthoc else "retry" if again else "failed"
    attempt = _attempt(pending, reply, status, weighed.complaints, at)
    pending.attempts.append(attempt)
    if stands is not None:
        _let_stand(pending, stands, recorder)
    elif status == "retry":
        pending.rejected = reply.text[:SHOWN_AGAIN]
        _reject(pending, recorder)
    else:
        pending.outcome = _outcome(pending, weighed, posthoc=posthoc)


def _may_try_again(pending: Pending, reply: Reply, retries: int) -> bool:
    allowed = retries if pending.ask.on_record else max(retries, REPAIRS)
    since = pending.since if reply.player == pending.player else len(pending.attempts)
    return len(pending.attempts) - since < allowed


def unusable(pending: Pending, reply: Reply | SeatError, retries: int) -> tuple[str, ...]:
    """Complaints about a reply that cannot be used, if it is the last that its seat may give; else empty."""
    ask = pending.ask
    if isinstance(reply, SeatError) or reply.fault in FINAL or ask.brief.optional:
        return ()
    if (ask.on_record and not retries) or pending.usable or _may_try_again(pending, reply, retries):
        return ()
    return weigh(ask.brief, legible(reply)).complaints


def _no_reply(pending: Pending, error: SeatError, recorder: Recorder, *, floor: str, retries: int) -> None:
    pending.error_type, stands = "timeout", pending.usable
    if pending.ask.on_record and retries:
        status: AttemptStatus = "failed" if stands is None else "retry"
        pending.complaints = (f"no answer came: {error}",)
        pending.attempts.append(_attempt(pending, Reply("", floor), status, pending.complaints))
    if stands is None:
        pending.outcome = error
    else:
        _let_stand(pending, stands, recorder)


def _let_stand(pending: Pending, usable: Usable, recorder: Recorder) -> None:
    """An answer stands after all. On the record it is entered once more, as attempts end in the one that counts."""
    if pending.ask.on_record:
        _reject(pending, recorder)
        told = Diagnostics(error_message=f"attempt {usable.attempt + 1} stands, as no better answer came")
        change = {"attempt_index": len(pending.attempts), "timestamp": pending.attempts[-1].timestamp, "status": "ok"}
        again = pending.attempts[usable.attempt].model_copy(update={**change, "diagnostics": told})
        pending.attempts.append(again)
    pending.outcome, pending.error_type, pending.complaints = usable.weighed.answer, "", ()


def _reject(pending: Pending, recorder: Recorder) -> None:
    ask, attempt = pending.ask, pending.attempts[-1]
    recorder.emit(
        AttemptRejected(
            address=pending.address,
            seat=ask.seat.id,
            brief=ask.brief.name,
            on_record=ask.on_record,
            attempt=attempt,
            complaints=pending.complaints,
        )
    )


def _outcome(pending: Pending, weighed: Weighed, *, posthoc: bool) -> Form | SeatError:
    if weighed.answer is not None and (posthoc or not weighed.complaints):
        return weighed.answer
    error = Malformed if weighed.answer is None else OutOfOrder
    return error(f"{pending.ask.seat} {pending.ask.brief.name!r}: {'; '.join(weighed.complaints)}")


def _attempt(
    pending: Pending, reply: Reply, status: AttemptStatus, complaints: tuple[str, ...], at: str | None = None
) -> Attempt:
    applied = [AppliedIntervention(intervention_id=i.intervention_id) for i in pending.interventions]
    trouble = bool(complaints) and status != "ok"
    message = "; ".join(complaints) if trouble else _words_left_out(pending.left_out) if status == "ok" else ""
    diagnostics = Diagnostics(
        error_type=pending.error_type if trouble else None,
        error_message=message or None,
        truncated=True if reply.fault == "truncated" else None,
        token_usage_prompt=reply.tokens_in,
        token_usage_completion=reply.tokens_out,
        latency_ms=reply.latency_ms,
    )
    return Attempt(
        attempt_index=len(pending.attempts),
        timestamp=at or reply.at,
        status=status,
        content=reply.text,
        reasoning_trace=reply.reasoning or None,
        interventions_applied=applied or None,
        diagnostics=diagnostics if diagnostics.model_dump(exclude_none=True) else None,
    )


def _words_left_out(left_out: tuple[str, ...]) -> str:
    return f"left out: {'; '.join(left_out)}" if left_out else ""


# -- a settled question goes on record ---------------------------------------------------


def conclude(pending: Pending, recorder: Recorder) -> Form:
    """Record the answer and what follows from it; raise the error of a seat that gave no usable answer."""
    outcome = pending.outcome
    assert outcome is not None  # noqa: S101 - the driver resumes a line when all it asked is settled
    on_record, answer = pending.ask.on_record, outcome if isinstance(outcome, Form) else None
    if on_record:
        _enter_turn(pending, recorder, answer)
    elif answer is not None:
        _take_note(pending, recorder, answer)
    else:
        recorder.note("failure", RULES, _trouble(pending), after=_last_known(pending))
    if isinstance(outcome, SeatError):
        raise outcome
    return outcome


def _enter_turn(pending: Pending, recorder: Recorder, answer: Form | None) -> None:
    ask, brief, attempts = pending.ask, pending.ask.brief, pending.attempts
    if isinstance(pending.outcome, SeatError) and pending.error_type == "timeout":
        recorder.miss(ask.seat.id, str(pending.outcome))
    if not attempts:
        return
    if attempts[-1].status == "ok" and not attempts[-1].content.strip():
        recorder.miss(ask.seat.id, "; ".join(pending.complaints))
        recorder.note("unparsed", RULES, _trouble(pending), after=_last_known(pending))
        return
    if answer is not None and (words := answer.said()) != attempts[-1].content:
        attempts = [*attempts[:-1], attempts[-1].model_copy(update={"final_answer": words})]
    outcome: TurnOutcome = "success" if attempts[-1].status == "ok" else _lost(pending)
    entry = NewTurn(
        ask.seat.id,
        brief.name,
        brief.turn_type,
        attempts,
        pending.asked,
        pending.knowledge,
        ask.readers,
        _links(pending, answer),
        pending.model,
        outcome,
        pending.address,
        brief.words,
        pending.sampling,
    )
    turn = recorder.enter(entry)
    about = [Subject(turn_id=turn.turn_id)]
    if answer is not None:
        recorder.mint(answer.claims(), turn)
        if not brief.form.prose:
            recorder.note("form", RULES, answer.model_dump(mode="json"), about=about, after=turn.turn_id)
        if points := answer.puts_forward():
            body: dict[str, Any] = {"points": [point.noted() for point in points]}
            recorder.note("points", RULES, body, about=about, after=turn.turn_id)
    if outcome == "success" and pending.complaints:
        kind = "unparsed" if answer is None else "violation"
        recorder.note(kind, RULES, _trouble(pending), about=about, after=turn.turn_id)
    _remark(pending, recorder, answer, about, turn.turn_id)


def _take_note(pending: Pending, recorder: Recorder, answer: Form) -> None:
    ask, after = pending.ask, _last_known(pending)
    edges = recorder.addresses(_links(pending, answer), pending.knowledge)
    about = [Subject(turn_id=e.target_turn_id, claim_id=e.target_claim_id) for e in edges]
    readers = sorted(ask.readers or ())
    body = answer.model_dump(mode="json")
    recorder.note(ask.brief.name, ask.seat.id, body, about=about, visible_to=readers, after=after)
    if pending.left_out:
        # A note has no attempts in the record that could say so.
        left_out: dict[str, Any] = {"seat": ask.seat.id, "brief": ask.brief.name, "left_out": list(pending.left_out)}
        recorder.note("left_out", RULES, left_out, about=about, after=after)
    _remark(pending, recorder, answer, about, after)


def _remark(pending: Pending, recorder: Recorder, answer: Form | None, about: list[Subject], after: str | None) -> None:
    if answer is not None:
        for observer in pending.ask.brief.observers:
            for remark in observer(answer):
                recorder.note(remark.kind, RULES, remark.body, about=about, after=after)


def _links(pending: Pending, answer: Form | None) -> list[Link]:
    if answer is None:
        return []
    return [*answer.links(), *(link for linker in pending.ask.brief.linkers for link in linker(answer))]


def _trouble(pending: Pending) -> dict[str, Any]:
    body: dict[str, Any] = {"seat": pending.ask.seat.id, "brief": pending.ask.brief.name, "why": pending.error_type}
    if isinstance(pending.outcome, SeatError):
        body["error"] = str(pending.outcome)
    return body | {"complaints": list(pending.complaints)}


def _last_known(pending: Pending) -> str | None:
    known = pending.knowledge.turns
    return known[-1].turn_id if known else None


def _lost(pending: Pending) -> TurnOutcome:
    return "timeout" if pending.error_type == "timeout" else "error"
