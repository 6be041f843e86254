"""Programs from the user's own settings that answer for seats: found by name, with the values of their variables."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import SecretStr

from hustings.errors import NotFound, Unsuitable
from hustings.llm.command_model import CommandModel, LocalCommand

from .command_table import CommandTable
from .settings_files import settings_files


def configured_commands() -> dict[str, CommandTable]:
    """All programs by name. Only the user's own file may name them."""
    return {name: table for file in settings_files() for name, table in file.said.commands.items()}


def command_model(name: str, known: Mapping[str, str]) -> CommandModel:
    """The model behind `cli/NAME`, as it is set up on this machine."""
    tables = configured_commands()
    if name not in tables:
        raise NotFound(f"no command {name!r} is set up here", fix=f"describe it in config.toml as [commands.{name}]")
    table = tables[name]
    for variable in table.variables:
        if not known.get(variable, "").strip():
            raise Unsuitable(f"cli/{name} needs the variable {variable}, which is not set", fix=f"set {variable}")
    secrets = {variable: SecretStr(known[variable]) for variable in table.variables}
    return CommandModel(LocalCommand(name, table.command, table.characters, secrets))
