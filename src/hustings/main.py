"""Composition root: the commands of every face, added up."""

from __future__ import annotations

import sys

import typer

from hustings.cli.audit import audit_model
from hustings.cli.batch import run_batch
from hustings.cli.database import cap_spending, prune_database, upgrade_database
from hustings.cli.judge import judge_run
from hustings.cli.options import flat
from hustings.cli.protocols import list_protocols
from hustings.cli.rehearse import rehearse_protocol
from hustings.cli.run import fork_run, run_debate
from hustings.cli.runs import list_runs, say_words, show_run
from hustings.cli.steer import cancel_run, pause_run, resume_run
from hustings.cli.terminal import talk
from hustings.cli.validate import validate_files
from hustings.cli.worker import work
from hustings.core.errors import ScriptError, UserError

app = typer.Typer(
    name="hustings",
    help="Debates between language models and people, on an honest record.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
database = typer.Typer(help="Make a database ready, cap spending, and let old runs go.", no_args_is_help=True)
app.command("protocols")(list_protocols)
app.command("rehearse")(rehearse_protocol)
app.command("run")(flat(run_debate))
app.command("resume")(resume_run)
app.command("pause")(pause_run)
app.command("cancel")(cancel_run)
app.command("judge")(flat(judge_run))
app.command("audit")(flat(audit_model))
app.command("fork")(flat(fork_run))
app.command("list")(list_runs)
app.command("show")(flat(show_run))
app.command("say")(say_words)
app.command("batch")(flat(run_batch))
app.command("worker")(work)
app.command("validate")(validate_files)
database.command("upgrade")(upgrade_database)
database.command("prune")(prune_database)
database.command("cap")(cap_spending)
app.add_typer(database, name="db")


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
