"""Routes of documents: read a file, list the documents of a debate, and read one of them with its quotes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from hustings.db.caps import OVER
from hustings.errors import BrokenFile
from hustings.readers.document import document_from
from hustings.report.quote_view import QuoteView, hidden, quotes_of
from hustings.script.documents import FIRST, ListedDocument, TextsOf, page_count, passages
from hustings.script.visibility import may_follow
from hustings.text.words import count_words
from hustings.transcript.events import Event, NoteTaken, TurnEntered
from hustings.transcript.models import Turn
from hustings.web.permissions import may_read_document
from hustings.web.problems import Refused
from hustings.web.schemas import DocumentEntry, DocumentList, DocumentReading, FileRead, PassageView
from hustings.web.server_state import Context, RequestContext, RunId

router = APIRouter(tags=["documents"])
FileName = Annotated[str, Query(min_length=1, max_length=255, pattern=r"^[^\x00-\x1f]+$")]
DocumentId = Annotated[str, Path(pattern=r"^DOC-[1-9][0-9]{0,3}$")]
BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


@router.post("/documents/read", openapi_extra={"requestBody": {"required": True, "content": BYTES}})
async def read_file(context: Context, name: FileName, request: Request) -> FileRead:
    """Read a file as a document. Nothing is stored: send the text with the debate."""
    content = await request.body()
    return await context.state.heavily(lambda: _read(content, name))


@router.get("/debates/{run_id}/documents")
async def documents(context: Context, run_id: RunId) -> DocumentList:
    """The documents of a debate that the caller may read, and the quotes from them."""
    return await context.state.heavily(lambda: _listed(context, run_id))


@router.get("/debates/{run_id}/documents/{document}")
async def document(context: Context, run_id: RunId, document: DocumentId) -> DocumentReading:
    """The text of a document, its passages, and who quoted it."""
    return await context.state.heavily(lambda: _reading(context, run_id, document))


def _read(content: bytes, name: str) -> FileRead:
    plain = name.replace("\\", "/").rpartition("/")[2] or "file"
    try:
        found = document_from(content, plain)
    except BrokenFile as error:
        # The caller knows the name, and no answer repeats what was sent.
        what, why, fix = (said.replace(repr(plain), "the file") for said in (error.what, error.why, error.fix))
        fix = fix.partition(": ")[0] if plain in fix else fix  # a command is for a terminal
        raise Refused(422, what[:1].upper() + what[1:], why=why, fix=fix) from None
    pages = page_count(found.text) or None
    words = count_words(found.text)
    return FileRead(title=found.title, text=found.text, words=words, pages=pages, media=found.media)


# -- of a debate ---------------------------------------------------------------------------


@dataclass(frozen=True)
class DocumentSources:
    """Documents, texts and quotes of a debate, as far as one caller may read them."""

    listed: tuple[ListedDocument, ...]
    background: str
    """Id of the document that came with the question; empty without one."""
    texts: TextsOf
    quotes: tuple[QuoteView, ...]

    def entry(self, one: ListedDocument) -> DocumentEntry:
        own = [quote.accepted for quote in self.quotes if quote.document == one.id]
        return DocumentEntry(
            id=one.id,
            title=one.title,
            words=one.words,
            pages=page_count(self.texts[one.id]) or None,
            seats=one.seats,
            background=one.id == self.background,
            accepted=sum(own),
            failed=len(own) - sum(own),
        )


def _listed(context: RequestContext, run_id: str) -> DocumentList:
    sources = _sources(context, run_id)
    return DocumentList(documents=tuple(map(sources.entry, sources.listed)), quotes=sources.quotes)


def _reading(context: RequestContext, run_id: str, name: str) -> DocumentReading:
    sources = _sources(context, run_id)
    found = next((one for one in sources.listed if one.id == name), None)
    if found is None:
        # The same answer for a document that does not exist and for one of another side.
        raise Refused(404, "Document not found.", fix="See the documents of the debate.")
    text = sources.texts[name]
    return DocumentReading(
        document=sources.entry(found),
        text=text,
        passages=tuple(
            PassageView(id=one.id, start=one.start, end=one.end, page=one.page or None) for one in passages(name, text)
        ),
        quotes=tuple(one for one in sources.quotes if one.document == name),
    )


def _sources(context: RequestContext, run_id: str) -> DocumentSources:
    report = context.debate(run_id)
    if context.access.role == "judge" and report.state != "ended":
        raise Refused(409, "The debate has not ended.", fix="Wait until it ends.")
    debate, events = context.runs.spec(run_id).debate, context.runs.events(run_id)
    listed = context.runs.documents(run_id)
    known = tuple(one for one in listed if may_read_document(context.access, one.seats))
    texts = context.runs.document_texts(run_id)
    turns = _turns(events, "" if report.state in OVER else context.access.seat)
    notes = (event.note for event in events if isinstance(event, NoteTaken))
    readable = {one.id for one in known}
    quotes = quotes_of(turns, notes, texts)
    return DocumentSources(
        listed=known,
        background=FIRST if debate.background else "",
        texts=texts,
        quotes=tuple(one if one.document in readable else hidden(one) for one in quotes),
    )


def _turns(events: Iterable[Event], seat: str) -> Iterator[Turn]:
    """All turns; for a seat while the debate goes on, those that it may read."""
    entered = (event for event in events if isinstance(event, TurnEntered))
    return (event.turn for event in entered if not seat or may_follow(seat, event))
