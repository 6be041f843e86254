"""`hustings config`, `init` and `completion`: show and write settings, with their origin; complete commands."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from hustings.cli.model_option import EndpointOption, ModelOption, named_model
from hustings.cli.options import AsJson
from hustings.cli.terminal import show, show_json, show_line, talk
from hustings.config.models import configured_models
from hustings.config.paths import DOTENV, PROJECT_FILE, found_upwards, user_file
from hustings.config.settings_files import schema, seated
from hustings.config.settings_in_use import options_in_use
from hustings.config.time_limits import time_limits, unused
from hustings.config.variables import variables
from hustings.errors import HustingsError, NotFound, Unsuitable
from hustings.llm.environment import Environment
from hustings.llm.model_spec import ModelSpec, Origin, Price, model_spec_of, resolve
from hustings.runs.registry import protocols
from hustings.runs.staging import plan
from hustings.script.seats import Seat

Profile = Annotated[
    str,
    typer.Option(
        "--profile", metavar="NAME", envvar="HUSTINGS_PROFILE", help="Profile to use from your settings files."
    ),
]
CastName = Annotated[
    str, typer.Option("--cast", metavar="NAME", envvar="HUSTINGS_CAST", help="Cast to use from your settings files.")
]

UNSAID = {
    "retries": "set by the protocol",
    "budget": "$1.00 if paid",
    "max_tokens_total": "no cap",
    "max_calls": "no cap",
    "max_minutes": "no cap",
    "display": "live in a terminal, otherwise plain",
}
"""Text shown for options without a value."""


def show_config(
    seat: Annotated[
        str, typer.Argument(metavar="SEAT", help="A seat, such as pro_2 or judge. Default: all seats.")
    ] = "",
    *,
    origin: Annotated[bool, typer.Option("--origin", help="Also show where each value comes from.")] = False,
    model: ModelOption = "",
    endpoint: EndpointOption = "",
    profile: Profile = "",
    cast: CastName = "",
    as_json: AsJson = False,
) -> None:
    """Show the settings in use, for all seats or one. Keys appear by name only."""
    known, flag = variables(profile=profile, cast=cast), named_model(model, endpoint)
    rows = {**({} if seat else options_in_use(profile)), **_model_spec(seat, known, flag)}
    if as_json:
        show_json({name: {"value": value, "origin": str(place)} for name, (value, place) in rows.items()})
    else:
        said = {name: _said(name, value) for name, (value, _) in rows.items()}
        wide = min(max(map(len, said.values()), default=0), 48)
        for name, (_, place) in rows.items():
            show_line(f"{name:<20} {said[name]:<{wide}}  {place}" if origin else f"{name:<20} {said[name]}")
    talk(_standing(seat, known, flag))
    talk("Next: hustings config show --origin SEAT" if not seat else "Next: hustings doctor")


def _said(name: str, value: Any) -> str:
    """The value as a settings file would write it, else the text for no value."""
    if value is None:
        return UNSAID[name]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _model_spec(seat: str, known: Environment, flag: ModelSpec | None) -> dict[str, tuple[Any, Origin | str]]:
    found = resolve(seat_named(seat, known), known, flag=flag)
    rows: dict[str, tuple[Any, Origin | str]] = {}
    for name, origin in found.origins.items():
        value = getattr(found.model_spec, name)
        rows[name] = (f"{value.input} in, {value.output} out" if isinstance(value, Price) else value, origin)
    if key := found.model_spec.key:
        rows["key"] = (key, f"{known.place_of(key)} (never shown)")
    return {**rows, **time_limits(found, known), **unused(found)}


def _standing(seat: str, known: Environment, flag: ModelSpec | None) -> str:
    """Whether these settings are enough for a debate, in a sentence."""
    if not known.set_up and flag is None:
        return "No model is configured. `hustings run` uses the first one it finds: hustings models"
    try:
        model_spec = model_spec_of(seat_named(seat, known), known, flag=flag)
    except HustingsError as error:
        return f"Not ready: {error}"
    key = f", key {model_spec.key} from {known.place_of(model_spec.key)}" if model_spec.key else ""
    where = f" at {model_spec.base_url}" if model_spec.base_url else ""
    return f"Model for {seat or 'all seats'}: {model_spec.label}{where}{key}."


def seat_named(name: str, known: Environment) -> Seat:
    """The seat of that name in any protocol, so that its team and role apply; else a team or role of that name."""
    if not name or name == "llm":
        return Seat("", role="")

    seats = [seat for protocol in protocols().values() for seat in plan(protocol, "Is it so?").seats]
    by_id = {seat.id: seat for seat in reversed(seats)}
    words = {word for seat in seats for word in (seat.id, seat.team, seat.role) if word}
    if name in by_id:
        return by_id[name]
    if name.startswith("judge"):
        return Seat(name, role="judge")
    if name in words or name.partition("_")[0] in words:
        return Seat(name, role=name)
    if name in seated() or name in {speaker.name for speaker in configured_models(known)}:
        return Seat(name)
    raise NotFound.among(sorted({*words, "judge"}), "seat", name)


def show_paths(*, as_json: AsJson = False) -> None:
    """Show which files hold settings, in increasing priority."""
    project, dotenv = found_upwards(PROJECT_FILE), found_upwards(DOTENV)
    own = user_file()
    found = {"user": own if own.is_file() else None, "project": project, "dotenv": dotenv}
    if as_json:
        show_json({"user_file": str(own), **{name: str(path) if path else None for name, path in found.items()}})
        return
    show(f"user      {own}{'' if own.is_file() else '  (created on first use)'}")
    show(f"project   {project or 'not found here or in parent folders'}")
    show(f".env      {dotenv or 'not found here or in parent folders'}")
    talk("Next: hustings config show --origin")


def init_config(
    *, user: Annotated[bool, typer.Option("--user", help="Write your own config.toml, used in every project.")] = False
) -> None:
    """Write a settings file in which every option is a comment: hustings.toml, or your own config.toml."""
    write_settings(user_file() if user else Path(PROJECT_FILE))


def show_schema() -> None:
    """Print the JSON Schema of hustings.toml and config.toml, for editors."""
    show(schema().rstrip("\n"))
    talk("`hustings init` writes a file that points editors to it")


SCHEMA = "hustings.schema.json"


def init_project(
    *,
    env: Annotated[
        bool, typer.Option("--env", help="Write .env.example instead: variables for models and keys.")
    ] = False,
) -> None:
    """Write hustings.toml in this folder, with everything it may say as a comment."""
    if env:
        write_new(Path(ENV_EXAMPLE), ENV_TEMPLATE)
        talk(f"Wrote {ENV_EXAMPLE}. Copy it to {DOTENV}, fill in your own, and keep {DOTENV} out of version control")
    else:
        write_settings(Path(PROJECT_FILE))


ENV_EXAMPLE = ".env.example"


def write_settings(path: Path) -> None:
    write_new(path, f"#:schema {schema_line(path)}\n{TEMPLATE}")
    talk(f"Wrote {path.name}. Check it: hustings doctor")


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Unsuitable(f"{path} already exists", fix="edit it, or move it away first") from None
    except OSError as error:
        raise Unsuitable(f"can't write {path}", why=error.strerror or "", fix="choose another folder") from None
    show(str(path))


def schema_line(path: Path) -> str:
    """Schema location for editors: relative if the package lies below the file's folder, so it works for others too."""
    shipped, folder = Path(str(files("hustings") / "data" / SCHEMA)), path.absolute().parent
    return f"./{shipped.relative_to(folder)}" if shipped.is_relative_to(folder) else shipped.as_uri()


