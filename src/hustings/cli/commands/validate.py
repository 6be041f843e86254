"""`hustings validate`: check transcript files against the rules of Transcript 2.0.0."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from hustings.cli.terminal import show_json, show_line, talk
from hustings.config.paths import read_bytes
from hustings.errors import BrokenFile
from hustings.transcript.rules import Finding, SizeLimits, check

DOSSIER = re.compile(rb'\s*\{\s*"dossier_version": "[\d.]+",\s*"run_id": "(?P<run>[\w.:-]+)"', re.ASCII)
"""Beginning of a file in the export format `json`."""


def validate_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Transcripts, as JSON files.")],
    *,
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Output JSON.")] = False,
) -> None:
    """Check transcript files against the rules.

    Exit code: 0 valid, 1 findings, 2 wrong usage or a file that cannot be read.
    """
    contents = {path: read(path) for path in files}
    checked = {path: check(raw) for path, raw in contents.items() if isinstance(raw, bytes)}
    bad = [path for path, findings in checked.items() if any(strict or f.severity == "error" for f in findings)]
    if as_json:
        show_json([{"file": str(p), "valid": p not in bad, "findings": list(map(row, f))} for p, f in checked.items()])
    else:
        for path, findings in checked.items():
            for f in findings:
                show_line(f"{path}: {f.severity} {f.code} at {f.pointer or 'the file'}: {f.message}")
            if path not in bad:
                show_line(f"{path}: valid" + (f", {len(findings)} warnings" if findings else ""))
    if bad:
        talk(f"{len(bad)} of {len(checked)} files break the rules.")
    for path, raw in contents.items():
        if isinstance(raw, bytes) and (whole := DOSSIER.match(raw)):
            run = whole["run"].decode()
            talk(f"{path} is a whole debate (--to json). The transcript alone: hustings export {run} --to transcript")
    if unread := [raw for raw in contents.values() if isinstance(raw, str)]:
        raise BrokenFile("; ".join(unread))
    if bad:
        raise typer.Exit(1)


def read(path: Path) -> bytes | str:
    """Read at most one byte over the limit, since longer files are refused anyway; or return why it cannot be read."""
    try:
        return read_bytes(path, SizeLimits().size, "a JSON file")
    except BrokenFile as error:
        return f"{error.what}{error.why and f': {error.why}'}. Give the path of a JSON file"


def row(finding: Finding) -> dict[str, str]:
    fields = ("code", "severity", "pointer", "message")
    return {field: getattr(finding, field) for field in fields}
