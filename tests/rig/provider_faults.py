"""Faults of the pretend provider: everything that can go wrong with a model call, one small function each.

Each fault has a form for callers that asked for a stream and one for those that did not.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections.abc import Awaitable, Callable
from email.utils import formatdate
from time import time
from typing import Any

from .provider_answers import text_of
from .provider_exchange import DONE, STREAM, Exchange, framed, head

Fault = Callable[[Exchange], Awaitable[None]]
Words = Callable[[Exchange], str | None]
HUGE = 20
"""Megabytes."""


FAULTS: dict[str, Fault] = {}


def fault(play: Fault) -> Fault:
    FAULTS[play.__name__] = play
    return play


def answers(name: str, words: str | Words | None, finish: str | None = "stop", **extra: Any) -> None:
    """A fault that is a well-formed answer with the wrong thing in it."""

    async def play(x: Exchange) -> None:
        await x.reply(words(x) if callable(words) else words, finish, **extra)

    FAULTS[name] = play


def refuses(name: str, status: int, body: bytes, kind: str = "application/json", *more: str) -> None:
    """A fault that is a wrong HTTP response, sent without running the model."""

    async def play(x: Exchange) -> None:
        await x.send(status, body, kind, *more)

    FAULTS[name] = play


def error(**fields: Any) -> bytes:
    return json.dumps({"error": fields}).encode()


def half(x: Exchange) -> str:
    return x.good[: len(x.good) // 2]


def spoilt(pattern: str, instead: str, plain: str) -> Words:
    """The good answer with every match of a pattern replaced; for plain words, a form that is not due."""
    return lambda x: found if (found := re.sub(pattern, instead, x.good)) != x.good else plain


# -- good ----------------------------------------------------------------------------------


@fault
async def ok(x: Exchange) -> None:
    if x.delay:
        await asyncio.sleep(x.delay)
    x.call.good = True
    await x.reply(x.good)


@fault
async def no_usage(x: Exchange) -> None:
    """A good answer that says nothing about its price."""
    x.call.billed = x.call.good = True
    if x.stream:
        await x.events([*x.pieces(x.good), x.chunk("{}", "stop"), DONE])
    else:
        value = json.loads(x.completion(x.good))
        del value["usage"]
        await x.send(200, json.dumps(value).encode())


@fault
async def thinking(x: Exchange) -> None:
    """A good answer of a model that shows what it thought before."""
    x.call.good = True
    await x.reply(x.good, reasoning_content="First I weigh it.")


@fault
async def parts(x: Exchange) -> None:
    """A good answer whose content is a list of parts."""
    x.call.billed = x.call.good = True
    if not x.stream:
        await x.reply(x.good)
        return
    deltas = [{"content": [{"type": "thinking", "thinking": "Weigh it."}, {"type": "text", "text": x.good[:9]}]}]
    deltas += [{"content": [{"type": "text", "text": x.good[9:]}]}]
    await x.events([*(x.chunk(json.dumps(delta)) for delta in deltas), *x.ending(x.good)])


@fault
async def null_beside_thinking(x: Exchange) -> None:
    """A good answer after thinking, in whose chunks the content is null."""
    x.call.billed = x.call.good = True
    if not x.stream:
        await x.reply(x.good, reasoning_content="First I weigh it.")
        return
    thought = x.chunk(json.dumps({"role": "assistant", "content": None, "reasoning_content": "First I weigh it."}))
    await x.events([thought, *x.pieces(x.good), *x.ending(x.good)])


@fault
async def tool_call(x: Exchange) -> None:
    """A good answer as what a tool is called with; plain words as they are."""
    x.call.billed = x.call.good = True
    if not x.stream or not x.good.startswith("{"):
        await x.reply(x.good)
        return
    function = {"name": "answer", "arguments": x.good}
    call = {"index": 0, "id": "t0", "type": "function", "function": function}
    first = x.chunk(json.dumps({"role": "assistant", "content": None, "tool_calls": [call]}))
    await x.events([first, *x.ending("", "tool_calls")])


def habit(name: str, change: Callable[[str], str], *, in_words: bool = False) -> None:
    """A good answer with what a model always puts around it; plain words, too, if it does so there."""

    async def play(x: Exchange) -> None:
        x.call.good = True
        await x.reply(change(x.good) if in_words or x.good.startswith("{") else x.good)

    FAULTS[name] = play


THOUGHT = '<think>\nThey say {x}. I send {"kind": "refute"}.\n</think>\n\n'
CHANNELS = "<|channel|>analysis<|message|>Weigh.<|end|><|start|>assistant<|channel|>final<|message|>"
habit("habit_prose", lambda answer: f"Sure! Here is the JSON:\n\n{answer}\n\nLet me know what you think of {{it}}.")
habit("habit_code_block", lambda answer: f"I argue it.\n\n```json\n{answer}\n```\nI kept to the form.")
habit("habit_thinking", lambda answer: THOUGHT + answer, in_words=True)
habit("habit_channels", lambda answer: CHANNELS + answer, in_words=True)
habit("habit_commas", lambda answer: f"{answer[:-1]},}}")
habit("habit_wrapped", lambda answer: json.dumps({"response": json.loads(answer)}))
habit("habit_extra_keys", lambda answer: json.dumps(json.loads(answer) | {"confidence": 0.9, "notes": "none"}))
habit("habit_python", lambda answer: str(json.loads(answer)))
habit("habit_quoted", json.dumps)
habit("habit_twice", lambda answer: f"{answer}\n\n{answer}")
HABITS = tuple(name for name in FAULTS if name.startswith("habit_"))


def reports(name: str, *counts: tuple[int, int]) -> None:
    """A fault that is a good answer with reports of tokens, in and out: one at its end, those before in its chunks."""
    *early, last = (
        {"prompt_tokens": read, "completion_tokens": said, "total_tokens": read + said} for read, said in counts
    )

    async def play(x: Exchange) -> None:
        x.call.billed = x.call.good = True
        if x.stream:
            pieces = x.pieces(x.good)
            told = [
                piece.replace(b',"choices"', f',"usage":{json.dumps(usage)},"choices"'.encode(), 1)
                for piece, usage in zip(pieces, early, strict=False)
            ]
            end = x.chunk("{}", "stop").replace(b',"choices"', f',"usage":{json.dumps(last)},"choices"'.encode(), 1)
            await x.events([*told, *pieces[len(told) :], end, DONE])
        else:
            await x.send(200, json.dumps({**json.loads(x.completion(x.good)), "usage": last}).encode())

    FAULTS[name] = play


reports("usage_huge", (90_000_000, 90_000_000))
reports("usage_tiny", (1, 1))
reports("usage_negative", (-500, -20))
reports("usage_changing", (2_000, 9), (300, 700), (1_500, 2), (2_000, 50))
reports("usage_growing", (0, 0), (2_000, 9), (2_000, 60), (2_000, 300))
"""No fault: totals that grow while an answer is written, as some servers report them."""


@fault
async def slow_drip(x: Exchange) -> None:
    """A good answer that takes as long as a hanging call hangs."""
    x.call.billed = x.call.good = True
    if x.stream:
        parts = [framed(part) for part in [*x.pieces(x.good), *x.ending(x.good)]]
        parts = [STREAM, *parts[:-1], parts[-1] + b"0\r\n\r\n"]
    else:
        body = x.completion(x.good)
        step = len(body) // 8 + 1
        slices = [body[start : start + step] for start in range(0, len(body), step)]
        parts = [head(200, "application/json", f"Content-Length: {len(body)}"), *slices]
    await x.slowly(parts, x.hang / len(parts))


# -- answered, but not with what was asked for ---------------------------------------------

answers("empty", "")
answers("blank", " \n ")
answers("null_content", None)
answers("refusal", None, refusal="I can't help with that.")
answers("content_filter", None, "content_filter")
answers("content_filter_midway", half, "content_filter")
answers("finish_length", half, "length")
answers("finish_none", lambda x: x.good, None)
answers("wrong_language", "Das ist eine Antwort in der falschen Sprache, und zwar durchgehend.")
answers("repeats", "the same point again, " * 200)
answers("echo", lambda x: text_of(x.request))
answers("not_the_form", "Certainly! Here is what I think about it, in my own words.")
answers("score_11", spoilt(r"(?<=: )-?\d+(\.\d+)?(?=[,}\]])", "11", '{"scores": [{"id": "PRO-1", "score": 11}]}'))
answers("score_nan", spoilt(r"(?<=: )-?\d+(\.\d+)?(?=[,}\]])", "NaN", '{"scores": [{"id": "PRO-1", "score": NaN}]}'))
answers("unknown_id", spoilt(r'"[A-Z]+-\d+"', '"NOBODY-9"', '{"scores": [{"id": "NOBODY-9", "score": 5}]}'))
TOOL_CALLS = [
    {"index": n, "id": f"t{n}", "type": "function", "function": {"name": "f", "arguments": "{"}} for n in range(2)
]
answers("dup_tool", None, "tool_calls", tool_calls=TOOL_CALLS)

# -- refused ---------------------------------------------------------------------------------

refuses("status400", 400, error(message="something is wrong with it", type="invalid_request_error"))
refuses("status401", 401, error(message="bad key", type="invalid_request_error", code="invalid_api_key"))
refuses("status402", 402, error(message="no credit"))
refuses("status403", 403, error(message="not for you"))
refuses("unknown_model", 404, error(message="no such model", code="model_not_found"))
refuses("status429", 429, error(message="rate", type="rate_limit_error"), "application/json", "Retry-After: 1")
refuses("status429_now", 429, error(message="rate", type="rate_limit_error"), "application/json", "Retry-After: 0")
refuses("status429_bare", 429, error(message="rate", type="rate_limit_error"))
refuses("status429_long", 429, error(message="rate"), "application/json", "Retry-After: 3600")
refuses("quota", 429, error(message="no credit", type="insufficient_quota", code="insufficient_quota"))
refuses("status500", 500, error(message="boom"))
refuses("status502_html", 502, b"<html>bad gateway</html>", "text/html")
refuses("status503", 503, error(message="not now"))
refuses("status529", 529, error(message="Overloaded", type="overloaded_error"))
refuses("status529_html", 529, b"<html>overloaded</html>", "text/html")
TOO_LONG = "maximum context length is 8192 tokens"
refuses("ctx_exceeded", 400, error(message=TOO_LONG, type="invalid_request_error", code="context_length_exceeded"))
refuses("ctx_llamacpp", 400, error(message="exceeds the context", type="exceed_context_size_error", code=400))
refuses("html200", 200, b"<html>please log in</html>", "text/html")
refuses("json_malformed", 200, b'{"id": "c", "choices": [,]}')
refuses("wrong_schema", 200, b'{"hello":"world"}')


@fault
async def status429_date(x: Exchange) -> None:
    soon = formatdate(time() + 1, usegmt=True)
    await x.send(429, error(message="rate"), "application/json", f"Retry-After: {soon}")


@fault
async def key_echo(x: Exchange) -> None:
    """Some providers repeat the key in the text of the error."""
    await x.send(401, error(message=f"Incorrect API key provided: {x.credential}", code="invalid_api_key"))


@fault
async def redirect(x: Exchange) -> None:
    port = x.writer.get_extra_info("sockname")[1]
    await x.send(307, b"", "text/plain", f"Location: http://localhost:{port}/fault/ok/v1/chat/completions")


# -- broken on the wire ----------------------------------------------------------------------


@fault
async def json_truncated(x: Exchange) -> None:
    x.call.billed = True
    await x.send(200, x.completion(x.good)[:60])


@fault
async def choices_empty(x: Exchange) -> None:
    body = b'{"id":"c","object":"chat.completion%b","created":1,"model":"m","choices":[]}'
    if x.stream:
        await x.events([b"data: " + body % b".chunk" + b"\n\n", DONE])
    else:
        await x.send(200, body % b"")


@fault
async def huge(x: Exchange) -> None:
    x.call.billed = True
    much = "A" * 1_000_000
    if x.stream:
        part = framed(x.chunk(f'{{"content":"{much}"}}'))
        await x.slowly([STREAM, *[part] * HUGE, *map(framed, x.ending(much)), b"0\r\n\r\n"], 0)
    else:
        await x.send(200, x.completion(much * HUGE))


@fault
async def endless(x: Exchange) -> None:
    """Words without an end, whatever room was asked for; each is another, so that it is no loop."""
    x.call.billed = True
    words = (x.chunk(json.dumps({"content": f" and a {n}th thing" * 20})) for n in range(1_000_000))
    if x.stream:
        await x.slowly(itertools.chain([STREAM], map(framed, words)), 0)
    else:
        await x.send(200, x.completion("".join(f" and a {n}th thing" for n in range(100_000))))


@fault
async def huge_line(x: Exchange) -> None:
    x.call.billed = True
    much = b"A" * (1_000_000 * HUGE)
    await (x.events([b"data: " + much + b"\n\n", DONE]) if x.stream else x.send(200, much))


@fault
async def conn_reset(x: Exchange) -> None:
    x.reset()


@fault
async def conn_close(x: Exchange) -> None:
    x.hang_up()


@fault
async def hang(x: Exchange) -> None:
    """Never answers, never ran."""
    await asyncio.sleep(x.hang)
    x.hang_up()


@fault
async def exec_then_hang(x: Exchange) -> None:
    """Ran and is billed, but the answer never arrives: the caller cannot tell it from `hang`."""
    x.call.billed = True
    await asyncio.sleep(x.hang)
    x.hang_up()


async def begin(x: Exchange) -> None:
    """Send half of a good answer."""
    x.call.billed = True
    if x.stream:
        parts = x.pieces(x.good)
        await x.write(STREAM + b"".join(map(framed, parts[: len(parts) // 2 + 1])))
    else:
        body = x.completion(x.good)
        await x.write(head(200, "application/json", f"Content-Length: {len(body)}") + body[: len(body) // 2])


@fault
async def stream_hang(x: Exchange) -> None:
    await begin(x)
    await asyncio.sleep(x.hang)
    x.hang_up()


@fault
async def stream_cut(x: Exchange) -> None:
    await begin(x)
    x.hang_up()


@fault
async def stream_reset(x: Exchange) -> None:
    await begin(x)
    await asyncio.sleep(0.01)  # a reset would take back what is not yet sent
    x.reset()


@fault
async def stream_no_done(x: Exchange) -> None:
    """Ends in good order, but never says that it has ended."""
    x.call.billed = True
    await (x.events(x.pieces(x.good)) if x.stream else x.send(200, x.completion(x.good, None)))


@fault
async def bad_utf8(x: Exchange) -> None:
    x.call.billed = True
    if x.stream:
        await x.events([x.chunk('{"content":"@@"}').replace(b"@@", b"\xff\xfe"), x.chunk("{}", "stop"), DONE])
    else:
        await x.send(200, x.completion("@@").replace(b"@@", b"\xff\xfe"))


@fault
async def sse_garbage(x: Exchange) -> None:
    await (x.events([b"data: {not json}\n\n", DONE]) if x.stream else x.send(200, b"{not json}"))


@fault
async def sse_error(x: Exchange) -> None:
    """Begins well, and reports an error in the middle."""
    x.call.billed = True
    sorry = error(message="overloaded", code=529)
    parts = [*x.pieces(x.good)[:3], b"data: " + sorry + b"\n\n", DONE]
    await (x.events(parts) if x.stream else x.send(200, sorry))


CHAOS = (
    "json_malformed", "json_truncated", "wrong_schema", "choices_empty",
    "status429", "status429_now", "status500", "status503", "status529_html",
    "conn_reset", "conn_close", "hang", "exec_then_hang", "stream_hang", "slow_drip",
    "finish_none", "stream_cut", "stream_reset", "stream_no_done", "bad_utf8", "sse_garbage", "sse_error",
)  # fmt: skip
"""Faults that a repeated call cures without any effect on the debate. A web page is none: it pauses the run."""
