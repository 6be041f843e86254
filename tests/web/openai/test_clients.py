"""Debates as models with the clients that people use: OpenAI's own, and LangChain's. Their types read every frame."""

import pytest
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from hustings.runs.registry import protocols

from .rig import MODEL, asked, client, frames

pytestmark = pytest.mark.timeout(120)
CAVEAT = "All judges are one kind of model"


def test_every_protocol_is_a_model(door):
    assert [model.id for model in client(door).models.list()] == [f"hustings/{name}" for name in sorted(protocols())]


def test_one_model_can_be_looked_up(door):
    assert client(door).models.retrieve(MODEL).owned_by == "hustings"


def test_a_chat_ends_with_recommendation_caveats_and_the_run(door):
    answer = client(door).chat.completions.with_raw_response.create(model=MODEL, messages=asked("Is tea good?"))
    found = answer.parse()
    message = found.choices[0].message
    assert "How sure:" in message.content
    assert "Limits of this result (" in message.content
    assert CAVEAT in message.content
    assert f"Debate {answer.headers['x-hustings-run']}." in message.content
    assert message.reasoning_content.count("**pro**") >= 2


def test_a_whole_chat_is_read_strictly_by_the_types_of_the_client(door):
    body = {"model": MODEL, "messages": asked("Is milk good?")}
    answer = door.http.post("/v1/chat/completions", json=body, timeout=60)
    found = ChatCompletion.model_validate_json(answer.text, strict=True)
    assert found.usage.total_tokens == found.usage.prompt_tokens + found.usage.completion_tokens


def test_every_frame_of_a_chat_is_read_strictly_by_the_types_of_the_client(door):
    body = {
        "model": MODEL, "messages": asked("Is juice good?"), "stream": True, "stream_options": {"include_usage": True},
    }  # fmt: skip
    with door.http.stream("POST", "/v1/chat/completions", json=body, timeout=60) as answer:
        lines = list(answer.iter_lines())
    found = [ChatCompletionChunk.model_validate_json(line[6:], strict=True) for line in data(lines)]
    assert lines[-2:] == ["data: [DONE]", ""]
    assert (found[-1].choices, found[-1].usage.total_tokens) == ([], 0)  # the improviser uses none
    assert [chunk.choices[0].finish_reason for chunk in found if chunk.choices][-1] == "stop"


def data(lines):
    return [line for line in lines if line.startswith("data: {")]


def test_a_whole_response_is_read_strictly_by_the_types_of_the_client(door):
    answer = door.http.post("/v1/responses", json={"model": MODEL, "input": "Is rye good?"}, timeout=60)
    found = Response.model_validate_json(answer.text, strict=True)
    assert ([item.type for item in found.output], found.status) == (["reasoning", "message"], "completed")
    assert CAVEAT in found.output_text


def test_every_event_of_a_response_is_read_strictly_by_the_types_of_the_client(door):
    body = {"model": MODEL, "input": "Is oat good?", "stream": True}
    with door.http.stream("POST", "/v1/responses", json=body, timeout=60) as answer:
        lines = list(answer.iter_lines())
    events = TypeAdapter(ResponseStreamEvent)
    found = [events.validate_json(line[6:], strict=True) for line in data(lines)]
    assert [event.sequence_number for event in found] == list(range(len(found)))
    assert (found[0].type, found[-1].type) == ("response.created", "response.completed")
    assert [event["type"] for event in frames(lines)] == [line[7:] for line in lines if line.startswith("event: ")]


def test_the_stream_of_responses_adds_up_to_the_answer(door):
    with client(door).responses.stream(model=MODEL, input="Is rice good?") as stream:
        said = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
        assert said == stream.get_final_response().output_text


def test_the_stream_of_chats_tells_turns_before_the_answer(door):
    chunks = client(door).chat.completions.create(model=MODEL, messages=asked("Is corn good?"), stream=True)
    kinds = [
        "turn" if getattr(choice.delta, "reasoning_content", None) else "answer"
        for chunk in chunks
        for choice in chunk.choices
        if getattr(choice.delta, "reasoning_content", None) or choice.delta.content
    ]
    assert kinds == [*["turn"] * 6, "answer"]


def lang_chain(door):
    from langchain_openai import ChatOpenAI  # noqa: PLC0415  two seconds for each process that collects tests

    model = ChatOpenAI(model=MODEL, base_url=f"{door.url}/v1", api_key="none", max_retries=0)
    door.callers.callback(model.root_client.close)
    return model


def test_langchain_reads_the_answer_and_the_usage(door):
    found = lang_chain(door).invoke("Is wheat good?")
    assert CAVEAT in found.content
    assert found.usage_metadata["total_tokens"] == 0  # the improviser uses none


def test_langchain_reads_the_stream(door):
    assert CAVEAT in "".join(str(chunk.content) for chunk in lang_chain(door).stream("Is barley good?"))
