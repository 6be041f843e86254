"""A memory that all agents share (MALLM): each entry is one turn, and its field `turn` the number of its round."""

from __future__ import annotations

from typing import cast

from hustings.errors import BrokenFile

from .contents import Message, content_of, first_text, list_in, message_in
from .spoken import Spoken, SpokenDebate, text_of

MEMORY = "globalMemory"
NOT_FOR_JUDGES = ("references", "answer", "finalAnswer", "solution", "solutions")
"""Fields with the right answer, or with what the program made of the debate."""


def looks_like_memory(value: object) -> bool:
    """Whether a value is a debate with a shared memory, or a list that begins with one."""
    first = cast("list[object]", value)[0] if isinstance(value, list) and value else cast("object", value)
    return isinstance(first, dict) and MEMORY in first


def read_memory(value: object) -> list[SpokenDebate]:
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    return [_debate(message_in(item, f"debate {n}"), f"debate {n}") for n, item in enumerate(items, 1)]


def _debate(item: Message, where: str) -> SpokenDebate:
    entries = list_in(item.get(MEMORY), f"{where}, {MEMORY}")
    found = [message_in(entry, f"{where}, entry {n}") for n, entry in enumerate(entries, 1)]
    models = _models(item)
    spoken = [_spoken(entry, f"{where}, entry {n}", models) for n, entry in enumerate(found, 1)]
    least = min((one.round for one in spoken), default=1)
    named = {_agent(entry): name for entry in reversed(found) if (name := first_text(entry, "persona"))}
    hidden = [name for name in NOT_FOR_JUDGES if item.get(name)]
    left_out = (
        *([f"{', '.join(hidden)} left out: no judge may see it"] if hidden else []),
        *(["Its context left out: speakers may have read it"] if item.get("context") else []),
    )
    return SpokenDebate(
        _question(item, where),
        # A program may count from 0, which here means that the round is not known.
        tuple(Spoken(one.speaker, one.words, one.round - least + 1, model=one.model) for one in spoken),
        named,
        left_out,
    )


def _spoken(entry: Message, where: str, models: dict[str, str]) -> Spoken:
    turn = entry.get("turn")
    if not isinstance(turn, int) or isinstance(turn, bool):
        raise BrokenFile(f"{where} has no whole number as its turn", fix="add it: the number of the round")
    agent = _agent(entry)
    if not agent:
        raise BrokenFile(f"{where} names no agent", fix="add agent_id or persona")
    return Spoken(agent, content_of(entry.get("message"), where) or "", turn, model=models.get(agent, ""))


def _agent(entry: Message) -> str:
    return first_text(entry, "agent_id", "agentId", "persona")


def _models(item: Message) -> dict[str, str]:
    """Models by agent, where the file lists the agents."""
    listed = item.get("personas")
    agents = cast("list[object]", listed) if isinstance(listed, list) else []
    known = [cast("Message", agent) for agent in agents if isinstance(agent, dict)]
    return {_agent(agent): first_text(agent, "model") for agent in known}


def _question(item: Message, where: str) -> str:
    """The input, which may be a list of texts; without one, the instruction."""
    given = item.get("input")
    texts = cast("list[object]", given) if isinstance(given, list) else [given]
    asked = " ".join(text_of(text, f"{where}, its input") for text in texts if text is not None).strip()
    return asked or first_text(item, "instruction")
