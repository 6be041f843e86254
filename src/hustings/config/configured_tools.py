"""Tools from the settings: where each runs, whether the user has agreed to it, and what it offers a debate."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import join

from pydantic import SecretStr, TypeAdapter, ValidationError

from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.endpoints import COMMAND
from hustings.llm.http_model import model_of
from hustings.llm.model import Model
from hustings.llm.model_spec import ModelSpec
from hustings.llm.tool_server import McpTool, ToolServer, must_be_installed, uses_of
from hustings.readers.files import is_file
from hustings.runs.tool_offers import ToolOffer
from hustings.script.tools import ToolTerms

from .configured_commands import command_model
from .paths import config_folder, read_text, writing
from .settings_files import ParsedSettings, settings_files
from .tool_table import ToolTable

START_SECONDS = 30.0
"""That a server has to start and to list what it offers."""


@dataclass(frozen=True)
class ConfiguredTool:
    """A tool as a settings file describes it."""

    name: str
    table: ToolTable
    place: str
    shared: bool
    """The file lies in a folder that another person may have written."""

    @property
    def sentence(self) -> str:
        """What happens if it is used."""
        table = self.table
        does = f"calls {table.url}" if table.url else f"runs {join(table.command)}"
        secrets = [*table.variables, *([table.key] if table.key else [])]
        gets = f", which gets {', '.join(secrets)}" if secrets else ""
        return f"The tool {self.name} ({self.place}) {does}{gets}. Allowed: {', '.join(table.allow)}."


def configured_tools(files: tuple[ParsedSettings, ...] | None = None) -> dict[str, ConfiguredTool]:
    """All tools by name. A project's file adds to those of the user and replaces none."""
    found: dict[str, ConfiguredTool] = {}
    for file in settings_files() if files is None else files:
        for name, table in file.said.tools.items():
            found.setdefault(name, ConfiguredTool(name, table, file.place, file.shared))
    return found


def find_tool(name: str) -> ConfiguredTool:
    known = configured_tools()
    if name not in known and not known:
        raise NotFound(f"no tool {name!r}", fix=f"describe it in config.toml as [tools.{name}]: hustings config path")
    if name not in known:
        raise NotFound.among([*known], "tool", name)
    return known[name]


def offers(names: Sequence[str], known: Mapping[str, str], agree: Callable[[str], bool]) -> tuple[ToolOffer, ...]:
    """What these tools offer a debate. Nothing is started before the user has agreed to it once."""
    if not names:
        return ()
    must_be_installed()
    found = [find_tool(name) for name in names]
    for tool in found:
        if tool.table.digest not in _agreed():
            if not agree(tool.sentence):
                raise Unsuitable(f"the tool {tool.name} was not allowed", fix="drop --tools, or allow it")
            _keep(tool)
    return tuple(_offer(tool, known) for tool in found)


def _offer(tool: ConfiguredTool, known: Mapping[str, str]) -> ToolOffer:
    table = tool.table
    uses = uses_of(server_of(tool, known), PUBLIC_OR_LOOPBACK, START_SECONDS)
    try:
        terms = ToolTerms(
            name=tool.name,
            about=" ".join(table.about.split()),
            uses=uses,
            seats=table.seats,
            calls=table.calls,
            characters=table.characters,
        )
    except ValidationError:
        raise Unsuitable(
            f"{tool.name!r} can't be the name of a tool", fix="use small letters, digits, dashes and underscores"
        ) from None
    return ToolOffer(terms=terms, seconds=table.seconds, price=table.price)


def server_of(tool: ConfiguredTool, known: Mapping[str, str]) -> ToolServer:
    """Where a tool runs, with the values of its variables."""
    table = tool.table
    for name in (*table.variables, *([table.key] if table.key else [])):
        if not known.get(name, "").strip():
            raise Unsuitable(f"the tool {tool.name} needs the variable {name}, which is not set", fix=f"set {name}")
    return ToolServer(
        tool.name,
        table.allow,
        table.command,
        table.url or "",
        {name: SecretStr(known[name]) for name in table.variables},
        SecretStr(known[table.key]) if table.key else None,
    )


def models_for(known: Mapping[str, str]) -> Callable[[ModelSpec], Model]:
    """Factory of models and tools for workers: with these keys, and no address of a private network."""

    def made(model_spec: ModelSpec) -> Model:
        if model_spec.provider == COMMAND:
            return command_model(model_spec.model, known)
        if model_spec.provider != "tool":
            return model_of(model_spec, known, PUBLIC_OR_LOOPBACK)
        must_be_installed()
        tool = find_tool(model_spec.model)
        if not may_start(tool):
            raise Unsuitable(f"nobody has agreed to the tool {tool.name} of {tool.place} here", fix=AGREE)
        return McpTool(server_of(tool, known), PUBLIC_OR_LOOPBACK)

    return made


AGREE = "start a debate with it from a terminal once: hustings run --tools NAME"


def may_start(tool: ConfiguredTool) -> bool:
    """Whether a tool may be started without a question: one of the user's own, or one that the user agreed to."""
    return not tool.shared or tool.table.digest in _agreed()


def agreed_file() -> Path:
    return config_folder() / "tools.json"


def _agreed() -> dict[str, str]:
    """Tools that the user agreed to: digest to name."""
    path = agreed_file()
    if not is_file(path):
        return {}
    try:
        return TypeAdapter(dict[str, str]).validate_json(read_text(path))
    except ValidationError:
        raise BrokenFile(f"{path} was changed or damaged", fix="delete it; you will be asked again") from None


def _keep(tool: ConfiguredTool) -> None:
    path = agreed_file()
    kept = {**_agreed(), tool.table.digest: tool.name}
    with writing(path):
        path.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
