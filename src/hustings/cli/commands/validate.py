"""`hustings validate`: check transcripts against the rules of Transcript 2.0.0, and evaluations against transcripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from hustings.cli.terminal import show_json, show_line, talk
from hustings.errors import BrokenFile
from hustings.lab.evaluation_check import check_evaluation, evaluation_in
from hustings.readers.files import read_bytes
from hustings.readers.folder import documents_in_folder
from hustings.script.background import background_of
from hustings.script.citing import quotes_in
from hustings.text.quotes import found_in, is_quoted
from hustings.transcript.models import Transcript
from hustings.transcript.rules import Finding, SizeLimits, check

EVALUATION_FIELD = b'"evaluation_mode"'
DOSSIER = re.compile(rb'\s*\{\s*"dossier_version": "[\d.]+",\s*"run_id": "(?P<run>[\w.:-]+)"', re.ASCII)
"""Beginning of a file in the export format `json`."""


def validate_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Transcripts and evaluations, as JSON files.")],
    *,
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")] = False,
    documents: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Check every quote from a document again, in the files of this folder."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Output JSON.")] = False,
) -> None:
    """Check transcript files against the rules, and their quotes against the documents.

    An evaluation is checked too; with its transcript beside it, its figures are computed again.

    Exit code: 0 valid, 1 findings, 2 wrong usage or a file that cannot be read.
    """
    contents = {path: read(path) for path in files}
    checked = checked_files({path: raw for path, raw in contents.items() if isinstance(raw, bytes)})
    bad = [path for path, findings in checked.items() if any(strict or f.severity == "error" for f in findings)]
    texts = documents_in(documents) if documents else {}
    cited = [path for path in checked if documents and path not in bad and not is_evaluation(contents[path])]
    quotes = {path: checked_again(contents[path], texts) for path in cited}
    if as_json:
        show_json([_told_as_json(path, findings, path not in bad, quotes) for path, findings in checked.items()])
    else:
        for path, findings in checked.items():
            for line in (*map(_line, findings), *([] if path in bad else [_valid(findings)])):
                show_line(f"{path}: {line}")
            for line in told(quotes.get(path), documents):
                show_line(f"{path}: {line}")
    if bad:
        talk(f"{len(bad)} of {len(checked)} files break the rules.")
    for path, raw in contents.items():
        if isinstance(raw, bytes) and (whole := DOSSIER.match(raw)):
            run = whole["run"].decode()
            talk(f"{path} is a whole debate (--to json). The transcript alone: hustings export {run} --to transcript")
    if unread := [raw for raw in contents.values() if isinstance(raw, str)]:
        raise BrokenFile("; ".join(unread))
    if bad or any(not one.accepted for some in quotes.values() for one in some):
        raise typer.Exit(1)


def is_evaluation(raw: bytes | str) -> bool:
    return isinstance(raw, bytes) and EVALUATION_FIELD in raw and evaluation_in(raw) is not None


def checked_files(contents: Mapping[Path, bytes]) -> dict[Path, list[Finding]]:
    """What is wrong with each file; an evaluation is held against the transcript of its run, if that is among them."""
    evaluations = {path for path, raw in contents.items() if is_evaluation(raw)}
    found = {path: check(raw) for path, raw in contents.items() if path not in evaluations}
    sound = [path for path in found if evaluations and not any(f.severity == "error" for f in found[path])]
    by_run = {str(document["run_id"]): document for document in (json.loads(contents[path]) for path in sound)}
    for path in evaluations:
        document = evaluation_in(contents[path]) or {}
        found[path] = check_evaluation(contents[path], by_run.get(str(document.get("run_id"))))
    return {path: found[path] for path in contents}


def _line(finding: Finding) -> str:
    return f"{finding.severity} {finding.code} at {finding.pointer or 'the file'}: {finding.message}"


def _valid(warnings: Sequence[Finding]) -> str:
    return "valid" + (f", {len(warnings)} warnings" if warnings else "")


def _told_as_json(
    path: Path, findings: Sequence[Finding], valid: bool, quotes: Mapping[Path, Sequence[CheckedQuote]]
) -> dict[str, object]:
    again = {"quotes": [vars(one) for one in quotes[path]]} if path in quotes else {}
    return {"file": str(path), "valid": valid, "findings": list(map(row, findings)), **again}


@dataclass(frozen=True)
class CheckedQuote:
    """A quote from a document in a transcript, and where it stands among the files at hand."""

    turn: str
    document: str
    quote: str
    accepted: bool
    file: str = ""
    why: str = ""


def documents_in(folder: Path) -> dict[str, str]:
    """Files of a folder as text, by name."""
    return {found.title: found.text for found in documents_in_folder(str(folder)).documents}


def checked_again(raw: bytes | str, texts: Mapping[str, str]) -> list[CheckedQuote]:
    """Every quote from a document in a valid transcript; ids need not be known, the words must stand in a file."""
    transcript = Transcript.model_validate_json(raw)
    own = background_of(transcript.debate_metadata)
    known = {**texts, **({own.title: own.text} if own else {})}
    found: list[CheckedQuote] = []
    for turn in transcript.turns:
        for named, quote in quotes_in(turn.said):
            file = next((name for name, text in known.items() if is_quoted(quote, [text])), "")
            why = "" if file else found_in(quote, known.values()).why
            found.append(CheckedQuote(turn.turn_id, named, quote, bool(file), file, why))
    return found


def told(quotes: Sequence[CheckedQuote] | None, folder: Path | None) -> Iterator[str]:
    if quotes is None:
        return
    for one in quotes:
        if not one.accepted:
            yield f"{one.turn} cites {one.document}, and {one.quote!r} does not stand in {folder}: {one.why}"
    yield f"{sum(one.accepted for one in quotes)} of {len(quotes)} quotes from documents stand in {folder}"


def read(path: Path) -> bytes | str:
    """Read at most one byte over the limit, since longer files are refused anyway; or return why it cannot be read."""
    try:
        return read_bytes(path, SizeLimits().size, "a JSON file")
    except BrokenFile as error:
        return f"{error.what}{error.why and f': {error.why}'}. Give the path of a JSON file"


def row(finding: Finding) -> dict[str, str]:
    fields = ("code", "severity", "pointer", "message")
    return {field: getattr(finding, field) for field in fields}
