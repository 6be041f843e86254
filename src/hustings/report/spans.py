"""Spans of a debate and its follow-ups, folded from their logs: one trace, without a word of what was said.

Ids are derived from the run and the place of a call in it, so every fold of the same logs gives the same spans. The id
of a run has words of its question, and is not told. What is unknown, such as tokens that a provider did not report, is
left out and never 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from pydantic import AwareDatetime, TypeAdapter, ValidationError

from hustings.judging.dossier import Dossier, RunLog
from hustings.judging.judgement import Judgement
from hustings.transcript.events import CallPaid, CallTry, DebateStarted, RoundOpened, TurnEntered
from hustings.transcript.models import Transcript
from hustings.transcript.notes import Played

Value = str | int | float
Attributes = Mapping[str, Value]
LONGEST_NAME = 100
"""Characters of a model's name: a server reports any name it likes."""
NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
"""The name of a script."""
_TIME: TypeAdapter[AwareDatetime] = TypeAdapter(AwareDatetime)


@dataclass(frozen=True)
class SpanEvent:
    name: str
    at: int
    attributes: Attributes


@dataclass(frozen=True)
class Span:
    """One piece of work; times in nanoseconds since 1970."""

    trace: str
    id: str
    parent: str
    name: str
    start: int
    end: int
    attributes: Attributes
    events: tuple[SpanEvent, ...] = ()
    client: bool = False
    """Whether it is a request to another machine."""

    @property
    def failed(self) -> bool:
        return "error.type" in self.attributes


def spans_of(dossier: Dossier) -> list[Span]:
    """The debate first, then all below it; without logs, the debate alone."""
    transcript = dossier.proceedings.transcript
    trace = _Trace(_derived(16, transcript.run_id))
    ended = dossier.proceedings.ending
    told: dict[str, Value] = {"hustings.ending": ended.kind}
    told |= {} if isinstance(ended, Played) else {"error.type": ended.kind}
    logs = dossier.logs or (RunLog(what="debate", events=(DebateStarted(header=transcript),)),)
    found: list[Span] = []
    for log in logs:
        root, *below = _spans_of_log(trace, log, parent=found[0].id if found else "")
        if not found:
            outcome = {"hustings.outcome": dossier.judgement.outcome.kind} if dossier.judgement else {}
            root = replace(root, attributes={**root.attributes, **told, **outcome}, events=_own_verdict(dossier, root))
        elif log.what == "judging" and dossier.judgement:
            root = replace(root, events=tuple(_evaluated(dossier.judgement, root.end)))
        found += [root, *below]
    return [replace(found[0], end=max(span.end for span in found)), *found[1:]] if found else []


@dataclass(frozen=True)
class _Trace:
    id: str

    def span(self, run: str, key: str, name: str, times: tuple[int, int], parent: str, **told: Value | None) -> Span:
        known = {name.replace("__", "."): value for name, value in told.items() if value is not None}
        shared = {"gen_ai.conversation.id": self.id, "session.id": self.id}
        start, end = times
        attributes = {**known, **shared}
        return Span(self.id, _derived(8, run, key), parent, name, start, max(start, end), attributes)


def _derived(size: int, *parts: str) -> str:
    """An id in hexadecimal digits."""
    return sha256("\n".join(parts).encode()).digest()[:size].hex()


# -- a log ---------------------------------------------------------------------------------


def _spans_of_log(trace: _Trace, log: RunLog, parent: str) -> list[Span]:
    """The run itself, each answer below it, and each try of a model below that."""
    header = next(event.header for event in log.events if isinstance(event, DebateStarted))
    named = (header.run_metadata.protocol or "").partition("/")[0]
    script = named if NAME.fullmatch(named) else log.what  # a transcript from elsewhere may say anything there
    judges = bool(parent)
    begun = _nanos(header.created_at)
    kind = "EVALUATOR" if judges else "CHAIN"
    whole = trace.span(
        header.run_id,
        "run",
        f"invoke_workflow {script}",
        (begun, begun),
        parent,
        gen_ai__operation__name="invoke_workflow",
        gen_ai__workflow__name=script,
        openinference__span__kind=kind,
    )
    below = [span for answer in _answers(log, header) for span in _of_answer(trace, header, answer, whole)]
    start = min([begun, *(span.start for span in below)])
    return [replace(whole, start=start, end=max([begun, *(span.end for span in below)])), *below]


@dataclass(frozen=True)
class _CallAnswer:
    """A call that a seat answered or failed to, and where it led."""

    address: str
    seat: str
    at: int
    paid: CallPaid | None = None
    round: int | None = None
    turn: str = ""


