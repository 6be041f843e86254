"""`hustings say` and `tell`: answer for a person's seat, at this terminal or in words; tell speakers something."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hustings.cli.options import AsJson, DatabaseOption, Run
from hustings.cli.person import answer_here, person_here, too_many_words
from hustings.cli.terminal import show, show_json, show_line, show_prose, talk
from hustings.config.paths import words_of
from hustings.engine.people import has_spoken, questions, short_key, speak, whole_key
from hustings.errors import NotFound, Unsuitable
from hustings.script.forms import schema_of

from .db import open_runs, open_service

if TYPE_CHECKING:
    from hustings.engine.run_control import RunControl
    from hustings.engine.service import RunService
    from hustings.runs.queries import RunQueries
    from hustings.script.calls import Call

FILE = "answer.json"
LEFT_OPEN = 130
"""Exit code if the person left without an answer."""
SHOWN_WAVES = 2
"""Waves of speeches that are shown before a question."""


@dataclass(frozen=True)
class MeantOptions:
    """Which question an answer is meant for, and that it is as long as it should be."""

    key: Annotated[
        str, typer.Option("--key", metavar="KEY", help="Answer this question alone: the key stands beside it.")
    ] = ""
    long: Annotated[bool, typer.Option("--long", help="Post it even if it has far more words than were asked for.")] = (
        False
    )


def say_words(
    run_id: Run,
    seat: Annotated[
        str, typer.Argument(metavar="SEAT", help="Seat to answer for. Default: every seat with an open question.")
    ] = "",
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT", help="Your answer. @FILE reads it from a file. Without it, you see the question."
        ),
    ] = "",
    *,
    meant: MeantOptions,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Answer for a human seat, or see what it is asked. The first answer counts."""
    if text:
        with open_service(database) as service:
            _answer(service.control, run_id, seat, words_of(text), meant, as_json=as_json)
        return
    if _is_at_terminal() and not as_json:
        with open_service(database) as service:
            _ask_here(service, run_id, seat)
        return
    with open_runs(database) as runs:
        _ask(_questions(runs, run_id, seat)[0], run_id, as_json=as_json)


def _ask_here(service: RunService, run_id: str, seat: str) -> None:
    """Ask the person at this terminal, after what was said last; all of a question's answer is sent at once."""
    person = person_here()
    for call in _questions(service.runs, run_id, seat):
        for wave in call.knowledge.public[-SHOWN_WAVES:]:
            for turn in wave:
                show_prose(f"\n{turn.speaker_id.upper()} ({turn.turn_id}):\n{indent(turn.said, '    ')}")
        try:
            answer_here(service, run_id, call, person)
        except (EOFError, KeyboardInterrupt):
            raise typer.Exit(LEFT_OPEN) from None
    _tell_next(service.control, run_id)


def tell_seats(
    run_id: Run,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What they are told; @FILE reads it from a file.")],
    *,
    seat: Annotated[
        str, typer.Option("--seat", metavar="SEAT", help="One seat, team or role; otherwise every speaker.")
    ] = "",
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Tell speakers something with their next question. The transcript keeps it as an intervention."""
    with open_service(database) as service:
        seats = service.control.tell(run_id, words_of(text), seat)
    if as_json:
        show_json({"run_id": run_id, "told": seats})
    else:
        show_line(f"{', '.join(seats)} will be told with the next question.")
    talk(f"Look: hustings show {run_id}")


def _answer(control: RunControl, run_id: str, seat: str, words: str, meant: MeantOptions, *, as_json: bool) -> None:
    key = whole_key(control.runs, run_id, meant.key) if meant.key else ""
    waiting = (call for call in questions(control.runs, run_id) if call.seat.id == seat and key in ("", call.key))
    if call := next(waiting, None):
        key = call.key
        _must_be_meant(control.runs, run_id, call, words, meant, asks=_is_at_terminal() and not as_json)
    try:
        answered = speak(control, run_id, seat, words, key=key)
    except Unsuitable as error:
        if error.fix:
            raise
        raise Unsuitable(error.what, why=error.why, fix=f"see the question: hustings say {run_id} {seat}") from None
    if as_json:
        show_json({"run_id": run_id, "seat": seat, "address": answered})
    else:
        show_line(f"Answer of {seat} accepted ({answered}).")
    _tell_next(control, run_id)


def _is_at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _must_be_meant(runs: RunQueries, run_id: str, call: Call, words: str, meant: MeantOptions, *, asks: bool) -> None:
    """Ask the person about an answer that may be meant for an earlier question, or is far too long."""
    told = "" if meant.long else too_many_words(call, words)
    if told and not asks:
        raise Unsuitable(told.removesuffix("."), fix="shorten it, or post it as it is: --long")
    if asks and not meant.key and has_spoken(runs, run_id, call.seat.id):
        told = f"This answers a new question: {call.brief.name}. {told}".strip()
    if told and not typer.confirm(f"{told} Post it?", err=True):
        talk("Not posted.")
        raise typer.Exit(LEFT_OPEN)


def _tell_next(control: RunControl, run_id: str) -> None:
    alone = control.abandoned(run_id)
    talk(
        f"The debate is not running. Continue it: hustings resume {run_id}"
        if alone
        else f"See how it goes on: hustings show {run_id}"
    )


def _questions(runs: RunQueries, run_id: str, seat: str) -> list[Call]:
    """Open questions to a seat, or to all seats of people if none is named; at least one."""
    waiting = questions(runs, run_id)
    if found := [call for call in waiting if seat in ("", call.seat.id)]:
        return found
    others = ", ".join(sorted({call.seat.id for call in waiting}))
    raise NotFound(
        f"there is no open question for {seat!r}" if seat else "there is no open question for a person",
        fix=f"the debate waits for {others}" if others else f"continue the debate: hustings resume {run_id}",
    )


def _ask(call: Call, run_id: str, *, as_json: bool) -> None:
    """Print the task of the seat; a form is printed as a template to fill in."""
    seat, brief = call.seat.id, call.brief
    form = None if brief.form.prose else schema_of(brief.form)
    if as_json:
        show_json({"run_id": run_id, "seat": seat, "key": call.key, "task": brief.text, "form": form})
        return
    allowed = f", up to {brief.words} words" if brief.words else ""
    told = "".join(f"\nFrom the chair: {words}" for words in call.instructions)
    command = f"hustings say {run_id} {seat} --key {short_key(call.key)}"
    talk(f"Question for {seat}: {brief.name}{allowed}.\n{brief.text}{told}\n")
    if form is None:
        talk(f'Answer: {command} "…", or @FILE')
        return
    show(json.dumps(sheet(form, brief.choices), indent=2, ensure_ascii=False))
    talk(f"\nSave this form as {FILE}, fill it in, then run: {command} @{FILE}")


def sheet(schema: Mapping[str, Any], choices: Mapping[str, Sequence[str]], nth: int = 1) -> Any:
    """An empty form as JSON; each place holds a description of what belongs there."""
    if "properties" in schema:
        return {name: sheet(each, choices, nth) for name, each in schema["properties"].items()}
    if "items" in schema:
        return [sheet(schema["items"], choices, n + 1) for n in range(max(schema.get("minItems", 0), 1))]
    if "anyOf" in schema:
        return sheet(schema["anyOf"][0], choices, nth)
    if offered := choices.get(schema.get("x-choice", "")):
        return f"{offered[0]}-{nth}" if schema["x-choice"] == "own" else f"<{' | '.join(offered)}>"
    if "enum" in schema:
        return f"<{' | '.join(map(str, schema['enum']))}>"
    return f"<{schema.get('description') or schema.get('type', 'anything')}>"
