"""Writes those parts of the documentation that the code knows better, between the comments that name them.

A page marks a part by `<!-- begin NAME -->` and `<!-- end NAME -->`; what stands between is written anew.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from typer._click.core import Context

from hustings.cli.commands.judge import NO_QUORUM
from hustings.cli.commands.rehearse import bounds
from hustings.cli.execute import ELSEWHERE, FAILED, FINISHED, REFUSED, RESUMABLE, SPENT
from hustings.cli.gate import TOO_STRICT
from hustings.cli.lazy_commands import COMMANDS, CommandEntry
from hustings.config.settings_files import File, ModelTable, Options
from hustings.llm.endpoints import ALIASES, PROVIDERS
from hustings.llm.improviser import Improviser
from hustings.llm.model_spec import _NUMBERS as SHORT  # the one place that knows how variables are spelled
from hustings.runs.registry import exports, protocols
from hustings.runs.staging import Rehearsal, plan, rehearse, topic_for
from hustings.script.protocol import Protocol
from hustings.transcript.rules import GROUPS, RULES

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
KINDS = {"str": "TEXT", "int": "N", "float": "X", "Path": "FILE"}
PART = re.compile(r"(<!-- begin (?P<name>[\w-]+) -->\n).*?(<!-- end (?P=name) -->)", re.DOTALL)


# -- commands ------------------------------------------------------------------------------


def commands() -> Iterator[str]:
    panel = ""
    for name, entry in COMMANDS.items():
        if entry.panel != panel:
            panel = entry.panel
            yield f"## {panel}\n"
        for called, command in each_command(name, entry):
            yield from described(called, command)


def each_command(name: str, entry: CommandEntry) -> list[tuple[str, Any]]:
    loaded = entry.load(name)
    return [(f"{name} {part}", loaded.commands[part]) for part, _ in entry.parts] or [(name, loaded)]


def described(name: str, command: Any) -> Iterator[str]:
    yield f"### hustings {name}\n"
    yield f"{inspect.cleandoc(command.help or '')}\n"
    context = Context(command, info_name=f"hustings {name}")
    usage = re.sub(r"[{}]|(?<=\[)\[|\](?=\])", "", " ".join(command.get_usage(context).removeprefix("Usage: ").split()))
    yield f"```text\n{usage}\n```\n"
    if command.epilog:
        head, *lines = command.epilog.split("\n\n")
        yield "\n".join([head, "", "```text", *lines, "```", ""])
    if rows := [option(each, context) for each in command.params if not each.hidden and each.name != "help"]:
        yield table(("option", "what it is", "otherwise", "variable"), rows)


def option(param: Any, context: Any) -> tuple[str, ...]:
    spelled = re.sub(r"<(\w+)( range)?>", lambda kind: KINDS.get(kind[1], kind[0]), param.get_help_record(context)[0])
    if param.opts[0] == param.name:  # an argument
        spelled = (param.metavar or spelled.partition(" ")[0]).strip("[]")
    default = param.default
    shown = "" if default in (None, "", False) or param.required else code(str(getattr(default, "value", default)))
    within = f" {limits(param)}" if param.min is not None or param.max is not None else ""
    return code(spelled), f"{param.help or ''}{within}", shown, code(param.envvar) if param.envvar else ""


def limits(param: Any) -> str:
    if param.min is not None and param.max is not None:
        return f"From {param.min:g} to {param.max:g}."
    return f"At least {param.min:g}." if param.min is not None else f"At most {param.max:g}."


def variables() -> Iterator[str]:
    """Every option that can be given as a variable, and the commands that have it."""
    found: dict[str, dict[str, list[str]]] = {}
    for name, entry in COMMANDS.items():
        for called, command in each_command(name, entry):
            for param in command.params:
                if param.envvar:
                    found.setdefault(param.envvar, {}).setdefault(param.opts[0], []).append(called)
    rows = [
        (
            code(name),
            ", ".join(map(code, options)),
            ", ".join(f"`{each}`" for some in options.values() for each in some),
        )
        for name, options in sorted(found.items())
    ]
    yield table(("variable", "option", "of"), rows)


def exit_codes() -> Iterator[str]:
    rows = {
        FINISHED: "it ended honestly: decided, too close, deadlocked; or nothing was found wrong",
        FAILED: "a debate failed; `validate` has findings, `doctor` a fault; or a fault of ours",
        2: "wrong usage, a setting or a file that cannot be used",
        SPENT: "stopped by a cap or by a person",
        REFUSED: "no model that answers, or a key that was refused",
        NO_QUORUM: "too few judges answered for a verdict, or the protocol gave none (`--fail-on`)",
        TOO_STRICT: "the protocol's own verdict is the one that `--fail-on` names, or stricter",
        ELSEWHERE: "another process went on with it while this one slept",
        RESUMABLE: "paused; `hustings resume RUN` goes on",
    }
    yield table(("code", "meaning"), [(f"`{number}`", meaning) for number, meaning in rows.items()])


# -- protocols -----------------------------------------------------------------------------


def own_protocols() -> dict[str, Protocol]:
    """Without those of other packages that happen to be installed."""
    return {name: each for name, each in protocols().items() if each.play.__module__.startswith("hustings.")}


def rehearsed(protocol: Protocol) -> Rehearsal:
    return rehearse(plan(protocol, topic_for(protocol)), Improviser())


def overview() -> Iterator[str]:
    rows = [(f"`{p.name}`", p.summary, str(sum(map(len, rehearsed(p).waves)))) for p in own_protocols().values()]
    yield table(("name", "what it is", "calls in a rehearsal"), rows, right=(2,))


def catalogue() -> Iterator[str]:
    for protocol in own_protocols().values():
        yield f"## {protocol.name}\n"
        yield f"{protocol.description}\n"
        yield from facts(protocol)
        picture = f"{protocol.name}.svg"
        if (PICTURES / picture).exists():  # of protocols that have a recording
            yield f"![{protocol.name} in the terminal, half way through its recording](../pictures/{picture})\n"
        if rows := settings_of(protocol):
            yield "**Settings**, each by `--set NAME=VALUE`:\n"
            yield table(("setting", "otherwise", "may be", "what it is"), rows)
        yield "**The script**, without its forms and prompts:\n"
        yield f"```python\n{inspect.getsource(protocol.play)}```\n"


def facts(protocol: Protocol) -> Iterator[str]:
    played = rehearsed(protocol)
    calls = sum(map(len, played.waves))
    seats = Counter(f"{s.role}" + (f" of team {s.team}" if s.team else "") for s in played.debate.seats)
    labels = Counter(re.sub(r" \d+$", "", str(r.label)) for r in played.proceedings.transcript.rounds)
    again = {0: "never", 1: "once"}.get(protocol.retries, f"{protocol.retries} times at most")
    yield table(
        ("what", "how it is"),
        [
            ("version", str(protocol.version)),
            ("seats", ", ".join(f"{count} × {what}" for what, count in seats.items())),
            ("rounds in a rehearsal", ", ".join(label if n == 1 else f"{n} × {label}" for label, n in labels.items())),
            ("calls in a rehearsal", f"{calls}, in {len(played.waves)} waves"),
            ("order of speakers", protocol.order),
            ("a bad answer goes back", again),
            ("judges mark", "each speech" if protocol.rubric == "speech" else "each argument, and what was said to it"),
        ],
    )


def settings_of(protocol: Protocol) -> list[tuple[str, ...]]:
    fields: Mapping[str, Any] = protocol.settings.model_json_schema().get("properties", {})
    return [
        (code(name), code(json.dumps(f.get("default"))), bounds(f).strip(" ()"), f.get("description", ""))
        for name, f in fields.items()
    ]


# -- formats, settings ---------------------------------------------------------------------


def formats() -> Iterator[str]:
    own = [each for each in exports().values() if getattr(each, "__name__", "").startswith("hustings.")]
    rows = [(f"`{each.FORMAT}`", f"`.{each.SUFFIX}`", " ".join((inspect.getdoc(each) or "").split())) for each in own]
    yield table(("format", "file", "what it holds"), rows)


def rules() -> Iterator[str]:
    yield f"{len(RULES)} rules: {sum(r.severity == 'error' for r in RULES.values())} errors, the others warnings.\n"
    titles = {doc[3:4]: doc[6:] for group in GROUPS if (doc := (inspect.getdoc(group) or "").splitlines()[0])}
    for letter in dict.fromkeys(rule.code[3] for rule in RULES.values()):
        rows = [(f"`{r.code}`", r.severity, r.title) for r in RULES.values() if r.code[3] == letter]
        yield f"### DT-{letter}\n"
        yield f"{titles.get(letter, '').strip().capitalize()}\n"
        yield table(("rule", "severity", "what is wrong"), rows)


def options() -> Iterator[str]:
    rows = [(code(name), kind(field), field.description or "") for name, field in Options.model_fields.items()]
    chosen = [(code(name), "text", File.model_fields[name].description or "") for name in ("profile", "cast")]
    yield table(("setting", "kind", "what it is"), [*rows, *chosen])


def speakers() -> Iterator[str]:
    short = {name: f"LLM_{variable}" for variable, name in SHORT.items()} | {
        "price": "LLM_PRICE_INPUT, LLM_PRICE_OUTPUT"
    }
    rows = [
        (code(name), ", ".join(map(code, short.get(name, f"LLM_{name.upper()}").split(", "))), field.description or "")
        for name, field in ModelTable.model_fields.items()
    ]
    yield table(("in a file", "as a variable", "what it is"), rows)


def providers() -> Iterator[str]:
    also = {name: alias for alias, name in ALIASES.items()}
    rows = [
        (
            code(name) + (f", {code(also[name])}" if name in also else ""),
            code(each.url) if each.url else "the one you give",
            ", ".join(map(code, each.keys)) or ("none needed" if each.url else "`LLM_API_KEY`, if it wants one"),
        )
        for name, each in PROVIDERS.items()
    ]
    yield table(("provider", "address", "key"), rows)


def kind(field: Any) -> str:
    text = str(field.annotation)
    for word, shown in (("Literal", ""), ("bool", "true or false"), ("int", "whole number"), ("float", "number")):
        if word in text:
            return shown or ", ".join(re.findall(r"'(\w+)'", text))
    return "text"


# -- writing -------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    lines = [head, ["--:" if n in right else "---" for n in range(len(head))], *rows]
    return "".join(f"| {' | '.join(cell(c) for c in line)} |\n" for line in lines)


def cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def code(text: str) -> str:
    return f"`{text}`"


PARTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "commands": commands,
    "variables": variables,
    "exit-codes": exit_codes,
    "overview": overview,
    "catalogue": catalogue,
    "formats": formats,
    "rules": rules,
    "options": options,
    "speakers": speakers,
    "providers": providers,
}


def written(text: str) -> str:
    """A page with all its parts as the code has them now."""
    return PART.sub(lambda found: "\n".join([found[1].rstrip(), "", *PARTS[found["name"]](), found[3]]), text)


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def main() -> int:
    for page in pages():
        before = page.read_text("utf-8")
        if (after := written(before)) != before:
            page.write_text(after, "utf-8")
            print(page.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
