"""Entry point of `hustings`: runs the command line and turns errors into messages and exit codes."""

from __future__ import annotations

import gc
import os
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from .cli.lazy_commands import Commands
from .cli.terminal import (
    is_output_fault,
    last_output,
    must_have_streams,
    show,
    tell_error,
    tell_fault,
    tell_output_fault,
    wants_json,
)
from .cli.welcome import welcome
from .config.paths import log_file
from .errors import HustingsError

app = typer.Typer(
    name="hustings",
    cls=Commands,
    help="Put a question to a debate between AI models or people, and see which arguments hold up.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def begin(
    ctx: typer.Context,
    *,
    show_version: Annotated[bool, typer.Option("--version", help="Show the version.", is_eager=True)] = False,
) -> None:
    """Without a command, show what was found here and what to type next."""
    if show_version:
        show(f"hustings {version('hustings')}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        welcome(ctx)


def main() -> None:
    """Run the command line. Errors end in a few lines, not in a traceback."""
    gc.set_threshold(50_000)  # a short command makes little but modules, which stay
    must_have_streams()
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            # A character that the terminal cannot encode is shown as its number.
            reconfigure(errors="backslashreplace")
    if sys.argv[1:] == ["--version"]:
        # Parsing options loads pydantic, which takes twice as long as all the rest.
        show(f"hustings {version('hustings')}")
        last_output()
        return
    streams = sys.stdout, sys.stderr
    try:
        if "_HUSTINGS_COMPLETE" in os.environ:
            _know_shells()
        app()
        code = None
    except SystemExit as left:
        # Typer puts others in their place when a reader has gone, which is no fault.
        code = left.code if (sys.stdout, sys.stderr) == streams else 0
    except Exception as error:  # noqa: BLE001  the outermost handler
        code = _told(error)
    sys.stdout, sys.stderr = streams
    if fault := last_output():
        code = tell_output_fault(fault)
    sys.exit(code)


def _know_shells() -> None:
    """Without options to install it, Typer knows no shell that asks how a line could go on."""
    from typer.completion import (  # noqa: PLC0415  little used
        completion_init,  # pyright: ignore[reportPrivateImportUsage]
    )

    completion_init()


def _told(error: Exception) -> int:
    as_json = wants_json(sys.argv)
    if is_output_fault(error):
        return tell_output_fault(error)
    if isinstance(error, HustingsError):
        return tell_error(error, as_json=as_json)
    if type(error).__module__ == "sqlalchemy.exc":
        from .db.faults import unusable  # noqa: PLC0415  commands that need no database do without

        return tell_error(unusable(error), as_json=as_json)
    return tell_fault(error, log_file(), as_json=as_json)
