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
WAITED_ENOUGH = 120.0
"""Seconds without an answer after which a person is told what to do."""
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
    return " · ".join(filter(None, [_what(delay), _then(delay, left)]))


def unanswered_words(delay: CallDelayed, seconds: float, left: float | None = None) -> str:
    """`has not answered for 40 s; asking again, 2 of 4`: what the pages say too, in frontend/src/words/live.ts.

    A fault that is more than the silence is named: `has not answered for 2 min (server error 500, twice); …`.
    """
    fault = "" if delay.words.startswith("no answer") else f" ({_what(delay)})"
    waited = f"{int(seconds)} s" if seconds < WAITED_ENOUGH else f"{int(seconds) // 60} min"
    return "; ".join(filter(None, [f"has not answered for {waited}{fault}", _then(delay, left)]))


def _then(delay: CallDelayed, left: float | None) -> str:
    """What becomes of the call."""
    if delay.reason == "breaker":
        return "one call every 30 s"
    if left is not None and left >= 1:
        return f"next try in {clock(left)}"
    if delay.reason != "fault":
        return ""
    if delay.wait is None:
        return "not asked again"
    return "asking again" + (f", {delay.times + 1} of {delay.most}" if delay.times < delay.most else "")


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
