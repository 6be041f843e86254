"""`hustings start`, `next` and `answer`: play the seats of a debate yourself, a command at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hustings.cli.options import AsJson, DatabaseOption, Run
from hustings.cli.request_options import DebateOptions, QuestionOptions
from hustings.cli.terminal import show, show_json, talk
from hustings.errors import Unsuitable

from .db import open_service

if TYPE_CHECKING:
    from hustings.engine.hosting import HostedAnswer, Wave
    from hustings.engine.service import RunService
    from hustings.llm.model import Model
    from hustings.llm.model_spec import ModelSpec
    from hustings.script.open_question import OpenQuestion

MOST_WORDS = 2**20
"""Characters of an answer that are read from a file."""


@dataclass(frozen=True)
class HostOptions:
    """What the host is."""

    brain: Annotated[
        str,
        typer.Option("--brain", metavar="NAME", help="The model that you are, for the record: claude-opus-4, gpt-5, …"),
    ] = ""


def start_debate(
    *,
    subject: QuestionOptions,
    how: DebateOptions,
    host: HostOptions,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Start a debate whose seats you play yourself, and see its first questions.

    Seats that --seat gives a model are played by it. Needs no key and no worker otherwise.
    """
    from hustings.config.plan_run import plan_run  # noqa: PLC0415  heavy
    from hustings.engine.hosting import enter  # noqa: PLC0415

    plan = plan_run(subject.request(how), how.environment, external=host.brain)
    with open_service(database) as service:
        service.upgrade()
        enter(service, plan.spec)
        show_next(service, plan.spec.run_id, as_json=as_json)


def next_questions(run_id: Run, *, database: DatabaseOption = "", as_json: AsJson = False) -> None:
    """See the questions that are open in a debate you play, each with its whole prompt."""
    with open_service(database) as service:
        show_next(service, run_id, as_json=as_json)


def answer_question(
    run_id: Run,
    key: Annotated[str, typer.Argument(metavar="KEY", help="Names the question, as `hustings next` shows it.")],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Your answer, unless it comes by --file.")] = "",
    *,
    file: Annotated[
        str, typer.Option("--file", metavar="FILE", help="Read the answer from a file; - is standard input.")
    ] = "",
    goes_on: Annotated[bool, typer.Option("--next", help="Also show the questions that are open then.")] = False,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Answer a question of a debate you play. The first answer counts."""
    from hustings.engine.hosted_run import HostedRun  # noqa: PLC0415  heavy
    from hustings.engine.hosting import answer_in, wave_of  # noqa: PLC0415

    words = _words(text, file)
    with open_service(database) as service, HostedRun(service.runs, run_id, models_here) as run:
        done, wave = answer_in(run, key, words), None
        if goes_on:
            run.go_on()
            wave = wave_of(run)
    _show_answered(run_id, key, done, wave, as_json=as_json)


def show_next(service: RunService, run_id: str, *, as_json: bool) -> None:
    """Go on with a hosted run, and show what is open then."""
    from hustings.engine.hosting import next_wave  # noqa: PLC0415  heavy

    wave = next_wave(service, run_id, models_here)
    if as_json:
        show_json(_dumped(wave))
    else:
        _show_wave(wave)
        talk(wave.next)


def models_here(model_spec: ModelSpec) -> Model:
    """Make a model with the keys of this environment."""
    return _factory()(model_spec)


@cache
def _factory() -> Callable[[ModelSpec], Model]:
    from hustings.config.configured_tools import models_for  # noqa: PLC0415  heavy, and few hosted debates need one
    from hustings.config.variables import variables  # noqa: PLC0415

    return models_for(variables())


def _words(text: str, file: str) -> str:
    if bool(text) == bool(file):
        raise Unsuitable("give one answer", fix="write TEXT or --file FILE, and - for standard input")
    if file == "-":
        return sys.stdin.read(MOST_WORDS)
    if not file:
        return text
    from hustings.config.paths import read_text  # noqa: PLC0415

    return read_text(Path(file), MOST_WORDS)


def _show_answered(run_id: str, key: str, done: HostedAnswer, wave: Wave | None, *, as_json: bool) -> None:
    if as_json:
        more: dict[str, Any] = {"wave": _dumped(wave)} if wave else {}
        show_json({"run_id": run_id, "key": key, **asdict(done), **more})
        return
    talk(done.told if wave else f"{done.told} {done.next}")
    if wave:
        _show_wave(wave)
        talk(wave.next)


def _dumped(wave: Wave) -> dict[str, Any]:
    return {**vars(wave), "questions": [question.model_dump() for question in wave.questions]}


def _show_wave(wave: Wave) -> None:
    show(wave.run_id)
    for question in wave.questions:
        show(f"\n=== {_head(question)} ===\n{question.prompt}")


def _head(question: OpenQuestion) -> str:
    role = "" if question.role == question.seat else question.role
    words = f"up to {question.words} words" if question.words else ""
    form = "" if question.form_schema is None else "answer in JSON"
    again = f"attempt {question.attempt} of {question.attempts}" if question.attempt > 1 else ""
    more = ", ".join(part for part in (role, words, form, again) if part)
    return f"{question.key} for {question.seat}{f' ({more})' if more else ''}"
