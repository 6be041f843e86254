"""`hustings doctor`: what works here and what does not, in a form that can be pasted into an issue."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated

import typer

from hustings.core.errors import HustingsError, Unreachable
from hustings.home.arranging import must_be_there
from hustings.home.choice import INVENTED
from hustings.home.examination import Finding, examined, fault
from hustings.home.standing import speakers
from hustings.home.variables import variables
from hustings.llm.environment import Environment
from hustings.llm.nearby import Server, find
from hustings.llm.voices import Voice

from .options import AsJson, DatabaseOption
from .terminal import show_json, show_line, talk

FAULTY = 1


def examine(
    *,
    online: Annotated[
        bool, typer.Option("--online", help="Also make one cheap call to each model that is set up.")
    ] = False,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """See what works here and what does not, with the cure. Exit code: 0, or 1 if there is a fault."""
    servers = find()
    found = [*examined(database, servers), *_voices(servers, online=online)]
    faults = sum(finding.state == "FAULT" for finding in found)
    if as_json:
        show_json([asdict(finding) for finding in found])
    else:
        for finding in found:
            cure = f"  → {finding.cure}" if finding.cure else ""
            show_line(f"{finding.state:<5} {finding.about:<13} {finding.said}{cure}")
    talk(_next(faults, online=online))
    raise typer.Exit(FAULTY if faults else 0)


def _voices(servers: tuple[Server, ...], *, online: bool) -> list[Finding]:
    """Whoever is set up to speak, or would be chosen; and whether they answer."""
    try:
        known = variables()
        return _told(servers, known, online=online)
    except HustingsError:
        return []  # what is wrong with the settings is told already


def _told(servers: tuple[Server, ...], known: Environment, *, online: bool) -> list[Finding]:
    found: list[Finding] = []
    there: dict[str, Voice] = {}
    for speaker in speakers(known, servers):
        if speaker.problem is not None:
            told = fault("model", speaker.problem)
            found.append(
                told
                if known.set_up
                else Finding("warn", "model", told.said, f"hustings demo needs none; {INVENTED}; or hustings models")
            )
        elif (voice := speaker.voice) is not None:
            try:
                must_be_there([voice])
            except Unreachable as error:
                absent = fault("model", error)
                found.append(replace(absent, said=f"{speaker.name}: {absent.said}"))
                continue
            key = f", key {voice.key} from {known.place_of(voice.key)}" if voice.key else ""
            found.append(Finding("ok", "model", f"{speaker.name}: {voice.label}{key}"))
            there[voice.model_dump_json()] = voice
    if online:
        from hustings.home.calling import called  # noqa: PLC0415  heavy

        found += called(list(there.values()), known)
    return found


def _next(faults: int, *, online: bool) -> str:
    if faults:
        return f"{faults} fault{'s' if faults > 1 else ''}: each line says what mends it; then hustings doctor again"
    return 'Next: hustings "MOTION"' if online else "Next: hustings doctor --online, which calls each model once"
