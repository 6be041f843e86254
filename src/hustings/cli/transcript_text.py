"""Shows what was said in a debate, or in a transcript file, as text or JSON; and the documents of a debate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from hustings.errors import BrokenFile, NotFound
from hustings.readers.files import read_bytes
from hustings.report import markdown
from hustings.script.complaints import complaints
from hustings.script.debate import Proceedings
from hustings.script.documents import passages
from hustings.transcript.models import Transcript
from hustings.transcript.rules import SizeLimits, check

from .terminal import show, show_json, show_line, talk

if TYPE_CHECKING:
    from hustings.runs.queries import RunQueries


def show_file(file: str, *, as_json: bool) -> None:
    """Show a transcript as text; it needs no database."""
    raw = read_bytes(Path(file), SizeLimits().size, "a transcript as a JSON file")
    try:
        transcript = Transcript.model_validate_json(raw)
    except ValidationError as error:
        why = "; ".join(complaints(error)[:3])
        raise BrokenFile(f"{file!r} is no transcript", why=why, fix=f"hustings validate {file}") from None
    if as_json:
        show_json(transcript.document())
    else:
        show(markdown.unescape(markdown.render_transcript(transcript)))
    wrong = sum(found.severity == "error" for found in check(raw))
    talk(f"{wrong} rules are broken: hustings validate {file}" if wrong else "It keeps every rule of its format.")


def show_remains(proceedings: Proceedings, *, notes: bool, as_json: bool) -> None:
    if notes:
        show_json(proceedings.notes_document())
    elif as_json:
        show_json(proceedings.document())
    else:
        show(markdown.unescape(markdown.render(proceedings)))


def show_document(runs: RunQueries, run_id: str, name: str, *, as_json: bool) -> None:
    """Show a document, each passage under the id by which it is quoted."""
    listed = runs.documents(run_id)
    found = next((one for one in listed if one.id == name.upper()), None)
    if found is None:
        known = ", ".join(one.id for one in listed)
        raise NotFound(f"{run_id!r} has no document {name!r}", fix=f"name one of {known}" if known else "")
    text = runs.document_texts(run_id)[found.id]
    cut = [(one, text[one.start : one.end]) for one in passages(found.id, text)]
    if as_json:
        rows = [{"id": one.id, **({"page": one.page} if one.page else {}), "text": said} for one, said in cut]
        show_json({**found.model_dump(mode="json"), "passages": rows})
        return
    show_line(found.remark)
    for passage, said in cut:
        show(f"\n{passage.label}\n{said}")
