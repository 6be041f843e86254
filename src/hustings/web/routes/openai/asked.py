"""Reads what a client asks for, in either shape, as a debate: the last words of the user are the question."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, cast

from hustings.runs.registry import protocols
from hustings.web.problems import Refused
from hustings.web.schemas import NewDebate, NewDocument

PREFIX = "hustings/"
LONGEST_QUESTION = 2_000
NO_SYSTEM = "system messages are no instructions to speakers and were left out"
NOT_TAKEN = {
    "tools": "tools",
    "functions": "tools",
    "response_format": "a response format",
    "text": "a text format",
    "previous_response_id": "a previous response",
    "background": "the background mode",
    "audio": "audio",
}
"""What a debate cannot honour, so that leaving it out would mislead."""
PLAIN_FORMATS = ({"type": "text"}, {"format": {"type": "text"}})


@dataclass(frozen=True)
class AskedDebate:
    model: str
    protocol: str
    question: str
    before: str
    """What was said before, for all speakers to read as a document."""
    stream: bool
    with_usage: bool
    """Whether the stream is to end with the usage."""
    notes: tuple[str, ...]
    digest: str
    """The same for the same model and messages."""

    def body(self) -> NewDebate:
        background = NewDocument(title="Said before the question", text=self.before) if self.before else None
        return NewDebate(question=self.question, protocol=self.protocol, background=background, on_failure="go-on")


def asked_in_chat(body: object) -> AskedDebate:
    given = _mapping(body)
    return _asked(given, _list(given.get("messages"), "messages"), "messages", ())


def asked_in_responses(body: object) -> AskedDebate:
    given = _mapping(body)
    words = given.get("input")
    messages = [{"role": "user", "content": words}] if isinstance(words, str) else _list(words, "input")
    return _asked(given, messages, "input", (NO_SYSTEM,) if given.get("instructions") else ())


def _asked(given: Mapping[str, Any], messages: Sequence[object], field: str, notes: tuple[str, ...]) -> AskedDebate:
    model = given.get("model")
    protocol = _protocol(model)
    _must_be_possible(given)
    said = [*_said(messages, field)]
    at = max((place for place, (role, _) in enumerate(said) if role == "user"), default=None)
    if at is None:
        raise Refused(400, "The question is empty.", fix="Send a message of the user.", fields=(field,))
    question = said[at][1].strip()
    if len(question) > LONGEST_QUESTION:
        raise Refused(
            400,
            f"The last message of the user is the question, and may have {LONGEST_QUESTION:,} characters.",
            fix="Send documents in messages before it.",
            fields=(field,),
        )
    system = any(role in {"system", "developer"} for role, _ in said)
    spoken = [(role, words) for role, words in said[:at] if role in {"user", "assistant"}]
    digest = sha256(json.dumps([model, said], sort_keys=True).encode()).hexdigest()
    return AskedDebate(
        model=str(model),
        protocol=protocol,
        question=question,
        before="\n\n".join(f"{role}: {words}" for role, words in spoken),
        stream=given.get("stream") is True,
        with_usage=_wants_usage(given),
        notes=tuple(dict.fromkeys((*notes, *((NO_SYSTEM,) if system else ())))),
        digest=digest,
    )


def _protocol(model: object) -> str:
    name = model.removeprefix(PREFIX) if isinstance(model, str) and model.startswith(PREFIX) else ""
    if name not in protocols():
        raise Refused(404, "There is no such model.", fix="GET /v1/models lists them.", fields=("model",))
    return name


def _must_be_possible(given: Mapping[str, Any]) -> None:
    for name, what in NOT_TAKEN.items():
        if given.get(name) and given[name] not in PLAIN_FORMATS:
            raise Refused(400, f"A debate takes no {what.removeprefix('a ')}.", fix="Leave it out.", fields=(name,))
    if given.get("n") not in (None, 1):
        raise Refused(400, "A debate gives one answer.", fix="Leave out n, or send 1.", fields=("n",))


def _wants_usage(given: Mapping[str, Any]) -> bool:
    options = given.get("stream_options")
    return isinstance(options, dict) and cast("dict[str, Any]", options).get("include_usage") is True


def _said(messages: Sequence[object], field: str) -> Iterator[tuple[str, str]]:
    """Role and words of each message that has words."""
    for message in messages:
        told = _mapping(message)
        role, words = told.get("role"), _words(told.get("content"), field)
        if isinstance(role, str) and words.strip():
            yield role, words


def _words(content: object, field: str) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    parts = [_mapping(part) for part in _list(content, field)]
    if any(not isinstance(part.get("text"), str) for part in parts):
        raise Refused(400, "A debate reads text alone.", fix="Send no pictures, sounds or files.", fields=(field,))
    return "\n".join(part["text"] for part in parts)


def _mapping(found: object) -> Mapping[str, Any]:
    if not isinstance(found, dict):
        raise Refused(400, "This is not what the client of OpenAI sends.", fix="Send JSON objects.")
    return cast("Mapping[str, Any]", found)


def _list(found: object, field: str) -> Sequence[object]:
    if not isinstance(found, list) or not found:
        raise Refused(400, "The question is empty.", fix="Send messages.", fields=(field,))
    return cast("list[object]", found)
