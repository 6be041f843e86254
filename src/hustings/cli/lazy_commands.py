"""Table of all commands, and the Typer group that loads a command's module only when it is called."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup
from typer.main import get_command

from hustings.errors import without_keys

from .terminal import for_a_person, talk

HAVING, READING, SETTING_UP, MANY, WRITING = (
    "Run a debate",
    "Read, share, compare",
    "Set up",
    "Many debates",
    "Write a protocol",
)


@dataclass(frozen=True)
class CommandEntry:
    where: str
    """`module:function` under `hustings.cli.commands`; the module alone, for a group of commands."""
    help: str
    panel: str
    parts: tuple[tuple[str, str], ...] = ()
    """For a group: name and function of each command."""
    starting: str = ""
    """Said at once, before what is slow to load is loaded."""

    def load(self, name: str) -> Any:
        from .options import flat  # noqa: PLC0415
        from .run_table import with_run_ids  # noqa: PLC0415  it loads the option types

        app = typer.Typer(add_completion=False, no_args_is_help=bool(self.parts), help=self.help, cls=Group)
        module, _, function = self.where.partition(":")
        found = import_module(f"hustings.cli.commands.{module}")
        for command, called in self.parts or ((name, function),):
            told = examples(command) if not self.parts else None
            app.command(command, cls=Command, epilog=told)(with_run_ids(flat(getattr(found, called))))
        if self.parts:
            app.callback()(_group)
        return get_command(app)


def examples(command: str) -> str | None:
    """The examples below a command's help; Typer takes a blank line for the end of a line."""
    return "\n\n".join(("Examples:", *EXAMPLES[command])) if command in EXAMPLES else None


def _group() -> None:
    """Make Typer treat a group with one command as a group."""


class Command(TyperCommand):
    """A command whose help shows arguments in capitals, and no value after a flag."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [_as_typed(param) for param in super().get_params(ctx)]

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return ["[OPTIONS]", *(_usage(param) for param in self.get_params(ctx) if isinstance(param, TyperArgument))]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Square brackets in a help text are words: Typer would read `[vary]` as markup, and leave it out."""
        from rich.markup import escape  # noqa: PLC0415  for help only

        literal = copy(self)
        literal.help, literal.epilog = escape(self.help or ""), escape(self.epilog or "")
        literal.params = [copy(param) for param in self.params]
        for param in literal.params:
            vars(param).update(help=escape(getattr(param, "help", None) or ""))
        TyperCommand.format_help(literal, ctx, formatter)


class Group(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        return [_as_typed(param) for param in super().get_params(ctx)]


def _usage(argument: Any) -> str:
    """As Typer's own, which differs from release to release."""
    name = argument.metavar if argument.required else f"[{argument.metavar}]"
    return name if argument.nargs == 1 else f"{name}..."


def _as_typed(param: Any) -> Any:
    if isinstance(param, TyperArgument):
        param.metavar = param.metavar or str(param.name).upper()
        vars(param).update(display_type_rich=_no_type)
    elif param.is_flag:
        param.metavar = ""
    return param


def _no_type(**_: Any) -> None:
    """Hide the type of arguments in the help: all of them are text."""


class Commands(TyperGroup):
    """The top-level group. A first word that cannot be the name of a command is the motion of `run`."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        for name, entry in COMMANDS.items():
            self.add_command(TyperCommand(name, help=entry.help, callback=_group, rich_help_panel=entry.panel))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and not ctx.resilient_parsing and (wrong := _mistaken(args[0])):
            ctx.fail(wrong)
        return super().parse_args(ctx, ["run", *args] if args and _is_motion(args[0]) else args)

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        with _keys_unsaid():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: Any) -> Any:
        with _keys_unsaid():
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            ctx.fail(_unknown(args[0]))
        name, known, rest = super().resolve_command(ctx, args)
        if not name or not known:
            return name, known, rest
        entry = COMMANDS[name]
        if not ctx.resilient_parsing:
            if entry.starting and for_a_person(rest):
                talk(entry.starting)
            from .options import default_map  # noqa: PLC0415  it reads files

            ctx.default_map = {name: default_map(name, rest, tuple(part for part, _ in entry.parts))}
        return name, entry.load(name), rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Plain text in sections: the rich help of single commands takes longer to load than everything else."""
        formatter.write_usage(ctx.command_path, '["QUESTION" | COMMAND] [OPTIONS]')
        formatter.write_paragraph()
        formatter.write_text(self.help or "")
        for panel in dict.fromkeys(entry.panel for entry in COMMANDS.values()):
            with formatter.section(panel):
                formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items() if entry.panel == panel])
        formatter.write_paragraph()
        formatter.write_text("Options and examples: hustings COMMAND --help. Version: hustings --version")


