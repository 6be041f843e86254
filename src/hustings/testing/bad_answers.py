"""Bad answers, one function per kind: what a seat can do wrong at any call."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from hustings.errors import SeatError, SeatFailed
from hustings.llm.improviser import Improviser, clock
from hustings.script.calls import Call, Reply
from hustings.script.forms import schema_of

Fault = Callable[[Call], Reply | SeatError]


def malformed(call: Call) -> Reply:
    """Half a JSON object where a form is due; only white space where plain words are."""
    return Reply(" \n\t" if call.brief.form.prose else '{"half": ', clock(call))


def late(call: Call) -> SeatError:
    return SeatFailed(f"{call.seat}: no answer in time")


def refused(call: Call) -> Reply:
    return Reply("I would rather not.", clock(call), fault="refused")


def empty(call: Call) -> Reply:
    return Reply("", clock(call), fault="empty")


def rule_breaking(call: Call) -> Reply:
    """Fits the form, but names unknown ids, quotes what nobody said, and is far too long."""
    words = Improviser().words(call)
    if call.brief.form.prose:
        return Reply(f"{words} " * 9, clock(call))
    spoilt = changed(schema_of(call.brief.form), json.loads(words), spoil)
    return Reply(json.dumps(spoilt), clock(call))


def spoil(schema: Mapping[str, Any], text: str) -> str:
    if "x-choice" in schema:
        return "NOBODY-99"
    if "x-quote" in schema:
        return "words that nobody at this table has ever said"
    return text if "enum" in schema else f"{text} " * (1 if "maxLength" in schema else 40)


def changed(schema: Mapping[str, Any], value: Any, change: Callable[[Mapping[str, Any], str], str]) -> Any:
    """The same answer with every text in it changed."""
    match value:
        case dict():
            return {
                name: changed(schema["properties"][name], item, change)
                for name, item in cast("dict[str, Any]", value).items()
            }
        case list():
            return [changed(schema["items"], item, change) for item in cast("list[Any]", value)]
        case str():
            return change(schema, value)
        case _:
            return value


KINDS: Mapping[str, Fault] = {
    "malformed": malformed,
    "late": late,
    "refused": refused,
    "empty": empty,
    "rule_breaking": rule_breaking,
}
