"""Settings files: their schema, errors with line and nearest valid name, and layers (user, project, profile)."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.llm.environment import Tables, prefix_of
from hustings.llm.model_spec import Address, Price, parse_model_spec
from hustings.llm.patience import LOADING, USUAL
from hustings.runs.debate_fields import OPTIONS as OPTIONS_OF_FIELDS
from hustings.runs.debate_fields import DebateFields
from hustings.script.complaints import words_of_error

from .command_table import CommandTable
from .paths import read_text, settings_paths
from .tool_table import ToolTable


class ModelTable(BaseModel, defer_build=True):
    """A model and where it answers. Never a key: `hustings keys set`, or a variable."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    provider: str | None = Field(None, description="openai, anthropic, google, ollama, …; `hustings models` lists them")
    model: str | None = Field(None, description="the model's name, as its provider spells it")
    base_url: Address | None = Field(None, description="address of an OpenAI-compatible server")
    temperature: float | None = Field(None, ge=0)
    max_tokens: int | None = Field(None, gt=0, description="longest answer, in tokens")
    price: Price | None = Field(None, description="USD per million tokens, if hustings does not know it")
    requests_per_minute: int | None = Field(None, gt=0)
    tokens_per_minute: int | None = Field(None, gt=0)
    at_once: int | None = Field(None, gt=0, description="calls at the same time")
    context: int | None = Field(None, gt=0, description="the model's context window, in tokens")
    timeout: float | None = Field(
        None,
        gt=0,
        description=f"seconds for a whole answer (default {USUAL.whole:g}, on this machine {LOADING.whole:g})",
    )
    first_token_timeout: float | None = Field(
        None,
        gt=0,
        description=f"seconds until an answer begins (default {USUAL.first_word:g}, on this machine "
        f"{LOADING.first_word:g})",
    )


def _default(name: str, description: str) -> Any:
    """A field of a debate as a default in a file, where it may be missing."""
    kind: Any = OPTIONS_OF_FIELDS[name].simple or DebateFields.model_fields[name].annotation
    return kind | None, Field(None, description=description)


FieldDefaults = create_model(
    "FieldDefaults",
    **{name: _default(name, option.setting) for name, option in OPTIONS_OF_FIELDS.items() if option.setting},
)


class Options(FieldDefaults, defer_build=True):
    """Defaults of the commands' options; a variable HUSTINGS_… or the option itself wins."""

    display: Literal["live", "plain", "json", "quiet"] | None = Field(None, description="how to show a debate")
    database: str | None = Field(None, description="where debates are stored (in config.toml only)")


class Profile(Options):
    """Settings under one name, chosen by --profile; tables are those of seats, teams and roles, or `llm`."""

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)
    # Tells pydantic the type of every other table.
    __pydantic_extra__: dict[str, ModelTable] = Field(init=False)  # pyright: ignore[reportIncompatibleVariableOverride]

    llm: ModelTable | None = Field(None, description="the model for every seat without its own")


class File(Profile):
    """All of a file. Any table with another name is a seat, a team or a role: [pro], [pro_2], [judge]."""

    profile: str | None = Field(None, description="profile to use by default")
    cast: str | None = Field(None, description="cast to use by default")
    profiles: dict[str, Profile] = Field(default_factory=dict, description="used with --profile NAME")
    catalogue: str | None = Field(
        None, description="a folder with personalities.toml, lenses.toml or topics.toml of your own"
    )
    personalities: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="your own: name, style, and how it argues, addressed to the speaker"
    )
    lenses: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="your own: name, priority, two or three questions as `asks`"
    )
    topics: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="your own: text, and a language other than English"
    )
    tools: dict[str, ToolTable] = Field(
        default_factory=dict, description="used with --tools NAME: servers of tools (MCP) for speakers"
    )
    commands: dict[Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")], CommandTable] = Field(
        default_factory=dict, description="used as the model cli/NAME: programs that answer (in config.toml only)"
    )
    casts: dict[str, dict[str, str]] = Field(
        default_factory=dict, description="used with --cast NAME: seat, team or role = model, such as ollama/llama3.2"
    )


OPTIONS = tuple(Options.model_fields)
SPEAKER = tuple(ModelTable.model_fields)
TABLES = ("llm", "profiles", "casts", "personalities", "lenses", "topics", "tools", "commands")


def schema() -> str:
    """JSON Schema of both files."""
    made: dict[str, Any] = File.model_json_schema()
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **made}, indent=2) + "\n"


WORDS = ("pro", "con", "judge", "moderator", "debater", "panelist", "contrarian")
"""Common teams and roles. Names of other protocols are looked up only when needed."""
_SECRET = re.compile(r"(?i)key|secret|password|^token$")


@dataclass(frozen=True)
class ParsedSettings:
    """A settings file, parsed and validated."""

    path: Path
    said: File
    shared: bool = False
    """The file lies in a folder that others may have written."""

    @property
    def place(self) -> str:
        return self.path.name


