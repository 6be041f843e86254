"""What a debate as a model refuses, in the shape that clients read; and what it leaves out, and says so."""

from functools import partial

import openai
import pytest

from hustings.db import tokens
from hustings.db.tokens import Access
from hustings.llm.environment import Environment
from hustings.runs.queries import RunQueries
from hustings.web.limits import Limits
from tests.web.rig import fresh, served

from .rig import MODEL, asked, client

pytestmark = pytest.mark.timeout(120)
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
PICTURE = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}]
SYSTEM = [{"role": "system", "content": "Be brief."}]
FORM = {"response_format": {"type": "json_object"}}
BAD = {
    "an unknown model": (404, "model_not_found", {"model": "gpt-5", "messages": asked("Is it?")}),
    "an unknown protocol": (404, "model_not_found", {"model": "hustings/oxford", "messages": asked("Is it?")}),
    "no messages": (400, "invalid_request", {"model": MODEL, "messages": []}),
    "no words of the user": (400, "invalid_request", {"model": MODEL, "messages": SYSTEM}),
    "a picture": (400, "invalid_request", {"model": MODEL, "messages": PICTURE}),
    "two answers": (400, "invalid_request", {"model": MODEL, "messages": asked("Is it?"), "n": 2}),
    "tools": (400, "invalid_request", {"model": MODEL, "messages": asked("Is it?"), "tools": [TOOL]}),
    "a form": (400, "invalid_request", {"model": MODEL, "messages": asked("Is it?"), **FORM}),
    "a question without end": (400, "invalid_request", {"model": MODEL, "messages": asked("word " * 500)}),
}


@pytest.mark.parametrize("what", list(BAD))
def test_it_is_refused(door, what):
    status, code, body = BAD[what]
    with pytest.raises(openai.APIStatusError) as refused:
        client(door).chat.completions.create(**body)
    assert (refused.value.status_code, refused.value.code) == (status, code)
    assert refused.value.body["message"].endswith(".")


@pytest.mark.parametrize("body", [b"{", b"[]", b"null", b'{"model": "hustings/structured", "messages": [1]}'])
def test_what_no_client_sends_is_refused_in_the_same_shape(door, body):
    answer = door.http.post("/v1/chat/completions", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, [*answer.json()["error"]]) == (400, ["message", "type", "param", "code"])


def test_an_unknown_path_is_refused_in_the_same_shape(door):
    answer = door.http.get("/v1/embeddings")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_a_previous_response_is_not_known(door):
    with pytest.raises(openai.BadRequestError):
        client(door).responses.create(model=MODEL, input="Is it?", previous_response_id="resp_1")


def test_system_messages_are_left_out_and_said_so(door):
    messages = [{"role": "system", "content": "Speak like SYSTEM-4711."}, *asked("Is bread good?")]
    answer = client(door).chat.completions.with_raw_response.create(model=MODEL, messages=messages)
    assert "system messages" in answer.headers["x-hustings-note"]
    spec = RunQueries(door.state.database).whole_spec(answer.headers["x-hustings-run"])
    assert "SYSTEM-4711" not in spec.model_dump_json()


def test_what_was_said_before_is_a_document_of_the_debate(door):
    messages = [*asked("We bake."), {"role": "assistant", "content": "Good."}, *asked("Is cake good?")]
    answer = client(door).chat.completions.with_raw_response.create(model=MODEL, messages=messages)
    debate = RunQueries(door.state.database).whole_spec(answer.headers["x-hustings-run"]).debate
    assert (debate.topic, debate.background.text) == ("Is cake good?", "user: We bake.\n\nassistant: Good.")


def test_markdown_of_speakers_is_escaped(door):
    """A picture in an answer would be fetched by the page that shows it."""
    question = "Is ![x](http://evil.example/x.png) good?"
    answer = client(door).chat.completions.create(model=MODEL, messages=asked(question))
    message = answer.choices[0].message
    assert "![x](" not in message.content + message.reasoning_content


@pytest.fixture
def guarded(tmp_path):
    """No worker: debates that begin stay where they are."""
    with fresh("sqlite", tmp_path) as url, served(url, openai=True, needs_token=True) as site:
        yield site


def token(site, *access):
    return tokens.issue(site.state.database, Access(*access))


def test_a_wrong_token_is_refused(guarded):
    with pytest.raises(openai.AuthenticationError) as refused:
        client(guarded, "wrong").models.list()
    assert refused.value.code == "invalid_api_key"


def test_a_viewer_spends_nothing(guarded):
    viewer = client(guarded, token(guarded, "ann", "viewer"))
    assert viewer.models.list().data
    with pytest.raises(openai.PermissionDeniedError):
        viewer.chat.completions.create(model=MODEL, messages=asked("Is it?"))


def test_over_the_limit_of_its_owner_it_is_refused_with_402(tmp_path):
    """A model with a price, and no worker: nothing is called."""
    priced = partial(
        Environment, {"LLM_PROVIDER": "openai", "LLM_MODEL": "gpt-4o-mini", "OPENAI_API_KEY": "sk-nothing"}, {}
    )
    with fresh("sqlite", tmp_path) as url, served(url, openai=True, look=priced) as site:
        site.state.operator.budgets.set_caps("local", total=10_000, day=None)
        with pytest.raises(openai.APIStatusError) as refused:
            client(site).chat.completions.create(model=MODEL, messages=asked("Is it?"))
    assert (refused.value.status_code, refused.value.code) == (402, "insufficient_quota")


def test_too_many_debates_are_refused_with_the_time_to_wait(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url, openai=True, limits=Limits(1_000, 1, 10)) as site:
        site.begin()
        with pytest.raises(openai.RateLimitError) as refused:
            client(site).chat.completions.create(model=MODEL, messages=asked("Is it?"))
    assert int(refused.value.response.headers["retry-after"]) > 0


def test_without_the_option_there_are_no_models(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url) as site, pytest.raises(openai.NotFoundError):
        client(site).models.list()
