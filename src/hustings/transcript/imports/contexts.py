"""Agent contexts: for each question, the chat of every agent; the nth answer of an agent is its turn in round n."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from hustings.errors import BrokenFile

from .contents import content_of, list_in, message_in
from .spoken import Spoken, SpokenDebate, counted, text_of

ANSWERS = "assistant"


def looks_like_contexts(value: object) -> bool:
    """Whether a value maps questions to the chats of agents; the first question is enough to tell."""
    if not isinstance(value, dict) or not value:
        return False
    first = next(iter(cast("dict[str, object]", value).values()))
    return any(_is_chats(found) for found in (first, _head(first)))


def read_contexts(value: object) -> list[SpokenDebate]:
    """Each question is a debate. The right answer, if the file has it, is left out: no judge may see it."""
    questions = message_in(value, "the file")
    return [_debate(question, each, n) for n, (question, each) in enumerate(questions.items(), 1)]


def _debate(question: str, value: object, number: int) -> SpokenDebate:
    where = f"debate {number}"
    found, gold = (value, False) if _is_chats(value) else (_head(value), True)
    if not _is_chats(found):
        raise BrokenFile(
            f"{where} holds no chats of agents", fix="write [[messages of each agent], answer] for every question"
        )
    chats = cast("list[Any]", found)
    answers = [[*_answers(chat, f"{where}, agent {n}")] for n, chat in enumerate(chats, 1)]
    spoken = [
        Spoken(f"agent_{n}", words, turn) for n, said in enumerate(answers, 1) for turn, words in enumerate(said, 1)
    ]
    told = sum(map(len, chats)) - sum(map(len, answers))
    left_out = [
        *([f"{counted(told, 'message')} to agents left out"] if told else []),
        *(["The right answer left out: no judge may see it"] if gold else []),
    ]
    return SpokenDebate(text_of(question, f"{where}, its question"), tuple(spoken), left_out=tuple(left_out))


def _answers(chat: object, where: str) -> Iterator[str]:
    for n, value in enumerate(list_in(chat, where), 1):
        message = message_in(value, f"{where}, message {n}")
        if message.get("role") == ANSWERS:
            said = content_of(message.get("content"), f"{where}, message {n}")
            yield said or ""


def _head(value: object) -> object:
    """The chats, where a list has them first and the right answer after them."""
    pair = cast("list[object]", value) if isinstance(value, list) else []
    return pair[0] if len(pair) == 2 else None


def _is_chats(value: object) -> bool:
    """Whether this is a list of chats: lists of objects with a role."""
    chats = cast("list[object]", value) if isinstance(value, list) else []
    return bool(chats) and all(_is_chat(chat) for chat in chats)


def _is_chat(value: object) -> bool:
    chat = cast("list[object]", value) if isinstance(value, list) else []
    return bool(chat) and isinstance(chat[0], dict) and "role" in cast("Mapping[str, object]", chat[0])