def read_settings(path: Path, *, shared: bool) -> ParsedSettings:
    text = read_text(path)
    try:
        said: dict[str, Any] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BrokenFile(f"{path} is not valid TOML", why=str(error), fix="correct that line") from None
    try:
        found = File.model_validate(said)
    except ValidationError as error:
        # The error's own text repeats the input, which may be a key in the wrong place.
        wrong = error.errors(include_input=False, include_url=False)[0]
        at = tuple(str(part) for part in wrong["loc"])
        raise _broken(path, text, at, *_complaint(at, wrong["type"], words_of_error(wrong))) from None
    if shared and (at := _place_of_database(found)):
        what = "a shared folder can't decide where your debates are stored"
        raise _broken(path, text, at, what, "set it in config.toml: hustings config path")
    if shared and found.commands:
        what = "a shared folder can't name programs to start"
        raise _broken(path, text, ("commands",), what, "name them in config.toml: hustings config path")
    if at := _protocol_file(found):
        what = "a settings file can't name code to run"
        raise _broken(path, text, at, what, "name the file where you need it: -p ./duel.py")
    for at in _strange_tables(found):
        raise _broken(path, text, at, "no protocol has such a seat, team or role", _nearest(at[-1], (*TABLES, *WORDS)))
    return ParsedSettings(path, found, shared)


def _broken(path: Path, text: str, at: Sequence[str], what: str, fix: str) -> BrokenFile:
    line = line_of(text, at)
    where = f", line {line}" if line else ""
    return BrokenFile(f"{path}{where}, {'.'.join(at)}: {what}", fix=fix)


def _complaint(at: tuple[str, ...], kind: str, message: str) -> tuple[str, str]:
    """What is wrong, and how to fix it."""
    name = at[-1]
    if at[0] in PROGRAMS and len(at) > 1:
        return _about_program(at, kind, message)
    if kind in {"extra_forbidden", "model_type"} and _SECRET.search(name):
        return "keys don't belong in this file", "hustings keys set PROVIDER, or put LLM_API_KEY=… in .env"
    if kind == "string_type" and at in {("profile",), ("cast",)}:
        return "this must be a name", f"define it as a table [{name}s.NAME]"
    if kind == "extra_forbidden":
        return "unknown model setting", _nearest(name, SPEAKER)
    if kind == "model_type" and at[:1] == ("profiles",):
        return "unknown setting of a profile", _nearest(name, (*OPTIONS, "llm"))
    if kind == "model_type":
        return "unknown setting", _nearest(name, (*OPTIONS, "profile", "cast", "catalogue", *TABLES))
    return "invalid value", message


PROGRAMS: dict[str, tuple[str, type[ToolTable | CommandTable]]] = {
    "tools": ("tool", ToolTable),
    "commands": ("command", CommandTable),
}


def _about_program(at: tuple[str, ...], kind: str, message: str) -> tuple[str, str]:
    name, table = PROGRAMS[at[0]]
    if kind == "extra_forbidden":
        return f"unknown setting of a {name}", _nearest(at[-1], table.model_fields)
    if kind == "missing":
        return f"a {name} needs this", f"set it in [{'.'.join(at[:2])}]: {table.model_fields[at[-1]].description}"
    return "invalid value", message


def _nearest(name: str, known: Iterable[str]) -> str:
    known = list(known)
    near = get_close_matches(name, known, 1, 0.5)
    return f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(known)}"


def _place_of_database(said: File) -> tuple[str, ...]:
    if said.database is not None:
        return ("database",)
    return next(
        (("profiles", name, "database") for name, profile in said.profiles.items() if profile.database is not None), ()
    )


def _protocol_file(said: File) -> tuple[str, ...]:
    """Where a protocol is a file: the author of a folder would decide what code runs in it."""
    places: dict[tuple[str, ...], Profile] = {("protocol",): said}
    places |= {("profiles", name, "protocol"): profile for name, profile in said.profiles.items()}
    return next((at for at, defaults in places.items() if (vars(defaults)["protocol"] or "").endswith(".py")), ())


def _strange_tables(said: File) -> Iterable[tuple[str, ...]]:
    """Tables whose name looks like a misspelt known one, unless a protocol has a seat of that name."""
    for at in tables_of(said):
        word = at[-1].lower().partition("_")[0]
        if word not in (*WORDS, "llm") and get_close_matches(word, (*WORDS, *TABLES), 1, 0.75) and word not in seated():
            yield at


def tables_of(said: File) -> list[tuple[str, ...]]:
    """Paths of all tables that name a seat, team or role."""
    own = [(name,) for name in said.__pydantic_extra__]
    profiles = [("profiles", title, name) for title, part in said.profiles.items() for name in part.__pydantic_extra__]
    return [*own, *profiles, *(("casts", title, name) for title, cast in said.casts.items() for name in cast)]


