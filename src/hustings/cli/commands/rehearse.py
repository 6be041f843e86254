"""`hustings rehearse` and `hustings protocols`: list the protocols, and play one with the improviser."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from hustings.cli.options import setting
from hustings.cli.terminal import show, show_json, talk
from hustings.llm.improviser import Improviser
from hustings.report import markdown
from hustings.runs.outcome_text import state_text
from hustings.runs.protocol_files import find_or_load
from hustings.runs.registry import broken_plugins, protocols
from hustings.runs.staging import Rehearsal, calls, described, plan, rehearse, topic_for
from hustings.script.prompt import Prompt, prompt_of


def list_protocols(*, as_json: Annotated[bool, typer.Option("--json", help="Output JSON.")] = False) -> None:
    """List the protocols and their settings."""
    found = protocols()
    for error in broken_plugins().values():
        talk(f"Skipped: {error}")
    if as_json:
        show_json([described(protocol) for protocol in found.values()])
        return
    for protocol in found.values():
        show(f"{protocol.name}  (version {protocol.version}, about {calls(protocol)} calls)")
        show(f"    {protocol.summary}")
        for name, field in protocol.settings.model_json_schema().get("properties", {}).items():
            show(f"      {name} = {json.dumps(field.get('default'))}{bounds(field)}  {field.get('description', '')}")
        show()
    talk("Try one without a model: hustings rehearse NAME, or a file with your own: hustings rehearse ./duel.py")


def bounds(field: Mapping[str, Any]) -> str:
    """The allowed values of a setting, if it has more than a type."""
    if "enum" in field:
        return f" ({', '.join(field['enum'])})"
    return f" ({field['minimum']} to {field['maximum']})" if {"minimum", "maximum"} <= set(field) else ""


def rehearse_protocol(
    protocol: Annotated[
        str, typer.Argument(help="A name that hustings protocols lists, or a file of your own: ./duel.py")
    ],
    *,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting. Repeatable.")
    ] = None,
    topic: Annotated[str, typer.Option(help="Question to debate. Default: one from the built-in list.")] = "",
    seed: Annotated[int, typer.Option(help="Seed of the invented words.")] = 0,
    prompts: Annotated[bool, typer.Option("--prompts", help="Show every prompt as it would be sent.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Output JSON.")] = False,
) -> None:
    """Try a protocol with invented words. No model, no cost, the same words every time."""
    chosen = find_or_load(protocol)
    values = dict(setting(text) for text in settings or ())
    debate = plan(chosen, topic or topic_for(chosen), settings=values, model="improviser")
    played = rehearse(debate, Improviser(seed), seed=seed)
    if as_json:
        show_json(as_document(played, prompts=prompts))
    elif prompts:
        show_prompts(played)
    else:
        show_rehearsal(played)
    again = shlex.join(["hustings", "rehearse", protocol, "--prompts"])
    talk(f"The order of turns is real, the words are nonsense. See the prompts: {again}")


def show_rehearsal(played: Rehearsal) -> None:
    debate, proceedings = played.debate, played.proceedings
    calls, rounds = sum(map(len, played.waves)), len(proceedings.transcript.rounds)
    show(f"{debate.script_version}: {debate.topic}")
    show(f"{calls} calls in {len(played.waves)} steps, {rounds} rounds. Ending: {state_text(proceedings.ending.kind)}.")
    show("\nStep by step. Calls of one step run at the same time:")
    for n, wave in enumerate(played.waves):
        show(f"  {n:03d}  " + " | ".join(f"{call.seat} {call.brief.name}" for call in wave))
    show("\nTranscript:\n")
    show(markdown.unescape(markdown.render(proceedings)))


def show_prompts(played: Rehearsal) -> None:
    for wave in played.waves:
        for call in wave:
            show(f"{'=' * 20} {call.address} {'=' * 20}")
            show(marked(prompt_of(call, played.debate.cast[call.seat.id])))


def marked(prompt: Prompt) -> str:
    """The prompt with its cache marks made visible."""
    parts = [prompt.rules, *prompt.waves]
    shared = "".join(part + ("-- cache mark --\n" if n in prompt.marks else "") for n, part in enumerate(parts))
    return f"{shared}\n{prompt.tail}"


def as_document(played: Rehearsal, *, prompts: bool) -> dict[str, Any]:
    proceedings, cast = played.proceedings, played.debate.cast
    document: dict[str, Any] = {
        "debate": played.debate.model_dump(mode="json"),
        "waves": played.choreography,
        "calls": sum(map(len, played.waves)),
        "ending": proceedings.ending.model_dump(mode="json"),
        "result": proceedings.result,
        "transcript": proceedings.document(),
        "notes": proceedings.notes_document(),
    }
    if prompts:
        sent = [(call, prompt_of(call, cast[call.seat.id])) for wave in played.waves for call in wave]
        document["prompts"] = [
            {"key": call.key, "rules": p.rules, "waves": p.waves, "marks": p.marks, "tail": p.tail, "schema": p.schema}
            for call, p in sent
        ]
    return document
