"""What a chat server streams: its reports of tokens count once, whatever comes with them and however it is cut."""

import asyncio
import json
from dataclasses import replace

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.llm.chat_stream import read_plainly, reports_set_aside
from hustings.llm.endpoints import PROVIDERS

from .asking import ask, ask_at_once, model_spec_at, request

CALM = {"seconds": 20, "first_token_seconds": 20}


def chunk(content, end="\n\n", **more):
    choice = {"index": 0, "delta": {"content": content}, "finish_reason": more.pop("finish", None)}
    return f"data: {json.dumps({'id': 'c', 'model': 'm', 'created': 1, 'choices': [choice], **more})}{end}"


def tokens(read, said, **more):
    return {"prompt_tokens": read, "completion_tokens": said, "total_tokens": read + said, **more}


GROWING = (
    chunk("Ö", usage=tokens(900, 1))
    + ": still here\r\n\r\n"
    + chunk([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "h"}], "\r\n\r\n", usage=tokens(900, 2))
    + chunk("m.", usage=tokens(900, 3), finish="stop")
    + "data: [DONE]\n\n"
)


def streamed(text, cuts=()):
    """What is left of a stream that comes in pieces, and what was set aside."""

    async def pieces():
        whole = text.encode()
        for start, end in zip((0, *cuts), (*cuts, len(whole)), strict=True):
            yield whole[start:end]

    class Body(httpx2.AsyncByteStream):
        def __aiter__(self):
            return pieces()

    async def read():
        response = httpx2.Response(200, stream=Body())
        with reports_set_aside() as reports:
            await read_plainly(response)
        return await response.aread(), reports

    return asyncio.run(read())


@given(st.sets(st.integers(0, len(GROWING.encode()))))
def test_reports_are_set_aside_however_the_stream_is_cut(cuts):
    left, reports = streamed(GROWING, sorted(cuts))
    lines = [line for line in left.decode().splitlines() if line]
    contents = [json.loads(line[6:])["choices"][0]["delta"]["content"] for line in lines if "{" in line]
    assert (contents, reports) == (["Ö", "h", "m."], [tokens(900, said) for said in (1, 2, 3)])
    assert (b"usage" in left, lines[1], lines[-1]) == (False, ": still here", "data: [DONE]")


@pytest.mark.parametrize("text", [chunk("Yes."), 'data: {"usage"', "data: [1]\n\n", "event: x\ndata: no\n\n", "data"])
def test_what_has_no_report_stays_as_it_is(text):
    assert streamed(text) == (text.encode(), [])


def test_a_report_in_every_chunk_counts_once(canary):
    canary.status, canary.answer = 200, GROWING.encode()
    (response,) = ask(model_spec_at(f"{canary.url}/v1"), request(**CALM))
    assert (response.kind, response.text, response.misreport) == ("ok", "Öhm.", "")
    assert (response.usage.input, response.usage.output) == (900, 3)


@pytest.mark.parametrize("other", [{}, {"prompt_tokens": None}, 5, {"prompt_tokens": "many", "completion_tokens": 1}])
def test_a_report_that_says_nothing_does_not_cost_those_that_do(canary, other):
    text = chunk("Yes", usage=other) + chunk(".", usage=tokens(900, 3), finish="stop") + "data: [DONE]\n\n"
    canary.status, canary.answer = 200, text.encode()
    (response,) = ask(model_spec_at(f"{canary.url}/v1"), request(**CALM))
    assert (response.usage.input, response.usage.output, response.misreport) == (900, 3, "")


def test_of_answers_that_come_at_once_each_has_its_own_reports(provider):
    growing, tiny = ask_at_once(
        model_spec_at(provider.always("usage_growing")), model_spec_at(provider.always("usage_tiny"))
    )
    assert [(each.usage.input, each.usage.output) for each in (growing, tiny)] == [(2_000, 300), (1, 1)]


def test_a_provider_that_counts_thoughts_beside_the_answer_is_counted_so(canary, monkeypatch):
    monkeypatch.setitem(PROVIDERS, "xai", replace(PROVIDERS["xai"], url=f"{canary.url}/v1"))
    usage = tokens(900, 3, completion_tokens_details={"reasoning_tokens": 40})
    canary.status, canary.answer = 200, (chunk("Yes.", usage=usage, finish="stop") + "data: [DONE]\n\n").encode()
    (response,) = ask(model_spec_at(f"{canary.url}/v1", "xai", model="grok-4"), request(**CALM))
    assert response.usage.output == 43
