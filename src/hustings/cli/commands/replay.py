"""`hustings replay` and `hustings record`: show a debate again without a model; save one as a file to replay."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Annotated

import typer

from hustings.cli import display as displays
from hustings.cli.display import Mode, mode_of, show_markdown
from hustings.cli.options import AsJson, AsLines, DatabaseOption, DisplayOption, Run
from hustings.cli.run_table import run_id_of
from hustings.cli.terminal import WIDEST, show, show_event, show_json, show_line, talk
from hustings.errors import BrokenFile, Unsuitable
from hustings.report import judgement_markdown
from hustings.report.highlights import READING_PACE
from hustings.report.markdown import unescape
from hustings.report.result_sections import result_sections
from hustings.runs.recording import MOST_BYTES, SUFFIX, Recording, dump, load, record
from hustings.transcript.events import CallPaid, Event, TextStreamed, TurnEntered
from hustings.transcript.models import Turn

from .db import open_runs

LONGEST_PAUSE = 1.5
"""Longest pause of a replay in seconds, however long the original took."""


def paced(recording: Recording, speed: float) -> Iterator[tuple[float, Event]]:
    """Yield every event with the seconds to wait before it: at most the original time, or the time to read."""
    entered = [came.event for came in recording.events if isinstance(came.event, TurnEntered)]
    words = {event.address: _streamed(event.turn) for event in entered if event.address}
    last, pause = 0.0, 1 / (READING_PACE * speed)
    for came in recording.events:
        event, wait = came.event, (came.at - last) / speed
        last = came.at
        # A call is paid when its whole answer has come; a person's answer is never paid.
        if isinstance(event, CallPaid | TurnEntered) and event.address:
            for piece in pieces(words.pop(event.address, "")):
                wait -= pause
                yield pause, TextStreamed(address=event.address, attempt=0, text=piece)
        yield min(max(wait, 0.0), LONGEST_PAUSE), event


def _streamed(turn: Turn) -> str:
    """The text as it was streamed: for a form, the form as it was filled in, not the words that others read."""
    last = turn.attempts[-1]
    return last.content if last.status == "ok" else ""


def pieces(text: str) -> list[str]:
    """Split a text into words; text without spaces is split into short runs of characters."""
    return _PIECE.findall(text)


_PIECE = re.compile(r"\s*\S{1,16}|\s+$")


FINISHED, INTERRUPTED = 0, 130
"""Exit codes."""
Speed = Annotated[
    float,
    typer.Option(
        "--speed",
        min=0.1,
        max=1000.0,
        metavar="X",
        help="Speed, as a multiple of the original. Into a pipe, everything comes at once.",
    ),
]
USUAL_SPEED = 8.0


def replay_run(
    what: Annotated[str, typer.Argument(metavar="FILE|RUN", help="A recording file, or the ID of a finished debate.")],
    *,
    speed: Speed = USUAL_SPEED,
    display: DisplayOption = None,
    database: DatabaseOption = "",
    as_json: AsLines = False,
) -> None:
    """Watch a debate again, from a recording or the database. Calls no model. Press q to quit."""
    path = Path(what)
    from_file = path.exists() or path.suffix == ".gz" or len(path.parts) > 1
    recording = load(read_bytes(path), what) if from_file else _recorded(database, what)
    code = play(recording, mode_of(display, as_json=as_json), speed)
    if from_file:
        talk("Record a debate of your own: hustings record RUN")
    elif recording.remains.judgement is None:
        talk(f"Next: hustings judge {what}")
    else:
        talk(f"Save it as a file: hustings record {what}")
    raise typer.Exit(code)


def _recorded(database: str, run_id: str) -> Recording:
    with open_runs(database) as runs:
        return record(runs, run_id_of(runs, run_id))


def read_bytes(path: Path) -> bytes:
    """Read a regular file, at most one byte over the limit, which shows that it is too long."""
    if not path.is_file():
        raise BrokenFile(f"no file {str(path)!r}", fix="give a recording file or a debate: hustings list")
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BrokenFile(f"can't read {str(path)!r}", why=error.strerror or "", fix="give a recording file") from None


# -- playing -----------------------------------------------------------------------------


def play(recording: Recording, mode: Mode, speed: float) -> int:
    """Show a recording from its head to its briefing; return the exit code."""
    pausing = sys.stdout.isatty() and mode in {"live", "plain"}
    shown = displays.display(mode, keys="q to quit")
    try:
        with waiting() as wait:
            introduce(recording, mode, speed if pausing else None)
            for event in _at_its_pace(recording, speed, wait) if pausing else _at_once(recording):
                shown.show(event)
    except ViewerQuit:
        return FINISHED
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        shown.close()
    conclude(recording, mode)
    return FINISHED


def introduce(recording: Recording, mode: Mode, speed: float | None) -> None:
    """Show what the recording is, from its head."""
    head = recording.head
    if mode == "json":
        show_event({"kind": "recording", **head.model_dump(mode="json")})
        return
    if mode == "quiet":
        return
    for line in wrap(head.note, min(get_terminal_size().columns, WIDEST)):
        show_line(line)
    how = f"replayed {speed:g}x" if speed else "replayed without pauses"
    keys = ["q to quit"] if speed and sys.stdin.isatty() else []
    dated = [] if head.written else [head.recorded]
    show_line(" · ".join([_begun(head.label), *dated, how, *keys]))
    judges = f"; judged by {', '.join(head.judges)}" if head.judges else "; not judged"
    took = f"It took {shown_time(head.seconds)} on {head.machine or 'an unnamed machine'}, with {head.engine}"
    if head.written:
        took = f"It takes {shown_time(head.seconds)} to read; made with {head.engine}"
    show_line(f"{took}{judges}.")
    show()


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def shown_time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def conclude(recording: Recording, mode: Mode) -> None:
    """Show the judgement, if the debate was judged."""
    about = recording.dossier
    if (found := about.judgement) is None:
        return
    if mode == "json":
        show_event({"kind": "judgement", "run_id": found.judged, **found.model_dump(mode="json")})
        return
    result = result_sections(about.proceedings, found)
    text = judgement_markdown.render_judgement(found, depth=2, cost=about.cost, result=result, summary=about.summary)
    if mode == "plain":
        show(unescape(text))
    else:
        show_markdown(text)


# -- pace --------------------------------------------------------------------------------


class ViewerQuit(Exception):
    """The viewer pressed q."""


def _at_once(recording: Recording) -> Iterator[Event]:
    return (came.event for came in recording.events)


def _at_its_pace(recording: Recording, speed: float, wait: Callable[[float], None]) -> Iterator[Event]:
    for seconds, event in paced(recording, speed):
        wait(seconds)
        yield event


@contextmanager
def waiting() -> Generator[Callable[[float], None]]:
    """Yield a sleep function that the key q interrupts, if there is a keyboard; Ctrl-C works everywhere."""
    try:
        import termios  # noqa: PLC0415  not on Windows
        import tty  # noqa: PLC0415
    except ImportError:
        yield time.sleep
        return
    if not sys.stdin.isatty():
        yield time.sleep
        return
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    tty.setcbreak(keyboard, termios.TCSANOW)  # keys typed ahead count
    try:
        yield lambda seconds: _listen(keyboard, seconds)
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


def _listen(keyboard: int, seconds: float) -> None:
    end = time.monotonic() + seconds
    while select.select([keyboard], [], [], max(0.0, end - time.monotonic()))[0]:
        if os.read(keyboard, 1) in {b"q", b"Q", b""}:
            raise ViewerQuit


def record_run(
    run_id: Run,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help=f"File to write. Default: RUN{SUFFIX} here.")
    ] = None,
    note: Annotated[str, typer.Option("--note", help="Note shown to viewers.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Save a finished debate as a file to replay, with its latest judging."""
    path = output or Path(f"{run_id.replace(':', '-')}{SUFFIX}")
    if path.exists() and not force:
        raise Unsuitable(f"{str(path)!r} already exists", fix="choose another file with -o, or add --force")
    with open_runs(database) as runs:
        recording = record(runs, run_id, note=note)
    written = dump(recording)
    try:
        path.write_bytes(written)
    except OSError as error:
        raise Unsuitable(
            f"can't write {str(path)!r}", why=error.strerror or "", fix="choose another file with -o"
        ) from None
    if as_json:
        size = {"file": str(path), "bytes": len(written), "events": len(recording.events)}
        show_json({**size, **recording.head.model_dump(mode="json")})
    else:
        judged = "judged" if recording.remains.judgement else "not judged"
        show_line(f"{path}: {recording.head.topic} ({judged}, {len(written) / 1024:.0f} KB)")
    talk(f"Watch it: hustings replay {path}")