@contextmanager
def _keys_unsaid() -> Generator[None]:
    """What was typed is not repeated where it looks like a key."""
    try:
        yield
    except typer.TyperException as error:
        if isinstance(said := getattr(error, "message", None), str):
            vars(error)["message"] = without_keys(said)
        raise


def _unknown(word: str) -> str:
    near = get_close_matches(word.casefold(), COMMANDS, 1)
    if near:
        return f"No such command {word!r}. Did you mean `hustings {near[0]}`? To debate it, quote a whole question."
    return f"No such command {word!r}. To debate it: hustings run {word}"


def _mistaken(first: str) -> str:
    """What is wrong with a first word that would pass for a question: a key, or a misspelt command."""
    if re.search(r"[\s?]", first) or first.startswith("-"):
        return ""
    if without_keys(first) != first:
        return "That looks like a key, not a question. Nothing was sent. To store a key: hustings keys set PROVIDER"
    near = _is_motion(first) and get_close_matches(first.casefold().strip("/_.:"), COMMANDS, 1, 0.8)
    return _unknown(first) if near else ""


def _is_motion(first: str) -> bool:
    """A space, a capital or another script; or an option of `run`, since the group has few options of its own."""
    if first.startswith("-"):
        return first.partition("=")[0] not in OWN_OPTIONS
    return not re.fullmatch(NAME, first)


