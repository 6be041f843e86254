"""`hustings import`: read debates that other programs wrote down, and keep them as records to read and judge."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hustings.cli.options import AsJson, DatabaseOption
from hustings.cli.terminal import show_json, show_line, talk
from hustings.db.activity import person
from hustings.errors import Unsuitable
from hustings.readers.files import read_bytes
from hustings.transcript.imports.recognise import MOST_BYTES, HowToRead, Shape

from .db import open_runs

if TYPE_CHECKING:
    from hustings.runs.imported import ImportedRun

STDIN = "-"


@dataclass(frozen=True)
class FileOptions:
    """What a person says about the file."""

    shape: Annotated[
        Shape | None,
        typer.Option(
            "--as",
            metavar="SHAPE",
            help="Its shape: transcript, contexts, memory, messages or text. Default: told from its fields.",
        ),
    ] = None
    topic: Annotated[str, typer.Option(help="The question, if the file does not tell it.")] = ""
    speakers: Annotated[
        str, typer.Option(metavar="A,B", help="The speakers, for messages and text. Others are left out.")
    ] = ""
    item: Annotated[
        str, typer.Option(metavar="N|all", help="Which debate, if the file holds several: its number, or `all`.")
    ] = ""

    @property
    def given(self) -> HowToRead:
        return HowToRead(self.shape, self.topic.strip(), speakers_of(self.speakers), item_of(self.item))


def speakers_of(text: str) -> tuple[str, ...]:
    """Names between commas, each once."""
    names = [name.strip() for name in text.split(",")]
    return tuple(dict.fromkeys(name for name in names if name))


def item_of(text: str) -> int | Literal["all"] | None:
    """The number of a debate, `all`, or nothing."""
    if text in ("", "all"):
        return "all" if text else None
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text):
        raise Unsuitable(f"{text[:20]!r} is no debate of a file", fix="write a number from 1, or all")
    return int(text)


def import_file(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file; - reads standard input.")],
    *,
    options: FileOptions,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Import debates that other programs wrote down. They can be shown, exported and judged, but not continued.

    Nothing is guessed: what the file leaves out stays unknown, and what was left out or joined is listed.
    """
    from hustings.runs.imported import import_debates  # noqa: PLC0415  heavy

    how = options.given
    raw = _stdin() if file == STDIN else read_bytes(Path(file), MOST_BYTES, "a file with a debate")
    with open_runs(database) as runs:
        found = import_debates(runs, raw, "" if file == STDIN else file, how, person())
    if as_json:
        show_json([one.model_dump(mode="json") for one in found])
    else:
        for one in found:
            _show(one)
    last = found[-1].run_id
    talk(f"Read it: hustings show {last} --transcript\nNext: hustings judge {last} --judges MODEL")


def _stdin() -> bytes:
    """Standard input, at most one byte over the limit, which shows that it is too long."""
    if sys.stdin.isatty():
        raise Unsuitable("nothing comes from standard input", fix="name a file, or pipe one: hustings import - < FILE")
    return sys.stdin.buffer.read(MOST_BYTES + 1)


def _show(one: ImportedRun) -> None:
    again = " (imported before)" if one.before else ""
    show_line(f"{one.run_id}: {one.question.partition(chr(10))[0][:200]}{again}")
    who = ", ".join(one.speakers[:10]) + (", …" if len(one.speakers) > 10 else "")
    show_line(f"    {one.shape}: {one.turns} turns in {one.rounds} rounds by {who}")
    for remark in one.remarks:
        show_line(f"    {remark}")
    if one.unknown:
        show_line("    Debaters unknown: the file does not say which models spoke")
