"""Examples of forms that nest: how one is filled in for a call, and the check that none is copied.

Protocols and audits keep theirs beside the form; all of ours are about the Sunday opening of a library.

`...` stands for more of the same, and `<kind>` for the first value of that kind that the call offers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import EllipsisType
from typing import Any, TypeAlias, cast

from .forms import Form

Example: TypeAlias = "Mapping[str, Example] | Sequence[Example] | str | int | EllipsisType | None"
_PLACE = re.compile(r"<([a-z]+)(2?)>")
FEWEST_WORDS = 4
"""Of a text of an example that no answer may repeat: shorter ones could be anybody's."""


class _NothingOffered(Exception):
    """The call offers nothing of that kind: the entry is left out."""


def filled(example: Example, choices: Mapping[str, Sequence[str]]) -> str:
    """The example as it is shown, with ids of this call."""
    match example:
        case None | int():
            return json.dumps(example)
        case str():
            return json.dumps(_put(example, choices), ensure_ascii=False)
        case EllipsisType():
            return "..."
        case Mapping():
            rows = example.items()
            inner = (("..." if v is ... else f"{json.dumps(name)}: {filled(v, choices)}") for name, v in rows)
            return f"{{{', '.join(inner)}}}"
        case _:
            return f"[{', '.join(_entries(example, choices))}]"


def _entries(listed: Sequence[Example], choices: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for entry in listed:
        try:
            yield filled(entry, choices)
        except _NothingOffered:
            return


def _put(text: str, choices: Mapping[str, Sequence[str]]) -> str:
    place = _PLACE.fullmatch(text)
    if place is None:
        return text
    kind, second = place.groups()
    offered = choices.get(kind, ())
    if not offered:
        raise _NothingOffered
    return f"{offered[0]}-1" if kind == "own" else offered[1 if second and len(offered) > 1 else 0]


def copied(example: Example, answer: Form) -> Iterator[str]:
    """Complaints about texts of an answer that repeat a sentence of the example it was shown."""
    if example is not None:
        said = " ".join(_folded(text) for text in _texts(answer.model_dump(mode="json")))
        for sentence in _texts(cast("Any", example)):
            if len(sentence.split()) >= FEWEST_WORDS and _folded(sentence) in said:
                yield f"{sentence!r} is from the example, which is about another question: write your own"


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for inner in cast("Mapping[str, Any]", value).values():
                yield from _texts(inner)
        case list() | tuple():
            for inner in cast("Sequence[Any]", value):
                yield from _texts(inner)
        case _:
            pass


@cache
def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
