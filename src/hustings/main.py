"""Entry point of `hustings`: runs the command line and turns errors into messages and exit codes."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from .cli.lazy_commands import Commands

app = typer.Typer(
    name="hustings",
    cls=Commands,
    help="Debates between language models and people, on an honest record, judged by rule.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def begin(
    ctx: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Show the version.", is_eager=True)] = False,
) -> None:
    """Without a command, show what was found here and what to type next."""
    if ctx.invoked_subcommand is not None and not version:
        return
    from .cli.welcome import show_version, welcome  # noqa: PLC0415  it probes the machine

    if version:
        show_version()
        raise typer.Exit
    welcome(ctx)


def main() -> None:
    """Run the command line. Errors end in a few lines, not in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            # A character that the terminal cannot encode is shown as its number.
            reconfigure(errors="backslashreplace")
    try:
        app()
    except Exception as error:  # noqa: BLE001  the outermost handler
        sys.exit(_told(error))


def _told(error: Exception) -> int:
    from hustings.cli.terminal import tell_error, tell_fault, wants_json  # noqa: PLC0415  needed only after an error

    from .config.paths import log_file  # noqa: PLC0415
    from .errors import HustingsError  # noqa: PLC0415

    as_json = wants_json(sys.argv)
    if isinstance(error, HustingsError):
        return tell_error(error, as_json=as_json)
    return tell_fault(error, log_file(), as_json=as_json)
