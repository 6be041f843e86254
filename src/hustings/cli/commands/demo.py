"""`hustings demo`: replay debates from the package; needs no model, no key and no network."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from shutil import get_terminal_size
from textwrap import wrap
from typing import Annotated

import typer

from hustings.cli.display import mode_of
from hustings.cli.options import AsLines, DisplayOption
from hustings.cli.terminal import WIDEST, show, show_json, show_line, talk
from hustings.errors import NotFound
from hustings.runs.recording import Head, Recording, load, name_of, packaged, peek

from .replay import FINISHED, INTERRUPTED, Speed, ViewerQuit, play, shown_time, waiting

INTRODUCTION = """\
Sample debates: real runs, with words we wrote; the last has a small model's words. No model is called.
You see the best three minutes. With --full, a debate takes as long as stands beside it."""
SPEED = 1.0
"""As fast as people read."""
WAYS = """
To run your own debate, you need one of:
  ollama pull llama3.2                         a local model
  hustings keys set anthropic                  a provider's key
  hustings --endpoint URL -m MODEL "QUESTION"  any OpenAI-compatible server"""


def show_demo(
    which: Annotated[
        str,
        typer.Argument(
            metavar="N|NAME|PROTOCOL", help="Number, name or protocol of a recording; otherwise you are asked."
        ),
    ] = "",
    *,
    full: Annotated[bool, typer.Option("--full", help="The whole debate, not three minutes of it.")] = False,
    speed: Speed = SPEED,
    display: DisplayOption = None,
    list_only: Annotated[bool, typer.Option("--list", help="List the recordings.")] = False,
    as_json: AsLines = False,
) -> None:
    """Watch a recorded debate, its best three minutes or all. Needs no model or key. Press q to quit."""
    files = packaged()
    heads = {name_of(file): peek(file.read_bytes(), file.name) for file in files}
    if list_only:
        _list(heads, as_json=as_json)
        talk("Watch one: hustings demo N")
        return
    mode = mode_of(display, as_json=as_json)
    file = files[_chosen(which, heads, asking=mode != "json")]
    recording = load(file.read_bytes(), file.name)
    if full or mode in {"json", "quiet"}:
        code = play(recording, mode, speed)
    else:
        code = _play_highlights(recording, name_of(file), speed)
    talk(WAYS)
    raise typer.Exit(code)


def _play_highlights(recording: Recording, name: str, speed: float) -> int:
    from hustings.cli.highlights_text import type_highlights  # noqa: PLC0415  heavy, and a list needs no highlights

    typed = sys.stdout.isatty()
    keys = " Press q to quit." if typed and sys.stdin.isatty() else ""
    for line in wrap(f"{recording.head.note} Its best minutes follow.{keys}", min(get_terminal_size().columns, WIDEST)):
        show_line(line)
    show()
    try:
        with waiting() as wait:
            type_highlights(recording.dossier, wait if typed else None, speed)
    except ViewerQuit:
        return FINISHED
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        talk(f"\nAll of it, {shown_time(recording.head.seconds)}: hustings demo {name} --full")
    return FINISHED


def _list(heads: Mapping[str, Head], *, as_json: bool = False) -> None:
    if as_json:
        entries = enumerate(heads.items(), 1)
        show_json([{"number": n, "name": name, **head.model_dump(mode="json")} for n, (name, head) in entries])
        return
    for line in _lines(heads):
        show_line(line)


def _lines(heads: Mapping[str, Head]) -> list[str]:
    """Each question with its length; the name and the protocol by which it can be called stand last."""
    rows = enumerate(heads.items(), 1)
    return [
        f"  {n}  {minutes_of(head):>2} min  {motion_of(head)} ({name}, {protocol_of(head)})" for n, (name, head) in rows
    ]


def minutes_of(head: Head) -> int:
    """How long it takes to watch."""
    return max(1, round(head.seconds / SPEED / 60))


def protocol_of(head: Head) -> str:
    """The protocol without its version."""
    return head.protocol.partition("/")[0]


def motion_of(head: Head) -> str:
    """The question without the papers that came with it."""
    return head.topic.partition("\n")[0]


def _chosen(which: str, heads: Mapping[str, Head], *, asking: bool) -> int:
    """Index of the recording that was named, or that the user chooses now."""
    if not which and asking and sys.stdin.isatty() and sys.stdout.isatty():
        talk("\n".join([INTRODUCTION, *_lines(heads)]))
        try:
            which = typer.prompt("Which?", default="1", err=True)
        except typer.Abort:
            raise typer.Exit(INTERRUPTED) from None
    wanted = which.strip() or "1"
    for place, (name, head) in enumerate(heads.items()):
        if wanted in {str(place + 1), name, head.protocol, protocol_of(head)}:
            return place
    raise NotFound.among([*heads, *map(protocol_of, heads.values())], "recording", wanted)
