"""What models and their servers put around an answer: thinking, channels, roles, end tokens."""

from __future__ import annotations

import re

MOST_BLOCKS = 20
"""Blocks of thinking and channels before an answer."""

_TAGS = "think|thinking|thought|thoughts|reasoning|reflection|seed:think"
_OPENS = re.compile(rf"<({_TAGS})>|\[(THINK)\]|◁(think)▷|<\|(begin_of_thought)\|>", re.IGNORECASE)
_ENDS = re.compile(rf"</(?:{_TAGS})>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>", re.IGNORECASE)
_CHANNEL = re.compile(
    r"(?:<\|start\|>\w{0,40})?<\|channel\|>\s{0,9}(\w{1,40})[^<]{0,200}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>"
)
_LEAD = re.compile(r"[\s\ufeff\u200b-\u200d\u2060]*+(?:assistant[ \t]*+(?:\r?\n|\Z)\s*+)?")
_ENDS_ALONE = re.compile(rf"^[ \t]*+(?:{_ENDS.pattern})[ \t\r]*+$", re.IGNORECASE | re.MULTILINE)
_END_TOKEN = re.compile(r"(?:<\|[a-z_]{1,30}\|>|</s>|<end_of_turn>|<eos>)\Z")
LONGEST_END_TOKEN = 40


def without_thinking(reply: str) -> str | None:
    """A reply without leading marks, thinking and channels; None if its thinking never ends."""
    at = _after_lead(reply, 0)
    for _ in range(MOST_BLOCKS):
        if opened := _OPENS.match(reply, at):
            ended = _ENDS.search(reply, opened.end())
            if ended is None:
                return None
            at = ended.end()
        elif channel := _CHANNEL.match(reply, at):
            at = channel.end()
            if channel[1] == "analysis":
                ends = [end for mark in ("<|end|>", "<|start|>", "<|channel|>") if (end := reply.find(mark, at)) >= 0]
                if not ends:
                    return None
                at = min(ends)
                at += len("<|end|>") if reply.startswith("<|end|>", at) else 0
        else:
            return reply[at:]
        at = _after_lead(reply, at)
    return reply[at:]


def _after_lead(text: str, at: int) -> int:
    lead = _LEAD.match(text, at)
    return lead.end() if lead else at


def last_end_of_thinking(text: str) -> int:
    end = 0
    for tag in _ENDS.finditer(text):
        end = tag.end()
    return end


def words_alone(reply: str) -> str | None:
    """A reply in plain words without what stands around it; None if its thinking never ends."""
    text = without_thinking(reply)
    if text is None:
        return None
    # Words may speak of such a tag; the mark of a server stands in a line of its own.
    end = 0
    for tag in _ENDS_ALONE.finditer(text):
        end = tag.end()
    text = text[end:].strip()
    for _ in range(MOST_BLOCKS):
        token = _END_TOKEN.search(text[-LONGEST_END_TOKEN:])
        if token is None:
            break
        text = text[: -len(token[0])].rstrip()
    return text
