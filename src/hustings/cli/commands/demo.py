"""`hustings demo`: replay real debates from the package; needs no model, no key and no network."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from hustings.cli.display import mode_of
from hustings.cli.options import AsLines, DisplayOption
from hustings.cli.terminal import show_json, show_line, talk
from hustings.errors import NotFound
from hustings.runs.recording import Head, load, packaged, peek

from .replay import INTERRUPTED, USUAL_SPEED, Speed, play

INTRODUCTION = "Recorded debates: real runs, replayed. No model is called."
WAYS = """
Now with your own model:
  ollama pull llama3.2                         a local model, or
  hustings keys set anthropic                  a provider's key, or
  hustings --endpoint URL -m MODEL "motion"    any OpenAI-compatible server"""


def show_demo(
    which: Annotated[
        str, typer.Argument(metavar="N|PROTOCOL", help="Number or protocol of a recording; otherwise you are asked.")
    ] = "",
    *,
    speed: Speed = USUAL_SPEED,
    display: DisplayOption = None,
    list_only: Annotated[bool, typer.Option("--list", help="Only list the recordings there are.")] = False,
    as_json: AsLines = False,
) -> None:
    """Watch a recorded debate: no model, no key, no network. q ends it."""
    files = packaged()
    heads = [peek(file.read_bytes(), file.name) for file in files]
    if list_only:
        _list(heads, as_json=as_json)
        talk("Watch one: hustings demo N")
        return
    mode = mode_of(display, as_json=as_json)
    file = files[_chosen(which, heads, asking=mode != "json")]
    code = play(load(file.read_bytes(), file.name), mode, speed)
    talk(WAYS)
    raise typer.Exit(code)


def _list(heads: list[Head], *, as_json: bool = False) -> None:
    if as_json:
        show_json([{"number": n, **head.model_dump(mode="json")} for n, head in enumerate(heads, 1)])
        return
    for line in _lines(heads):
        show_line(line)


def _lines(heads: list[Head]) -> list[str]:
    names = [head.protocol.partition("/")[0] for head in heads]
    width = max(map(len, names), default=0)
    return [f"  {n}  {name:<{width}}  {head.topic}" for n, (name, head) in enumerate(zip(names, heads, strict=True), 1)]


def _chosen(which: str, heads: list[Head], *, asking: bool) -> int:
    """Index of the recording that was named, or that the user chooses now."""
    if not which and asking and sys.stdin.isatty() and sys.stdout.isatty():
        talk("\n".join([INTRODUCTION, *_lines(heads)]))
        try:
            which = typer.prompt("Which?", default="1", err=True)
        except typer.Abort:
            raise typer.Exit(INTERRUPTED) from None
    wanted = which.strip() or "1"
    for place, head in enumerate(heads):
        if wanted in {str(place + 1), head.protocol, head.protocol.partition("/")[0]}:
            return place
    raise NotFound.among((head.protocol.partition("/")[0] for head in heads), "recording", wanted)
