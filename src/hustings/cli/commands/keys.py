"""`hustings keys`: store providers' keys on this machine; a key is never an argument and never shown."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from hustings.cli.options import AsJson
from hustings.cli.terminal import show, show_json, talk
from hustings.config.key_store import LONGEST_KEY, Kept, forget, keep, keys_file, variable_of
from hustings.errors import Unsuitable

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="A provider, such as anthropic, or a variable, such as PRO_LLM_API_KEY.")
]


def set_key(name: Name) -> None:
    """Keep a key: typed unseen at a terminal, or else read from standard input."""
    variable = variable_of(name)
    where = keep(variable, _asked_for(variable))
    talk(f"{variable} is kept in the {where}{f' {keys_file()}' if where == 'key file' else ''}.")
    talk("Next: hustings models")


def list_keys(*, as_json: AsJson = False) -> None:
    """List the names of the keys that are kept, and where."""
    places = Kept().places
    if as_json:
        show_json([{"name": name, "place": place} for name, place in sorted(places.items())])
        return
    for name, place in sorted(places.items()):
        show(f"{name:<24} {place}")
    talk(
        "Which are used, those in variables too: hustings models"
        if places
        else "None is kept: hustings keys set PROVIDER"
    )


def delete_key(name: Name) -> None:
    """Delete a key that is kept here."""
    variable = variable_of(name)
    where = forget(variable)
    talk(f"{variable} is no longer in the {where}. With its provider it is still valid: revoke it there if need be.")


def show_path() -> None:
    """Show where the file of keys is, or would be."""
    show(str(keys_file()))
    talk("Names of keys in the system's keyring stand there too. Next: hustings keys list")


def _asked_for(variable: str) -> str:
    if sys.stdin.isatty():
        return typer.prompt(f"{variable} (not shown)", hide_input=True, err=True)
    given = sys.stdin.readline(LONGEST_KEY + 2)
    if not given.strip():
        raise Unsuitable(
            "no key came on standard input", fix=f"type it at a terminal, or: hustings keys set {variable} < FILE"
        )
    return given