TEMPLATE = """\
# Settings of hustings for this folder and below. Variables (LLM_MODEL, HUSTINGS_PROTOCOL) and options override them.
# See the settings in use:          hustings config show --origin
# Keys are stored elsewhere:        hustings keys set anthropic

# protocol = "structured"        # hustings protocols
# budget = 1.00                  # spending limit of a debate, in USD
# judges = "auto"                # or models separated by commas, or "none"
# control = false                # also ask the models without a debate and compare
# language = "en"
# retries = 1                    # retries after an unusable answer
# display = "live"               # live, plain, json or quiet

# The model for every seat:
# [llm]
# provider = "ollama"            # hustings models
# model = "llama3.2"
# temperature = 0.7
# max_tokens = 2000

# For one team, role or seat; the narrowest wins:
# [con]
# provider = "anthropic"
# model = "claude-sonnet-5-5"
# [judge]
# provider = "openai"
# model = "gpt-6.1-terra"

# Any OpenAI-compatible server, with its price in USD per million tokens:
# [pro_2]
# provider = "openai_compatible"
# base_url = "http://localhost:1234/v1"
# model = "gemma"
# price = { input = 0.0, output = 0.0 }

# Named defaults, used with --profile quick:
# [profiles.quick]
# max_calls = 10
# [profiles.quick.llm]
# provider = "ollama"
# model = "llama3.2"

# Named models for seats, used with --cast duel:
# [casts.duel]
# pro = "ollama/llama3.2"
# con = "ollama/qwen3"

# Ways to argue and topics of your own, beside those of `hustings catalogue`; or a folder with such files:
# catalogue = "debates"          # personalities.toml, lenses.toml, topics.toml
# [personalities.calm]
# name = "Calm"
# style = "slow and exact"
# how = "Take your time. Say one thing at a time, and say what would change your mind."
# [topics.buses]
# text = "Should buses run all night?"
"""

