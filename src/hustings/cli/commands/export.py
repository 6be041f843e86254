"""`hustings export`: write a finished debate as a report, data or argument map."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hustings.cli.options import DatabaseOption, Run
from hustings.cli.terminal import show_json, show_line, talk
from hustings.errors import Unsuitable
from hustings.runs.dossiers import dossier
from hustings.runs.registry import export_to, find_export

from .db import open_runs

if TYPE_CHECKING:
    from hustings.judging.dossier import Dossier
    from hustings.report.formats import Export

STDOUT = "-"


def export_run(
    run_id: Run,
    *,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="md, html, share, json, transcript, jsonl, csv, argdown or aif; else by the ending of -o, or md.",
        ),
    ] = "",
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="- is stdout; otherwise RUN.FORMAT here, or stdout into a pipe."
        ),
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
    database: DatabaseOption = "",
    as_json: Annotated[bool, typer.Option("--json", help="What was written and where, as JSON.")] = False,
) -> None:
    """Write a debate that is over, judged or not, as a file: a report, data, or an argument map."""
    if as_json and output == STDOUT:
        raise Unsuitable("--json tells where a file was written, and - writes none", fix="leave one of them out")
    chosen = _format(to, output)
    with open_runs(database) as runs:
        about = dossier(runs, run_id)
    text = chosen.render(about)
    path = None
    if output == STDOUT or not (output or as_json or sys.stdout.isatty()):
        _write_out(text)
    else:
        path = _path(output, about, chosen)
        size = _write(path, text, force=force)
        if as_json:
            show_json({"run_id": run_id, "format": chosen.FORMAT, "file": str(path), "bytes": size})
        else:
            show_line(str(path))
    talk(_next(about, chosen, path))


def _format(named: str, output: str) -> Export:
    if named or output in {"", STDOUT} or Path(output).is_dir():
        return find_export(named or "md")
    try:
        return export_to(Path(output).name)
    except Unsuitable as error:
        raise Unsuitable(error.what, fix=f"{error.fix}, or say --to FORMAT") from None


def _path(output: str, about: Dossier, chosen: Export) -> Path:
    """The file to write; in a folder, a file named after the run."""
    own = f"{about.proceedings.transcript.run_id.replace(':', '-')}.{chosen.SUFFIX}"
    path = Path(output or own)
    return path / own if path.is_dir() else path


def _write(path: Path, text: str, *, force: bool) -> int:
    try:
        with path.open("wb" if force else "xb") as file:
            return file.write(text.encode())
    except FileExistsError:
        raise Unsuitable(f"{str(path)!r} is there already", fix="name another file with -o, or add --force") from None
    except OSError as error:
        raise Unsuitable(
            f"{str(path)!r} cannot be written",
            why=f"{error.strerror}",
            fix="name another file with -o, or - for stdout",
        ) from None


def _write_out(text: str) -> None:
    """Write bytes unchanged, without the terminal's encoding or the system's line ends."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def _next(about: Dossier, chosen: Export, path: Path | None) -> str:
    run = about.proceedings.transcript.run_id
    if chosen.FORMAT == "transcript" and path:
        return f"Next: hustings validate {path}"
    if about.judgement is None:
        return f"It has not been judged. Next: hustings judge {run}"
    other = "csv" if chosen.FORMAT == "html" else "html"
    return f"Next: hustings export {run} --to {other}"
