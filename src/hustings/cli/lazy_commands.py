"""Table of all commands, and the Typer group that loads a command's module only when it is called."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup
from typer.main import get_command

from hustings.errors import without_keys

HAVING, READING, SETTING_UP, MANY, WRITING = (
    "Have a debate",
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

    def load(self, name: str) -> Any:
        from .options import flat  # noqa: PLC0415
        from .run_table import with_run_ids  # noqa: PLC0415  it loads the option types

        app = typer.Typer(add_completion=False, no_args_is_help=bool(self.parts), help=self.help, cls=Group)
        module, _, function = self.where.partition(":")
        found = import_module(f"hustings.cli.commands.{module}")
        for command, called in self.parts or ((name, function),):
            app.command(command, cls=Command)(with_run_ids(flat(getattr(found, called))))
        if self.parts:
            app.callback()(_group)
        return get_command(app)


def _group() -> None:
    """Make Typer treat a group with one command as a group."""


class Command(TyperCommand):
    """A command whose help shows arguments in capitals, and no value after a flag."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [_as_typed(param) for param in super().get_params(ctx)]

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}").replace("}...", "...") for piece in super().collect_usage_pieces(ctx)]


class Group(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        return [_as_typed(param) for param in super().get_params(ctx)]


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
            from .options import default_map  # noqa: PLC0415  it reads files

            ctx.default_map = {name: default_map(name, rest, tuple(part for part, _ in entry.parts))}
        return name, entry.load(name), rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Plain text in sections: the rich help of single commands takes longer to load than everything else."""
        formatter.write_usage(ctx.command_path, '["MOTION" | COMMAND] [OPTIONS]')
        formatter.write_paragraph()
        formatter.write_text(self.help or "")
        for panel in dict.fromkeys(entry.panel for entry in COMMANDS.values()):
            with formatter.section(panel):
                formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items() if entry.panel == panel])
        formatter.write_paragraph()
        formatter.write_text("Each has options of its own: hustings COMMAND --help. The version: hustings --version")


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
    near = get_close_matches(word, COMMANDS, 1)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return f"No such command {word!r}.{meant} To debate it: hustings run {word}"


def _is_motion(first: str) -> bool:
    """A space, a capital or another script; or an option of `run`, since the group has few options of its own."""
    if first.startswith("-"):
        return first.partition("=")[0] not in OWN_OPTIONS
    return not re.fullmatch(NAME, first)


NAME = r"[a-z][a-z0-9-]*"
OWN_OPTIONS = frozenset({"--help", "--version"})
COMMANDS = {
    "run": CommandEntry("run:run_debate", "Have a debate, and have it judged.", HAVING),
    "demo": CommandEntry("demo:show_demo", "Watch a recorded debate: no model, no key, no network.", HAVING),
    "resume": CommandEntry(
        "pause_resume_cancel:resume_run", "Go on with a run that was paused, or whose worker is gone.", HAVING
    ),
    "pause": CommandEntry(
        "pause_resume_cancel:pause_run", "Have a run, or a batch, pause after the calls in flight.", HAVING
    ),
    "cancel": CommandEntry(
        "pause_resume_cancel:cancel_run", "Stop a run, or a batch, for good after the calls in flight.", HAVING
    ),
    "judge": CommandEntry("judge:judge_run", "Judge a debate that is over; its transcript stays as it is.", HAVING),
    "fork": CommandEntry("run:fork_run", "Have a debate again from a turn on, with other settings or models.", HAVING),
    "say": CommandEntry("say:say_words", "Speak for a seat that is held by a person.", HAVING),
    "list": CommandEntry("show:list_runs", "List debates, newest first.", READING),
    "show": CommandEntry("show:show_run", "Show how a run stands, who is awaited, or what remains of it.", READING),
    "replay": CommandEntry("replay:replay_run", "Watch a debate again, from a recording or the database.", READING),
    "export": CommandEntry("export:export_run", "Write a debate that is over, judged or not, as a file.", READING),
    "compare": CommandEntry("compare:compare_runs", "Compare two debates that are over.", READING),
    "record": CommandEntry("replay:record_run", "Keep a debate that is over as a file to replay.", READING),
    "validate": CommandEntry("validate:validate_files", "Check transcripts against every rule.", READING),
    "models": CommandEntry("models:list_models", "List the models that can be used from here.", SETTING_UP),
    "keys": CommandEntry(
        "models",
        "Keep the keys of providers.",
        SETTING_UP,
        (("set", "set_key"), ("list", "list_keys"), ("delete", "delete_key"), ("path", "show_path")),
    ),
    "config": CommandEntry(
        "config",
        "See settings and where they come from.",
        SETTING_UP,
        (("show", "show_config"), ("path", "show_paths"), ("init", "init_config"), ("schema", "show_schema")),
    ),
    "init": CommandEntry("config:init_project", "Write hustings.toml into this folder.", SETTING_UP),
    "doctor": CommandEntry("doctor:examine", "See what works here and what does not, with the cure.", SETTING_UP),
    "audit": CommandEntry("judge:audit_model", "Try a model as a judge before it is trusted.", SETTING_UP),
    "completion": CommandEntry("config:show_completion", "Print what makes a shell complete commands.", SETTING_UP),
    "batch": CommandEntry("batch:run_batch", "Have many debates.", MANY),
    "serve": CommandEntry(
        "serve:serve_pages", "Show debates in the browser, and hold those that are begun there.", MANY
    ),
    "tokens": CommandEntry(
        "tokens",
        "Say who may use a server.",
        MANY,
        (
            ("add", "add_token"),
            ("link", "link_seat"),
            ("list", "list_tokens"),
            ("rotate", "rotate_token"),
            ("revoke", "revoke_token"),
        ),
    ),
    "activity": CommandEntry("tokens:list_activity", "List who did what with tokens, debates and caps.", MANY),
    "worker": CommandEntry("worker:work", "Carry out debates from the queue.", MANY),
    "db": CommandEntry(
        "db",
        "Make a database ready, back it up, cap spending, and let old runs go.",
        MANY,
        (
            ("upgrade", "upgrade_database"),
            ("backup", "back_up_database"),
            ("restore", "restore_database"),
            ("prune", "prune_database"),
            ("cap", "cap_spending"),
        ),
    ),
    "protocols": CommandEntry("rehearse:list_protocols", "List the protocols that can be played.", WRITING),
    "rehearse": CommandEntry("rehearse:rehearse_protocol", "Play a protocol with an improvising actor.", WRITING),
}