ENV_TEMPLATE = """\
# Variables for hustings. Copy this file to .env, which is read from this folder upwards.
# A .env holds secrets: keep it out of version control. What is in force: hustings config show --origin

# The model of every speaker, and its key:
# LLM_PROVIDER=anthropic
# LLM_MODEL=claude-sonnet-5-5
# ANTHROPIC_API_KEY=
# OPENAI_API_KEY=

# A server of your own; a key only if it wants one:
# LLM_PROVIDER=openai_compatible
# LLM_BASE_URL=http://localhost:1234/v1
# LLM_API_KEY=
# LLM_TEMPERATURE=0.7
# LLM_MAX_TOKENS=2000

# One team, role or seat; the narrower wins:
# CON_LLM_MODEL=claude-sonnet-5-5
# PRO_2_LLM_MODEL=claude-sonnet-5-5
# JUDGE_LLM_MODEL=claude-sonnet-5-5

# Options of the commands:
# HUSTINGS_BUDGET=1.00
# HUSTINGS_PROTOCOL=structured
# HUSTINGS_JUDGES=auto
# HUSTINGS_LANGUAGE=en
"""


Shell = Literal["bash", "zsh", "fish", "powershell"]
WHERE: dict[Shell, str] = {
    "bash": 'eval "$(hustings completion bash)" in ~/.bashrc',
    "zsh": 'eval "$(hustings completion zsh)" in ~/.zshrc, after compinit',
    "fish": "hustings completion fish > ~/.config/fish/completions/hustings.fish",
    "powershell": "hustings completion powershell | Out-String | Invoke-Expression in $PROFILE",
}


def show_completion(shell: Annotated[Shell, typer.Argument(help="Your shell.")]) -> None:
    """Print a shell completion script."""
    from typer.completion import (  # noqa: PLC0415  little used
        get_completion_script,  # pyright: ignore[reportPrivateImportUsage]
    )

    show(get_completion_script(prog_name="hustings", complete_var="_HUSTINGS_COMPLETE", shell=shell))
    talk(f"To install it: {WHERE[shell]}")
