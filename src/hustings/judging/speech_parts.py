"""A speech in parts: its arguments and replies as its form gave them, and the words between them. No word is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel

from hustings.script.forms import Point
from hustings.transcript.models import Turn


class PartDetail(BaseModel, frozen=True, defer_build=True):
    """A labelled paragraph of a part, such as its reasoning."""

    label: str
    text: str


class SpeechPart(BaseModel, frozen=True, defer_build=True):
    """An argument, a reply, or a statement."""

    id: str
    """Empty for a statement."""
    kind: str
    """`argument`, `statement`, or what a reply does, such as `refute`."""
    target: str
    """What a reply is about."""
    text: str
    """The claim of an argument, or the words of a reply or statement."""
    quote: str
    """The words of its target that a reply accepts or takes back."""
    extent: str
    """How much a concession accepts or a withdrawal takes back: all, core or point."""
    details: tuple[PartDetail, ...]


def speech_parts(turn: Turn, points: Mapping[str, Sequence[Point]]) -> tuple[SpeechPart, ...]:
    """Empty if the turn has no points, or if its words do not hold them."""
    given = points.get(turn.turn_id, ())
    return tuple(_parts(turn.said, given)) if given and _holds(turn.said, given) else ()


def _holds(said: str, points: Sequence[Point]) -> bool:
    at = 0
    for point in points:
        found = said.find(point.words, at)
        if found < 0:
            return False
        at = found + len(point.words)
    return True


def _parts(said: str, points: Sequence[Point]) -> Iterator[SpeechPart]:
    done = 0
    for point in points:
        at = said.index(point.words, done)
        # The line of a reply begins by naming its target: the part says that in its own way.
        line = said.rfind("\n", done, at) + 1 or done
        replies = point.kind not in {"argument", "statement"}
        yield from _statement(said[done : line if replies else at])
        done = at + len(point.words)
        yield from _statement(point.words) if point.kind == "statement" else (_part(point),)
    yield from _statement(said[done:])


def _statement(words: str) -> Iterator[SpeechPart]:
    if text := words.strip():
        yield SpeechPart(id="", kind="statement", target="", text=text, quote="", extent="", details=())


def _part(point: Point) -> SpeechPart:
    if point.kind == "argument":
        text, rest = point.claim, point.words.removeprefix(f"[{point.id}] {point.claim}")
        before, details = _details(rest)
        text = f"{text}\n{before}" if before else text
    else:
        text, details = _details(point.words.removeprefix(f"[{point.target}] {point.kind}:"))
    return SpeechPart(
        id=point.id,
        kind=point.kind,
        target=point.target,
        text=text,
        quote=point.quote,
        extent=point.extent,
        details=details,
    )


def _details(words: str) -> tuple[str, tuple[PartDetail, ...]]:
    """The words before the first label, and the labelled paragraphs."""
    before, *labelled = LABELLED.split(words)
    pairs = zip(labelled[::2], labelled[1::2], strict=True)
    return before.strip(), tuple(PartDetail(label=label, text=text.strip()) for label, text in pairs)


LABELLED = re.compile(r"^(About|Reasoning|Evidence|Check|Change|Question): ", re.MULTILINE)
"""Labels that forms write before a paragraph."""
