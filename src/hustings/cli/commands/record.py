"""`hustings record`: save a finished debate as one file that can be replayed anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hustings.cli.options import AsJson, DatabaseOption, Run
from hustings.cli.terminal import show_json, show_line, talk
from hustings.errors import Unsuitable
from hustings.runs.recording import SUFFIX, dump, record

from .db import open_runs


def record_run(
    run_id: Run,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help=f"Where to; otherwise RUN{SUFFIX} right here.")
    ] = None,
    note: Annotated[str, typer.Option("--note", help="What whoever watches it should know.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Keep a debate that is over as a file to replay anywhere, with its latest judging."""
    path = output or Path(f"{run_id.replace(':', '-')}{SUFFIX}")
    if path.exists() and not force:
        raise Unsuitable(f"{str(path)!r} is there already", fix="name another file with -o, or add --force")
    with open_runs(database) as runs:
        recording = record(runs, run_id, note=note)
    written = dump(recording)
    try:
        path.write_bytes(written)
    except OSError as error:
        raise Unsuitable(
            f"{str(path)!r} cannot be written", why=error.strerror or "", fix="name another file with -o"
        ) from None
    if as_json:
        size = {"file": str(path), "bytes": len(written), "events": len(recording.events)}
        show_json({**size, **recording.head.model_dump(mode="json")})
    else:
        judged = "judged" if recording.remains.judgement else "not judged"
        show_line(f"{path}: {recording.head.topic} ({judged}, {len(written) / 1024:.0f} KB)")
    talk(f"Watch it: hustings replay {path}")
