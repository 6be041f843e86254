"""A list of messages, each with its speaker and its words, as AutoGen and most chat programs write it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, cast

from .contents import Message, content_of, first_text, list_in, message_in
from .spoken import Spoken, SpokenDebate, counted

LISTS = ("messages", "conversations", "chat_history")
SPEAKER = ("source", "name", "speaker", "agent", "from", "role")
WORDS = ("content", "text", "message", "value")
TIME = ("created_at", "timestamp", "time")
USERS = frozenset({"user", "human"})
NO_SPEECH = ("system", "tool", "function", "developer")
"""Roles whose messages are no speeches."""
TALK = ("TextMessage", "MultiModalMessage", "StopMessage", "HandoffMessage", "text", "message", "chat")
"""Types of messages that are speeches; a message without a type is one."""


def looks_like_messages(value: object) -> bool:
    """Whether a value is a list of messages, or an object with one."""
    messages = _messages(value)
    first: object = messages[0] if messages else None
    return isinstance(first, dict) and any(name in first for name in WORDS)


def read_messages(value: object, speakers: Collection[str] = ()) -> list[SpokenDebate]:
    """One debate. The first words of a user are the question, unless the user is named among the speakers."""
    topic, spoken, left_out = "", list[Spoken](), Counter[str]()
    for n, each in enumerate(list_in(_messages(value), "the file"), 1):
        message = message_in(each, f"message {n}")
        who, said = first_text(message, *SPEAKER), _said(message, f"message {n}")
        if said is None or not who:
            left_out["no speech: calls of tools, events, instructions"] += 1
        elif speakers and who not in speakers and who not in USERS:
            left_out["of others than the speakers you named"] += 1
        elif who in USERS and who not in speakers and not topic and not spoken:
            topic = said
        elif who in USERS and who not in speakers:
            left_out["of the user"] += 1
        else:
            at, model = first_text(message, *TIME), first_text(message, "model", "model_name")
            spoken.append(Spoken(who, said, at=at, model=model))
    told = tuple(f"{counted(count, 'message')} left out, {what}" for what, count in left_out.items())
    return [SpokenDebate(_topic(value) or topic, tuple(spoken), left_out=told)]


def _said(message: Message, where: str) -> str | None:
    """The words; None for what is no speech."""
    kind = message.get("type")
    if message.get("role") in NO_SPEECH or (kind is not None and kind not in TALK):
        return None
    found = next((message[name] for name in WORDS if message.get(name)), None)
    return content_of(found, where)


def _messages(value: object) -> Sequence[Any] | None:
    if isinstance(value, dict):
        whole = cast("dict[str, object]", value)
        return next((cast("list[Any]", whole[name]) for name in LISTS if isinstance(whole.get(name), list)), None)
    return cast("list[Any]", value) if isinstance(value, list) else None


def _topic(value: object) -> str:
    if not isinstance(value, dict):
        return ""
    return first_text(cast("Message", value), "topic", "task", "question", "motion")
