"""Plain text: lines that begin with a name and a colon, and headings such as `Round 2`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from .spoken import Spoken, SpokenDebate, counted, text_of

BEGINNING = 200
"""Characters of a line in which a name or a heading is looked for."""


def read_text(text: str, speakers: Collection[str] = ()) -> list[SpokenDebate]:
    """One debate. Without a list of speakers, a name must begin two lines to be one."""
    lines = text_of(text, "the file").splitlines()
    labels = Counter(label[0] for line in lines if (label := _label(line)) and not _TOPIC.match(line))
    known = {*speakers} or {name for name, count in labels.items() if count > 1}
    sheet = _Sheet(known)
    for line in lines:
        sheet.read(line)
    once = [name for name, count in labels.items() if count == 1 and name not in known]
    return [SpokenDebate(sheet.topic, tuple(sheet.speeches), left_out=tuple(_told(sheet, once, chosen=bool(speakers))))]


def _told(sheet: _Sheet, once: list[str], *, chosen: bool) -> Iterator[str]:
    if sheet.before:
        yield f"{counted(sheet.before, 'line')} before the first speech left out"
    if once and not chosen:
        names = ", ".join(once[:5]) + (", …" if len(once) > 5 else "")
        yield f"No speakers, because their names begin one line only: {names}"


@dataclass
class _Sheet:
    """What has been read so far."""

    known: Collection[str]
    topic: str = ""
    before: int = 0
    """Lines before the first speech, without the first, which is the question."""
    _said: list[tuple[int, str, list[str]]] = field(default_factory=list[tuple[int, str, list[str]]])
    _round: int = 0
    _heading: int = 0

    @property
    def speeches(self) -> Iterator[Spoken]:
        early = any(number == 0 for number, _, _ in self._said) and self._round > 0
        for number, who, words in self._said:
            yield Spoken(who, "\n".join(words).strip(), number + 1 if early else number)

    def read(self, line: str) -> None:
        label = _label(line)
        if (heading := _heading(line)) is not None:
            # A heading may be repeated above every speech of its round.
            self._round += heading != self._heading or not self._round
            self._heading = heading
        elif label and label[0] in self.known:
            self._said.append((self._round, label[0], [label[1]]))
        elif self._said:
            self._said[-1][2].append(line.rstrip())
        elif line.strip() and not self.topic:
            self.topic = _TOPIC.sub("", line.strip("#*_ \t"))
        elif line.strip():
            self.before += 1


def _label(line: str) -> tuple[str, str] | None:
    """The name at the beginning of a line, and the words after it."""
    found = _LABEL.match(line[:BEGINNING])
    return (found[1].strip(), line[found.end() :].strip()) if found else None


def _heading(line: str) -> int | None:
    found = _HEADING.fullmatch(line) if len(line) <= BEGINNING else None
    return int(found[1] or found[2]) if found else None


_LABEL = re.compile(
    r"\s*+(?:[-*>]\s++)?(?:\*\*|__)?\[?([^\W\d_][\w .'’-]{0,39}?)(?:(?<! )|(?=\]))\]?(?:\s*+\([^)]{1,40}\))?"
    r"\s*+(?::(?:\*\*|__)|(?:\*\*|__)?:)"
)
"""No name ends in a space that could as well stand behind it: at most one end of a name is tried in a row of them."""
_HEADING = re.compile(
    r"\s*(?:#+|\*\*|=+|-{2,})\s*round\s+([0-9]{1,6})\b.*|\s*round\s+([0-9]{1,6})[\s:.)*=-]*", re.IGNORECASE
)
_TOPIC = re.compile(r"^(?:topic|question|motion)\s*:\s*", re.IGNORECASE)