NAME = r"[a-z][a-z0-9-]*"
EXAMPLES = {
    "run": (
        'hustings run "Should we adopt microservices?"',
        'hustings run "Should we adopt microservices?" --estimate',
        'hustings run "Should we adopt microservices?" --protocol roundtable --model improviser --budget 0.50',
    ),
    "start": (
        'hustings start "Should we adopt microservices?" --brain claude-opus-4',
        'hustings start "Should we adopt microservices?" --seat con=improviser --json',
    ),
    "next": ("hustings next last", "hustings next last --json"),
    "answer": (
        "hustings answer last 000.0-9f2c01ab --file pro.json",
        "hustings answer last 000.0-9f2c01ab --file - --next --json",
    ),
    "demo": ("hustings demo", "hustings demo structured --full --speed 20", "hustings demo --list"),
    "resume": ("hustings resume last", "hustings resume --batch monday"),
    "judge": (
        "hustings judge last",
        "hustings judge last --judges improviser --tier quick",
        "hustings judge last --control --estimate",
    ),
    "evaluate": (
        "hustings evaluate last --estimate",
        "hustings evaluate last --judges improviser --tier quick",
        "hustings evaluate last --recompute -o last.csv",
    ),
    "say": ("hustings say last con", 'hustings say last con "Costs fall."', "hustings say last con @answer.json"),
    "list": ("hustings list", "hustings list --state paused", "hustings list --batch monday --limit 10"),
    "show": ("hustings show last", "hustings show last --briefing --depth 3", "hustings show last --transcript"),
    "rate": ("hustings rate last 4", 'hustings rate last 2 --comment "It never came to the costs." --by Ana'),
    "outcome": ("hustings outcome last yes", 'hustings outcome last no --source "Minutes of 3 May"'),
    "export": ("hustings export last", "hustings export last -o report.html", "hustings export last --to csv -o -"),
    "import": (
        "hustings import debate.json",
        'hustings import chat.txt --speakers Ada,Ben --topic "Should towns close their centres to cars?"',
        "hustings import agents.json --as contexts --item all",
    ),
    "batch": (
        "hustings batch questions.csv -m openai/gpt-4o-mini --budget 0.20",
        "hustings batch study.toml --estimate",
        "hustings batch monday.jsonl --name monday --queue",
    ),
    "stats": ("hustings stats --since 30d", "hustings stats --by extent --json"),
    "serve": ("hustings serve --open", "hustings serve --port 0 --allow improviser"),
}
OWN_OPTIONS = frozenset({"--help", "--version"})
COMMANDS = {
    "run": CommandEntry("run:run_debate", "Run a debate and judge it.", HAVING, starting="Starting the debate …"),
    "start": CommandEntry(
        "start_next_answer:start_debate",
        "Start a debate whose seats you play yourself, and see its first questions.",
        HAVING,
    ),
    "next": CommandEntry(
        "start_next_answer:next_questions",
        "See the questions that are open in a debate you play, each with its whole prompt.",
        HAVING,
    ),
    "answer": CommandEntry("start_next_answer:answer_question", "Answer a question of a debate you play.", HAVING),
    "demo": CommandEntry(
        "demo:show_demo", "Watch a recorded debate, its best three minutes or all. Needs no model or key.", HAVING
    ),
    "resume": CommandEntry(
        "pause_resume_cancel:resume_run", "Finish a debate or a batch that was paused or interrupted.", HAVING
    ),
    "pause": CommandEntry("pause_resume_cancel:pause_run", "Pause a debate or a batch.", HAVING),
    "cancel": CommandEntry("pause_resume_cancel:cancel_run", "Stop a debate or a batch for good.", HAVING),
    "judge": CommandEntry("judge:judge_run", "Judge a finished debate.", HAVING),
    "evaluate": CommandEntry("evaluate:evaluate_runs", "Evaluate how each turn of a finished debate reasons.", HAVING),
    "summary": CommandEntry("judge:summarise", "Write a checked summary of a judged debate with a model.", HAVING),
    "fork": CommandEntry("run:fork_run", "Branch a debate at a turn, with other settings or models.", HAVING),
    "say": CommandEntry("say:say_words", "Answer for a human seat.", HAVING),
    "tell": CommandEntry("say:tell_seats", "Tell speakers something with their next question.", HAVING),
    "list": CommandEntry("list_runs:list_runs", "List debates, newest first.", READING),
    "show": CommandEntry("show:show_run", "Show the state of a debate, who it waits for, or its results.", READING),
    "rate": CommandEntry("rate:rate_run", "Rate a finished debate from 1 to 5.", READING),
    "outcome": CommandEntry(
        "outcome:record_outcome", "Record what really happened in the matter of a debate.", READING
    ),
    "label": CommandEntry(
        "label:label_run",
        "Label turns of a finished debate yourself, to check what evaluating models say of them.",
        READING,
    ),
    "replay": CommandEntry("replay:replay_run", "Watch a debate again, from a recording or the database.", READING),
    "export": CommandEntry("export:export_run", "Write a finished debate to a file.", READING),
    "import": CommandEntry("import_file:import_file", "Import debates that other programs wrote down.", READING),
    "compare": CommandEntry("compare:compare_runs", "Compare two finished debates.", READING),
    "record": CommandEntry("replay:record_run", "Save a finished debate as a file to replay.", READING),
    "validate": CommandEntry("validate:validate_files", "Check transcript files against the rules.", READING),
    "models": CommandEntry("models:list_models", "List the models you can use.", SETTING_UP),
    "keys": CommandEntry(
        "models",
        "Store provider API keys.",
        SETTING_UP,
        (("set", "set_key"), ("list", "list_keys"), ("delete", "delete_key"), ("path", "show_path")),
    ),
    "config": CommandEntry(
        "config",
        "Show settings and where they come from.",
        SETTING_UP,
        (("show", "show_config"), ("path", "show_paths"), ("init", "init_config"), ("schema", "show_schema")),
    ),
    "init": CommandEntry("config:init_project", "Write hustings.toml in this folder.", SETTING_UP),
    "catalogue": CommandEntry(
        "list_catalogue:list_catalogue", "List personalities, lenses and topics to choose from.", SETTING_UP
    ),
    "skill": CommandEntry(
        "skill",
        "Install the skill for coding agents.",
        SETTING_UP,
        (("install", "install_skill"), ("show", "show_skill")),
    ),
    "doctor": CommandEntry("doctor:examine", "Check the installation and show how to fix problems.", SETTING_UP),
    "audit": CommandEntry("judge:audit_model", "Test a model as a judge.", SETTING_UP),
    "completion": CommandEntry("config:show_completion", "Print a shell completion script.", SETTING_UP),
    "batch": CommandEntry("batch:run_batch", "Run many debates from a file.", MANY),
    "stats": CommandEntry(
        "stats:show_statistics",
        "Show figures over many debates: quality, cost, ratings, coordination, calibration.",
        MANY,
    ),
    "serve": CommandEntry(
        "serve:serve_pages",
        "Start, watch and read debates in your browser.",
        MANY,
        starting="Starting the server …",
    ),
    "mcp": CommandEntry("mcp:serve_assistant", "Offer debates as tools to an assistant (MCP).", MANY),
    "tokens": CommandEntry(
        "tokens",
        "Manage access tokens.",
        MANY,
        (
            ("add", "add_token"),
            ("link", "link_seat"),
            ("list", "list_tokens"),
            ("rotate", "rotate_token"),
            ("revoke", "revoke_token"),
        ),
    ),
    "activity": CommandEntry("tokens:list_activity", "List who did what with access tokens, debates and limits.", MANY),
    "worker": CommandEntry("worker:work", "Run queued debates.", MANY),
    "db": CommandEntry(
        "db",
        "Manage the database and spending limits.",
        MANY,
        (
            ("upgrade", "upgrade_database"),
            ("backup", "back_up_database"),
            ("restore", "restore_database"),
            ("prune", "prune_database"),
            ("cap", "cap_spending"),
        ),
    ),
    "protocols": CommandEntry("rehearse:list_protocols", "List the protocols.", WRITING),
    "rehearse": CommandEntry("rehearse:rehearse_protocol", "Try a protocol with invented words.", WRITING),
}
