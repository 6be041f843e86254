"""`hustings say`: show the question to a seat held by a person, or answer it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hustings.cli.options import AsJson, DatabaseOption, Run
from hustings.cli.terminal import show, show_json, show_line, talk
from hustings.config.paths import words_of
from hustings.engine.people import questions, speak
from hustings.errors import NotFound, Unsuitable
from hustings.script.forms import schema_of

from .db import open_runs, open_service

if TYPE_CHECKING:
    from hustings.engine.run_control import RunControl
    from hustings.runs.queries import RunQueries
    from hustings.script.calls import Call

FILE = "answer.json"


def say_words(
    run_id: Run,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="For which seat.")],
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="The words; @FILE reads them from a file. Without: what is asked.")
    ] = "",
    *,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Speak for a seat that is held by a person, or see what it is asked. The first answer to a question stands."""
    if text:
        with open_service(database) as service:
            _answer(service.control, run_id, seat, words_of(text), as_json=as_json)
        return
    with open_runs(database) as runs:
        _ask(_question(runs, run_id, seat), run_id, as_json=as_json)


def _answer(control: RunControl, run_id: str, seat: str, words: str, *, as_json: bool) -> None:
    try:
        answered = speak(control, run_id, seat, words)
    except Unsuitable as error:
        if error.fix:
            raise
        raise Unsuitable(error.what, why=error.why, fix=f"see what is asked: hustings say {run_id} {seat}") from None
    if as_json:
        show_json({"run_id": run_id, "seat": seat, "address": answered})
    else:
        show_line(f"{seat} has spoken ({answered}).")
    alone = control.abandoned(run_id)
    talk(f"Nobody carries it out now: hustings resume {run_id}" if alone else f"Look: hustings show {run_id}")


def _question(runs: RunQueries, run_id: str, seat: str) -> Call:
    waiting = questions(runs, run_id)
    for call in waiting:
        if call.seat.id == seat:
            return call
    others = ", ".join(sorted({call.seat.id for call in waiting}))
    raise NotFound(
        f"nothing is asked of {seat!r} now",
        fix=f"it is the turn of {others}" if others else f"somebody must carry it out: hustings resume {run_id}",
    )


def _ask(call: Call, run_id: str, *, as_json: bool) -> None:
    """Print the task of the seat; a form is printed as a template to fill in."""
    seat, brief = call.seat.id, call.brief
    form = None if brief.form.prose else schema_of(brief.form)
    if as_json:
        show_json({"run_id": run_id, "seat": seat, "key": call.key, "task": brief.text, "form": form})
        return
    allowed = f", in at most {brief.words} words" if brief.words else ""
    talk(f"{seat} is asked for: {brief.name}{allowed}.\n{brief.text}\n")
    if form is None:
        talk(f'Answer: hustings say {run_id} {seat} "…", or @FILE')
        return
    show(json.dumps(sheet(form, brief.choices), indent=2, ensure_ascii=False))
    talk(f"\nIt has a form: keep that as {FILE}, fill it in, then: hustings say {run_id} {seat} @{FILE}")


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
