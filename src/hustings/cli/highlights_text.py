"""The highlights of a debate at a terminal: typed at reading pace, or printed at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.text import Text

from hustings.cli.display.live_state import Roster
from hustings.cli.narrate import STYLES, NarratedLine
from hustings.cli.terminal import WIDEST, one_line
from hustings.judging.dossier import Dossier
from hustings.report.highlights import READING_PACE, Highlights, SpokenWords, highlights
from hustings.text.words import count_words


def type_highlights(dossier: Dossier, wait: Callable[[float], None] | None, speed: float) -> None:
    """Type what was said word by word, if there is something to wait with."""
    console = Console(file=sys.stdout, markup=False, emoji=False, highlight=False)
    roster = Roster(dossier.proceedings.transcript.participants)
    topic = (dossier.proceedings.transcript.debate_metadata.topic or "").partition("\n")[0]
    for line in highlight_lines(topic, highlights(dossier)):
        style = f"{STYLES[line.look]} {roster.colour(line.seat) if line.look == 'speaker' else ''}".strip()
        indent = INDENT if line.look == "words" else ""
        for part in Text(one_line(line.text), style).wrap(console, min(console.width, WIDEST) - len(indent)):
            part.rstrip()
            console.print(indent, end="")
            if wait and line.look == "words":
                _type(console, part, lambda count: wait(count / (READING_PACE * speed)))
            else:
                console.print(part, soft_wrap=True)


def _type(console: Console, line: Text, wait_for_words: Callable[[int], None]) -> None:
    for place, word in enumerate(line.split(" ")):
        console.print(" " if place else "", word, sep="", end="", soft_wrap=True)
        console.file.flush()
        wait_for_words(count_words(word.plain))
    console.print()


def highlight_lines(topic: str, shown: Highlights) -> Iterator[NarratedLine]:
    yield NarratedLine(topic, "title")
    for passage in shown.exchange:
        yield from _passage(passage)
    if shown.concession:
        yield NarratedLine("")
        yield NarratedLine(f"On another argument: {shown.concession.claim}")
        yield from _passage(shown.concession)
    if shown.marks:
        yield from _section(f"How judges marked {shown.exchange[0].name}'s argument", shown.marks)
    yield from _section("Result", shown.result)


def _passage(passage: SpokenWords) -> Iterator[NarratedLine]:
    deed = f"{passage.does} {PREPOSITIONS.get(passage.does, '')}{passage.id}" if passage.id else passage.does
    yield NarratedLine("")
    yield NarratedLine(f"{passage.name} {deed} · {passage.round}", "speaker", passage.seat)
    yield from (NarratedLine(line, "words") for line in passage.words.splitlines())


def _section(title: str, lines: tuple[str, ...]) -> Iterator[NarratedLine]:
    yield NarratedLine("")
    yield NarratedLine(title, "heading")
    yield from (NarratedLine(line, "words") for line in lines)


INDENT = "    "
PREPOSITIONS = {"objects": "to ", "answers": "on "}