def _answers(log: RunLog, header: Transcript) -> Iterator[_CallAnswer]:
    """Answers in the order of the log. People and answers taken over from another run have no call that was paid."""
    turns = {event.address: event.turn for event in log.events if isinstance(event, TurnEntered) and event.address}
    paid = {event.address for event in log.events if isinstance(event, CallPaid)}
    latest, round_ = _nanos(header.created_at), None
    for event in log.events:
        if isinstance(event, RoundOpened):
            round_ = event.round_index
        elif isinstance(event, CallPaid):
            latest = _nanos(event.answered_at) or latest
            turn = turns.get(event.address)
            place = turn.round_index if turn else round_
            yield _CallAnswer(event.address, _seat(event.address), latest, event, place, turn.turn_id if turn else "")
        elif isinstance(event, TurnEntered) and event.address and event.address not in paid:
            at = _nanos(event.turn.attempts[-1].timestamp) or latest
            yield _CallAnswer(
                event.address, event.turn.speaker_id, at, round=event.turn.round_index, turn=event.turn.turn_id
            )


def _of_answer(trace: _Trace, header: Transcript, answer: _CallAnswer, whole: Span) -> Iterator[Span]:
    judges = whole.attributes["openinference.span.kind"] == "EVALUATOR"
    tries = answer.paid.tries if answer.paid else ()
    times = [time for each in tries for time in (_nanos(each.sent_at), _nanos(each.answered_at)) if time]
    agent = trace.span(
        header.run_id,
        f"{answer.address} agent",
        f"invoke_agent {answer.seat}",
        (min([answer.at, *times]), max([answer.at, *times])),
        whole.id,
        gen_ai__operation__name="invoke_agent",
        gen_ai__agent__name=answer.seat,
        hustings__address=answer.address,
        hustings__round=answer.round,
        hustings__turn_id=answer.turn or None,
        openinference__span__kind="EVALUATOR" if judges else "AGENT",
    )
    yield agent
    for n, each in enumerate(tries):
        yield _of_try(trace, header, answer, agent, n, each)


def _of_try(trace: _Trace, header: Transcript, answer: _CallAnswer, agent: Span, n: int, each: CallTry) -> Span:
    """One request to a model: the time between two of them is waiting, and part of the answer alone."""
    provider, _, wanted = _model_of(header, answer.seat).partition("/")
    model = answer.paid.model if answer.paid else ""
    start = _nanos(each.sent_at) or agent.start
    made = trace.span(
        header.run_id,
        f"{answer.address} try {n}",
        f"chat {_name(wanted or model)}",
        (start, _nanos(each.answered_at) or start),
        agent.id,
        gen_ai__operation__name="chat",
        gen_ai__provider__name=_name(provider) or None,
        gen_ai__request__model=_name(wanted) or None,
        gen_ai__response__model=_name(model) or None,
        gen_ai__usage__input_tokens=each.tokens_in,
        gen_ai__usage__output_tokens=each.tokens_out,
        gen_ai__usage__cache_read__input_tokens=each.tokens_cached,
        hustings__tokens=each.tokens or None,
        hustings__cost_usd=each.price,
        hustings__booked_usd=each.booked or None,
        hustings__try=n + 1,
        openinference__span__kind="LLM",
        error__type=None if each.ended == "ok" else each.ended,
    )
    return replace(made, client=True)


# -- evaluations -----------------------------------------------------------------------------


def _own_verdict(dossier: Dossier, root: Span) -> tuple[SpanEvent, ...]:
    """The verdict of a protocol that gives one."""
    result = dossier.proceedings.result
    verdict = result.get("verdict") if isinstance(result, dict) else None
    if verdict not in ("accept", "revise", "reject"):
        return ()
    return (_evaluation("verdict", root.end, **{"gen_ai.evaluation.score.label": str(verdict)}),)


def _evaluated(judgement: Judgement, at: int) -> Iterator[SpanEvent]:
    """The outcome, the score of each side, and those of each argument, by number: an id may hold a speaker's words."""
    yield _evaluation("outcome", at, **{"gen_ai.evaluation.score.label": judgement.outcome.kind})
    for total in judgement.totals:
        if total.score is not None:
            told = {"gen_ai.evaluation.score.value": total.score, "hustings.side": total.side}
            yield _evaluation("score", at, **told)
    for number, argument in enumerate(judgement.trace, 1):
        for dimension, value in argument.dimensions.items():
            told = {"gen_ai.evaluation.score.value": value, "hustings.argument": number}
            yield _evaluation(dimension, at, **told)


def _evaluation(name: str, at: int, **told: Value) -> SpanEvent:
    return SpanEvent("gen_ai.evaluation.result", at, {"gen_ai.evaluation.name": name, **told})


# -- reading -----------------------------------------------------------------------------------


def _seat(address: str) -> str:
    """The seat that a call went to; its address is wave, seat and brief."""
    parts: Sequence[str] = address.split(" ", 2)
    return parts[1] if len(parts) > 1 else address


def _model_of(header: Transcript, seat: str) -> str:
    """`provider/model` of a seat; an actor without a provider has no request to name."""
    name = next((p.model_name for p in header.participants if p.agent_id == seat), None) or ""
    return name if "/" in name else ""


def _name(text: str) -> str:
    return " ".join(text.split())[:LONGEST_NAME]


def _nanos(at: str | None) -> int:
    """Nanoseconds since 1970, to the millisecond; 0 for no time, or for one that no clock wrote."""
    try:
        return round(_TIME.validate_python(at).timestamp() * 1000) * 1_000_000 if at else 0
    except (ValidationError, OverflowError):
        return 0
