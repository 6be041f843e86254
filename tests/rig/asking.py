"""A caller of the pretend provider who believes nothing: plain sockets, and questions from real protocols."""

import http.client
import json
from dataclasses import dataclass, replace
from urllib.parse import quote, urlsplit

from hustings.llm.improviser import clock
from hustings.runs.staging import play_out, set_stage
from hustings.script.attempts import weigh
from hustings.script.calls import Call, Reply
from hustings.script.debate import DebateSpec
from hustings.script.prompt import prompt_of
from hustings.transcript.models import RunMetadata
from tests.rig.provider import good_answer

HELLO = {"model": "m", "messages": [{"role": "user", "content": "Say something."}]}


@dataclass(frozen=True)
class Got:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return json.loads(self.body)["choices"][0]["message"]["content"]

    @property
    def events(self) -> list[dict]:
        lines = self.body.decode().split("\n\n")
        return [json.loads(line[6:]) for line in lines if line.startswith("data: {")]

    @property
    def streamed(self) -> str:
        deltas = [event["choices"][0]["delta"] for event in self.events if event["choices"]]
        return "".join(delta.get("content") or "" for delta in deltas)


def ask(base_url: str, name: str = "a", request: dict = HELLO, timeout: float = 10, **headers: str) -> Got:
    """One request on a connection of its own."""
    to = urlsplit(base_url)
    connection = http.client.HTTPConnection(to.netloc, timeout=timeout)
    try:
        sent = {"X-Client-Request-Id": quote(name), **{key.replace("_", "-"): value for key, value in headers.items()}}
        connection.request("POST", f"{to.path}/chat/completions", json.dumps(request), sent)
        response = connection.getresponse()
        return Got(response.status, response.headers, response.read())
    finally:
        connection.close()


def asking(call: Call, debate: DebateSpec) -> dict:
    """The call as it goes over the wire, where marks of our own do not travel."""
    prompt = prompt_of(call, debate.cast[call.seat.id])
    parts = [{"type": "text", "text": part} for part in (*prompt.waves, prompt.tail)]
    request = {
        "model": "m",
        "messages": [{"role": "system", "content": prompt.rules}, {"role": "user", "content": parts}],
    }
    if prompt.schema is None:
        return request
    form = {"name": "answer", "schema": without_marks(prompt.schema)}
    return {**request, "response_format": {"type": "json_schema", "json_schema": form}}


def without_marks(node):
    match node:
        case dict():
            return {name: without_marks(value) for name, value in node.items() if not name.startswith("x-")}
        case list():
            return [without_marks(item) for item in node]
        case _:
            return node


@dataclass(frozen=True)
class Played:
    words: list[str]
    complaints: list[tuple[str, ...]]
    """Of each answer, at the time it was given."""
    ending: str


def played(debate: DebateSpec, seed: int, run_id: str = "run-1") -> Played:
    """A debate whose every answer is a good one of the provider's."""
    performance, _ = set_stage(
        debate, run_id, "2026-01-01T00:00:00.000Z", RunMetadata(generation_mode="improvised"), fence="secret"
    )
    played = Played([], [], "played")

    def actor(call: Call) -> Reply:
        reply = Reply(good_answer(asking(call, debate), f"{run_id}/{call.key}", seed), clock(call))
        played.words.append(reply.text)
        played.complaints.append(weigh(call.brief, reply).complaints)
        return reply

    play_out(performance, actor)
    return replace(played, ending=performance.ending.kind)
