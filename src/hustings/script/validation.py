"""Validates a reply: does it fit the form, is every choice among those offered, does it keep the rules?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from .calls import Fault, Reply
from .forms import MAX_ANSWER, Form, Unfit, marked, parse
from .moves import Brief

_FAULTS: dict[Fault, str] = {
    "refused": "the seat declined to answer",
    "filtered": "the answer was withheld by a content filter",
    "truncated": "the answer broke off before its end; make it shorter",
    "empty": "the answer is empty",
}


@dataclass(frozen=True)
class Weighed:
    """An answer and what is wrong with it; without an answer if it did not fit the form."""

    answer: Form | None
    complaints: tuple[str, ...] = ()
    error_type: str = ""
    """As the transcript calls it: form, rule, refused, filtered, truncated, empty."""


def legible(reply: Reply) -> Reply:
    """Make a reply fit to store and show: escape lone surrogates, and cut what is too long."""
    text = reply.text.encode("utf-8", "backslashreplace").decode()
    if len(text) <= MAX_ANSWER:
        return reply if text == reply.text else replace(reply, text=text)
    return replace(reply, text=text[:MAX_ANSWER], fault="truncated")


def weigh(brief: Brief[Any], reply: Reply) -> Weighed:
    if reply.fault is not None:
        return Weighed(None, (_FAULTS[reply.fault],), reply.fault)
    if not reply.text.strip():
        return Weighed(None, (_FAULTS["empty"],), "empty")
    try:
        answer = parse(brief.form, reply.text)
    except Unfit as unfit:
        return Weighed(None, unfit.complaints, "form")
    broken = (*not_offered(brief, answer), *(c for check in brief.checks for c in check(answer)))
    return Weighed(answer, broken, "rule" if broken else "")


def not_offered(brief: Brief[Any], answer: Form) -> Iterator[str]:
    """Complaints about choices that the brief does not offer; new ids must have the right prefix."""
    for kind, value in marked(answer, "x-choice"):
        offered = brief.choices.get(kind)
        if offered is None or value in offered:
            continue
        if kind != "own":
            yield f"{value!r} is none of the {kind}s you may name: {', '.join(offered) or 'there are none'}"
        elif not any(re.fullmatch(rf"{re.escape(prefix)}-[1-9][0-9]{{0,3}}", value) for prefix in offered):
            yield f"{value!r} is no id for an argument of yours: use {offered[0]}-1, {offered[0]}-2 and so on"