def seated() -> frozenset[str]:
    """All names by which seats of the known protocols can be addressed."""
    from hustings.runs.registry import load_catalogue, protocols  # noqa: PLC0415  heavy, and seldom needed
    from hustings.runs.staging import plan  # noqa: PLC0415

    seats = [seat for protocol in protocols().values() for seat in plan(protocol, "Is it so?").seats]
    names = {name for seat in seats for name in (seat.id, seat.id.partition("_")[0], seat.team, seat.role)}
    return frozenset(names | {lens.id for lens in load_catalogue().lenses})


def line_of(text: str, at: Sequence[str]) -> int | None:
    """Line of a setting by its path; for an inline value, the line of the table or key around it."""
    table: list[str] = []
    best, length = None, 0
    for number, line in enumerate(text.splitlines(), 1):
        if title := re.match(r"\s*\[\[?([^\[\]]+)\]", line):
            table = path = _parts(title[1])
        elif name := re.match(
            r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=", line
        ):
            path = [*table, *_parts(name[1])]
        else:
            continue
        shared = min(len(path), len(at))
        if shared > length and path[:shared] == list(at)[:shared]:
            best, length = number, shared
    return best


def _parts(text: str) -> list[str]:
    return [part.strip().strip("\"'") for part in text.split(".")]


def settings_files() -> tuple[ParsedSettings, ...]:
    """The user's file, then the project's, if they exist."""
    own, project = settings_paths()
    files = [read_settings(own, shared=False)] if own else []
    return (*files, read_settings(project, shared=True)) if project else tuple(files)


def option_defaults(profile: str = "", files: tuple[ParsedSettings, ...] | None = None) -> dict[str, Any]:
    """Defaults of the commands' options from the files, by parameter name."""
    return {name: value for name, (value, _) in options(profile, files).items()}


def options(profile: str = "", files: tuple[ParsedSettings, ...] | None = None) -> dict[str, tuple[Any, str]]:
    """Every option that a file sets, with its value and the file that wins."""
    files = settings_files() if files is None else files
    layers = [*((file.place, file.said, file.shared) for file in files), *profile_layers(profile, files)]
    found: dict[str, tuple[Any, str]] = {}
    for place, said, _ in layers:
        given = said.model_dump(include=set(OPTIONS), exclude_none=True)
        found |= {name: (value, place) for name, value in given.items()}
    return found


def file_layers(profile: str = "", files: tuple[ParsedSettings, ...] | None = None) -> tuple[Tables, ...]:
    """Model settings from the files, lowest precedence first."""
    files = settings_files() if files is None else files
    layers = [*((file.place, file.said, file.shared) for file in files), *profile_layers(profile, files)]
    return tuple(Tables(place, _tables(said), shared) for place, said, shared in layers)


def profile_layers(name: str, files: tuple[ParsedSettings, ...]) -> list[tuple[str, Profile, bool]]:
    """Layers of the chosen profile; if both files define it, the project's wins over the user's."""
    name = name or chosen("profile", files)
    if not name:
        return []
    found = [
        (f"profile {name} ({file.place})", file.said.profiles[name], file.shared)
        for file in files
        if name in file.said.profiles
    ]
    if not found:
        raise _unknown("profile", name, [other for file in files for other in file.said.profiles])
    return found


def cast_layer(name: str = "", files: tuple[ParsedSettings, ...] | None = None) -> Tables | None:
    """The chosen cast: models by seat, team or role. It wins over every variable."""
    files = settings_files() if files is None else files
    name = name or chosen("cast", files)
    if not name:
        return None
    file = next((file for file in reversed(files) if name in file.said.casts), None)
    if file is None:
        raise _unknown("cast", name, [other for file in files for other in file.said.casts])
    tables: dict[str, dict[str, Any]] = {}
    for seat, model in file.said.casts[name].items():
        try:
            tables[prefix_of(seat)] = parse_model_spec(model).model_dump(exclude_unset=True)
        except Unsuitable as error:
            raise Unsuitable(f"{file.path}, casts.{name}.{seat}: {error}") from None
    return Tables(f"cast {name}", tables, file.shared)


def chosen(kind: str, files: tuple[ParsedSettings, ...]) -> str:
    """The profile or cast named by a variable, else by the project's file, else by the user's."""
    named = os.environ.get(f"HUSTINGS_{kind.upper()}", "").strip()
    return named or next((name for file in reversed(files) if (name := getattr(file.said, kind))), "")


def _tables(said: Profile) -> Mapping[str, Mapping[str, Any]]:
    speakers = {**({"llm": said.llm} if said.llm else {}), **said.__pydantic_extra__}
    return {prefix_of(name): speaker.model_dump(exclude_none=True) for name, speaker in speakers.items()}


def _unknown(kind: str, name: str, known: list[str]) -> NotFound:
    if not known:
        return NotFound(f"no {kind} {name!r}", fix=f"add it to hustings.toml as [{kind}s.{name}]")
    return NotFound.among(known, kind, name)
