"""`hustings export`: write a finished debate, or all of a batch, as reports, data or argument maps."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hustings.cli.options import DatabaseOption, OneRun
from hustings.cli.run_table import must_be_one
from hustings.cli.terminal import show_json, show_line, talk
from hustings.errors import Unsuitable
from hustings.report.formats.transcript import render_bare
from hustings.runs.batch_summary import debates_of
from hustings.runs.dossiers import dossier
from hustings.runs.registry import export_to, exports, find_export

from .db import open_runs

if TYPE_CHECKING:
    from hustings.judging.dossier import Dossier
    from hustings.report.formats import Export

STDOUT = "-"


@dataclass(frozen=True)
class Written:
    """Options of what is written, and where."""

    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="md, html, share, json, transcript, jsonl, csv or argdown. Default: by -o, else md.",
        ),
    ] = ""
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="- is stdout; otherwise RUN.FORMAT here, or stdout into a pipe. Of a batch: the folder, or the "
            "FILE.csv or FILE.jsonl with all of it.",
        ),
    ] = ""
    only_public: Annotated[bool, typer.Option("--bare", help="Of a transcript: only fields of the public schema.")] = (
        False
    )
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False
    documents: Annotated[
        Path | None,
        typer.Option(
            "--with-documents",
            metavar="FOLDER",
            help="Also write the text of every document into this folder; otherwise only quoted words leave "
            "the database.",
        ),
    ] = None


def export_run(
    run_id: OneRun = "",
    *,
    batch: Annotated[
        str,
        typer.Option(
            "--batch", metavar="NAME", help="All debates of a batch that are over, into a folder or one table."
        ),
    ] = "",
    written: Written,
    database: DatabaseOption = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print which file was written, as JSON.")] = False,
) -> None:
    """Write a finished debate to a file, judged or not: a report, data, or an argument map."""
    to, output, force = written.to, written.output, written.force
    must_be_one(run_id, batch)
    if as_json and output == STDOUT:
        raise Unsuitable("--json needs a file, and -o - writes to stdout", fix="drop one of them")
    if batch and written.documents:
        raise Unsuitable("--with-documents is for one debate", fix="name the debate instead of its batch")
    if batch:
        if _names_a_file(output):
            _export_together(batch, _format(to, output), written, database, as_json=as_json)
        else:
            _export_batch(batch, find_export(to or "md"), written, database, as_json=as_json)
        return
    chosen = _format(to, output)
    render = _render(chosen, written)
    with open_runs(database) as runs:
        about = dossier(runs, run_id)
        texts = runs.document_texts(run_id) if written.documents else {}
    if written.documents:
        _write_documents(written.documents, texts, force=force)
    text = render(about)
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


def _write_documents(folder: Path, texts: Mapping[str, str], *, force: bool) -> None:
    """Write each text under its id. `hustings validate --documents` finds the quotes there again."""
    if not texts:
        raise Unsuitable("the debate has no documents", fix="drop --with-documents")
    paths = {folder / f"{name}.txt": text for name, text in texts.items()}
    _must_be_free(folder, [] if force else [*paths])
    for path, text in paths.items():
        _write(path, text, force=force)
    talk(f"{folder}: {len(paths)} {'document' if len(paths) == 1 else 'documents'}")


def _render(chosen: Export, written: Written) -> Callable[[Dossier], str]:
    """The function that writes a debate; `--bare` is for transcripts alone."""
    if written.only_public and chosen.FORMAT != "transcript":
        raise Unsuitable(f"--bare is for transcripts, not for {chosen.FORMAT}", fix="add --to transcript")
    return render_bare if written.only_public else chosen.render


def _export_batch(batch: str, chosen: Export, written: Written, database: str, *, as_json: bool) -> None:
    """Write every debate of a batch that is over; nothing is written if a file is in the way."""
    render, folder, force = _render(chosen, written), Path(written.output or batch), written.force
    with open_runs(database) as runs:
        reports = debates_of(runs, batch)
        over = [report.run_id for report in reports if report.state == "ended"]
        paths = {run_id: folder / _own_name(run_id, chosen) for run_id in over}
        _must_be_free(folder, [] if force else [*paths.values()])
        for run_id, path in paths.items():
            about = dossier(runs, run_id)
            _write(path, render(about), force=force)
    left = len(reports) - len(over)
    if as_json:
        files = {run_id: str(path) for run_id, path in paths.items()}
        show_json({"batch": batch, "format": chosen.FORMAT, "folder": str(folder), "files": files, "left_out": left})
    else:
        show_line(f"{folder}: {len(over)} of {len(reports)} debates")
    _tell_left_out(batch, left)


def _names_a_file(output: str) -> bool:
    """Whether a batch is to become one file: a name that ends like one, unless there is such a folder."""
    ends = any(output.lower().endswith(f".{export.SUFFIX}") for export in exports().values())
    return output == STDOUT or (ends and not Path(output).is_dir())


def _export_together(batch: str, chosen: Export, written: Written, database: str, *, as_json: bool) -> None:
    """Write every debate of a batch that is over into one table."""
    together: Callable[[Iterable[Dossier]], str] | None = getattr(chosen, "render_together", None)
    if together is None or (written.output != STDOUT and not written.output.lower().endswith(f".{chosen.SUFFIX}")):
        raise Unsuitable(
            f"{chosen.FORMAT} of a batch does not fit into {written.output!r}: it has a file for each debate"
            if together is None
            else f"{written.output!r} does not end like {chosen.FORMAT}",
            fix=f"name a folder: -o {batch}; one file for all: --to csv -o {batch}.csv, or jsonl",
        )
    _render(chosen, written)
    with open_runs(database) as runs:
        reports = debates_of(runs, batch)
        over = [report.run_id for report in reports if report.state == "ended"]
        text = together(dossier(runs, run_id) for run_id in over)
    left = len(reports) - len(over)
    if written.output == STDOUT:
        _write_out(text)
    else:
        size = _write(Path(written.output), text, force=written.force)
        if as_json:
            about = {"file": written.output, "bytes": size, "debates": over, "left_out": left}
            show_json({"batch": batch, "format": chosen.FORMAT, **about})
        else:
            show_line(f"{written.output}: {len(over)} of {len(reports)} debates")
    _tell_left_out(batch, left)


def _tell_left_out(batch: str, left: int) -> None:
    talk(f"{left} are not over yet: hustings list --batch {batch}" if left else f"Next: hustings show --batch {batch}")


def _must_be_free(folder: Path, paths: Sequence[Path]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unsuitable(
            f"{str(folder)!r} cannot be made a folder", why=f"{error.strerror}", fix="name another with -o"
        ) from None
    if there := [path for path in paths if path.exists()]:
        raise Unsuitable(f"{str(there[0])!r} already exists", fix="name another folder with -o, or add --force")


def _own_name(run_id: str, chosen: Export) -> str:
    return f"{run_id.replace(':', '-')}.{chosen.SUFFIX}"


def _format(named: str, output: str) -> Export:
    if named or output in {"", STDOUT} or Path(output).is_dir():
        return find_export(named or "md")
    try:
        return export_to(Path(output).name)
    except Unsuitable as error:
        raise Unsuitable(error.what, fix=f"{error.fix}, or add --to FORMAT") from None


def _path(output: str, about: Dossier, chosen: Export) -> Path:
    """The file to write; in a folder, a file named after the run."""
    own = _own_name(about.proceedings.transcript.run_id, chosen)
    path = Path(output or own)
    return path / own if path.is_dir() else path


def _write(path: Path, text: str, *, force: bool) -> int:
    try:
        with path.open("wb" if force else "xb") as file:
            return file.write(text.encode())
    except FileExistsError:
        raise Unsuitable(f"{str(path)!r} already exists", fix="choose another file with -o, or add --force") from None
    except OSError as error:
        raise Unsuitable(
            f"can't write {str(path)!r}",
            why=f"{error.strerror}",
            fix="choose another file with -o, or -o - for stdout",
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
        return f"Not judged yet. Next: hustings judge {run}"
    other = "csv" if chosen.FORMAT == "html" else "html"
    return f"Next: hustings export {run} --to {other}"
