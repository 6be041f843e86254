"""Composition root: the commands of every face, added up."""

from __future__ import annotations

import sys

import typer

from hustings.cli.protocols import list_protocols
from hustings.cli.rehearse import rehearse_protocol
from hustings.cli.terminal import talk
from hustings.cli.validate import validate_files
from hustings.core.errors import ScriptError, UserError

app = typer.Typer(
    name="hustings",
    help="Debates between language models and people, on an honest record.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("protocols")(list_protocols)
app.command("rehearse")(rehearse_protocol)
app.command("validate")(validate_files)


def main() -> None:
    """Errors with an addressee end in a sentence, not in a traceback."""
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        # A terminal that lacks a letter is shown its number.
        reconfigure(errors="backslashreplace")
    try:
        app()
    except (UserError, ScriptError) as error:
        talk(f"Error: {error}")
        sys.exit(2 if isinstance(error, UserError) else 1)
