"""Words for calls that are delayed: what failed, how often, and when the next try is. For terminal, log and batch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from hustings.text.figures import on_one_line
from hustings.transcript.events import CallDelayed

MOST_LETTERS = 160
"""Length of the words about one fault: a server may choose part of them."""
LONG_WAIT = 10.0
"""Seconds of waiting that are worth a line of their own."""
ROW = 5
"""Tries of one endpoint without an answer in time that are worth a line about it."""
_FAULTS = {
    "garbled": "an unreadable answer",
    "overloaded": "the server is overloaded",
    "unreachable": "could not reach the server",
    "rate_limited": "the provider's rate limit",
    "empty": "an empty answer",
    "truncated": "an answer without its end",
}
_STATUS = re.compile(r"\b[45][0-9]{2}\b")
_CLASS = re.compile(r"[A-Z][A-Za-z]*(?: [a-z_]+=[^ ]+)*")
"""An error's class and codes, which tell a person nothing."""
_TIMES = ("never", "once", "twice", "three times", "four times", "five times", "six times", "seven times")


def fault_words(kind: str, detail: str, seconds: float, *, begun: bool) -> str:
    """What went wrong with a try that ended after some seconds; `begun` says that part of its answer came."""
    status = _STATUS.search(detail[:MOST_LETTERS])
    if kind == "timed_out":
        words = f"no {'complete ' if begun else ''}answer within {_whole(seconds)} s"
    elif kind == "overloaded" and status:
        words = f"server error {status.group()}"
    elif kind == "rate_limited" or not detail or _CLASS.fullmatch(detail[:MOST_LETTERS]):
        words = _FAULTS.get(kind, kind.replace("_", " "))
    else:
        words = detail
    return on_one_line(words[:MOST_LETTERS])


def times(count: int) -> str:
    """`twice`, `five times`, `12 times`."""
    return _TIMES[count] if count < len(_TIMES) else f"{count} times"


def delay_words(delay: CallDelayed, left: float | None = None) -> str:
    """`server error 500, five times · next try in 1:20`; `left` are the seconds until then, where they are known."""
    parts = [_what(delay)]
    if delay.reason == "breaker":
        parts.append("one call every 30 s")
    elif left is not None and left >= 1:
        parts.append(f"next try in {clock(left)}")
    elif delay.reason == "fault" and delay.wait is None:
        parts.append("not asked again")
    elif delay.reason == "fault":
        again = f", {delay.times + 1} of {delay.most}" if delay.times < delay.most else ""
        parts.append(f"asking again{again}")
    return " · ".join(filter(None, parts))


def _what(delay: CallDelayed) -> str:
    if delay.reason == "limit":
        return "waiting for the rate limit"
    words = delay.words or "no usable answer"
    return f"{words}, {times(delay.times)}" if delay.times > 1 else words


def endpoint_line(delay: CallDelayed) -> str:
    """One sentence about an endpoint that does not answer as it should, and what helps."""
    place = f"{delay.model.rpartition('/')[2]} at {delay.endpoint}"
    if delay.fault == "timed_out":
        setting = "LLM_TIMEOUT" if "complete" in delay.words else "LLM_FIRST_TOKEN_TIMEOUT"
        what, cure = f"gave {delay.words}, {times(delay.times)}", f" Allow more: {setting}"
    else:
        what, cure = f"does not answer: {delay.words or 'faults'}, {times(delay.times)}", ""
    only = " One call every 30 s until it does." if delay.reason == "breaker" else ""
    return f"{place} {what}.{only}{cure}"


def endpoint_troubles(delays: Iterable[CallDelayed]) -> Iterator[CallDelayed]:
    """Of many calls, the delays that concern a whole endpoint: an open breaker, and five time-outs."""
    slow = Counter[tuple[str, str]]()
    for delay in delays:
        if delay.reason == "breaker":
            yield delay
        elif delay.reason == "fault" and delay.fault == "timed_out":
            slow[delay.endpoint, delay.model] += 1
            if slow[delay.endpoint, delay.model] == ROW:
                yield delay.model_copy(update={"times": ROW})


def clock(seconds: float) -> str:
    """`1:20`."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def _whole(seconds: float) -> str:
    return f"{seconds:.0f}" if seconds >= 1 else f"{seconds:.1f}"
