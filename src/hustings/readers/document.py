"""Reads a file as a document, as people see it: text, Markdown, code, HTML, PDF, office documents, e-mail.

A text is taken as it is: it is decoded, and its title is looked for at its beginning. Whatever must be parsed, which is
all but text, Markdown and code, is read in a limited process (`limited`), wherever it comes from and however short.
"""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import ValidationError

from hustings.errors import BrokenFile
from hustings.script.background import title_of
from hustings.script.complaints import complaints
from hustings.script.documents import MOST_CHARACTERS, PAGED, DocumentText, Media

from .child import ANEW
from .child import MOST_BYTES as MOST_BYTES_LIMITED
from .file_text import FileText, Unreadable
from .files import not_utf8, read_bytes, too_large
from .limited import Kind, read_limited
from .visible import seen

VERSION = 1
"""Of these readers; one that reads a file otherwise gets another."""
MOST_BYTES = 4 * MOST_CHARACTERS
"""Of a text: no character takes more than four bytes."""
MOST_READ = max(MOST_BYTES, MOST_BYTES_LIMITED)
"""Of any file."""
MARKDOWN = frozenset({"md", "markdown", "mdown"})
HTML = frozenset({"html", "htm", "xhtml"})
PLAIN = frozenset({"", "txt", "text", "rst", "adoc", "org", "tex", "log", "csv", "tsv"})
KINDS: dict[str, Kind] = {
    "pdf": "pdf",
    **dict.fromkeys(("docx", "docm", "pptx", "pptm", "ppsx", "xlsx", "xlsm"), "office"),
    "eml": "mail",
}
"""Endings of files that are read in a limited process."""
OFFICE = frozenset(
    ["doc", "dot", "odt", "rtf", "ppt", "pps", "odp", "xls", "xlsb", "ods", "epub", "pages", "numbers", "msg", "mbox"]
)
PACKED = frozenset(
    ["zip", "gz", "tar", "7z", "rar", "png", "jpg", "jpeg", "gif", "webp", "tiff", "svg", "mp3", "mp4", "exe"]
)
OTHERS = OFFICE | PACKED
"""Endings of files that are no text, or a picture in text."""
PDF, ARCHIVE, OLD_OFFICE = b"%PDF-", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
BEGINNINGS = (b"%PDF", ARCHIVE, OLD_OFFICE, b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b", b"{\\rtf")
LATEST_BEGINNING = 1_024
"""Bytes before which a PDF must begin."""
ORDER_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}


def read_document(path: Path, *, seats: tuple[str, ...] = (), title: str = "") -> DocumentText:
    """A file as a document for these seats, or for all."""
    return document_from(content_of(path), str(path), seats=seats, title=title)


def content_of(path: Path) -> bytes:
    """The bytes of a file, unless its ending says that it cannot be read."""
    if _ending(path.name) in OTHERS:
        raise _no_text(str(path))
    if not os.path.exists(path):  # noqa: PTH110  a `Path` raises what it may not see
        raise BrokenFile(f"there is no file {str(path)!r}", fix="check the name")
    return read_bytes(path, MOST_READ, "a text file")


def document_from(content: bytes, name: str, *, seats: tuple[str, ...] = (), title: str = "") -> DocumentText:
    """Bytes that were read as a document; their first ones, or the ending of the name, say what they are."""
    found = file_text(content, name)
    return brought(title or found.title, found.text, seats=seats, media=found.media, name=name)


def brought(
    title: str, text: str, *, seats: tuple[str, ...] = (), media: Media = "text", name: str = "the document"
) -> DocumentText:
    """A text as a document, without what a reader could not see. Form feeds stay where they part pages."""
    pages = text.split("\f") if media in PAGED else [text]
    text = "\f".join(seen(page).strip() for page in pages)
    if not text.strip():
        raise BrokenFile(f"{name!r} is empty", fix="name a file with text in it")
    try:
        title = " ".join(seen(title).replace("\0", "").split()) or title_of(text)
        return DocumentText(title=title, text=text, seats=seats, media=media, reader=media, version=VERSION)
    except ValidationError as error:
        raise BrokenFile(f"{name!r} cannot be debated", why="; ".join(complaints(error))) from None


def file_text(content: bytes, name: str) -> FileText:
    """Title, text and kind of what a file holds."""
    kind = kind_of(content, name)
    try:
        if kind is None:
            text = decoded(content, name)
            if _ending(name) not in HTML:
                return _text_of(text, name)
            kind, content = "hypertext", text.encode()
        found = read_limited(kind, content)
    except Unreadable as error:
        raise BrokenFile(f"{name!r} cannot be read", why=error.why, fix=error.fix or ANEW) from None
    stem = Path(name).stem
    title = stem if found.media == "sheet" else found.title or title_of(found.text[:LONGEST_HEAD], stem)
    return found._replace(title=title)


def kind_of(content: bytes, name: str) -> Kind | None:
    """The kind of a file that is no text; None: it is one, or a page of HTML, which is decoded as texts are."""
    ending = _ending(name)
    if content.startswith(ARCHIVE):
        return "office"
    if PDF in content[: LATEST_BEGINNING if ending == "pdf" else len(PDF)]:
        return "pdf"
    kind = KINDS.get(ending)
    if kind in {None, "mail"}:
        return kind
    if not content:
        raise BrokenFile(f"{name!r} is empty", fix="name a file with text in it")
    if content.startswith(OLD_OFFICE):
        why = "it is protected by a password, or of an old format"
        raise BrokenFile(f"{name!r} cannot be read", why=why, fix="save it without a password, as DOCX, PPTX or XLSX")
    raise BrokenFile(f"{name!r} cannot be read", why=f"it is no {ending.upper()}, though it is called so", fix=ANEW)


def decoded(content: bytes, name: str) -> str:
    """UTF-8, or UTF-16 that begins with its mark."""
    if len(content) > MOST_BYTES:
        raise too_large(name, MOST_BYTES)
    if content.startswith(BEGINNINGS):
        raise _no_text(name)
    coding = next((coding for mark, coding in ORDER_MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(coding)
    except UnicodeDecodeError:
        if coding == "utf-16":
            raise BrokenFile(f"{name!r} is damaged UTF-16 text", fix="save it as UTF-8") from None
        raise not_utf8(content, name) from None
    if "\0" in text:
        raise _no_text(name)
    return text


def _text_of(text: str, name: str) -> FileText:
    path = Path(name)
    ending, stem = _ending(name), path.stem
    if ending in MARKDOWN:
        return FileText(title_of(text, stem), text, "markdown")
    return FileText(title_of(text, stem), text, "text") if ending in PLAIN else FileText(path.name, text, "code")


def _ending(name: str) -> str:
    return Path(name).suffix.lstrip(".").lower()


def _no_text(name: str) -> BrokenFile:
    return BrokenFile(
        f"{name!r} cannot be read",
        why="it is no plain text",
        fix="save it as PDF, DOCX, PPTX, XLSX or text, and name that file",
    )


LONGEST_HEAD = 10_000
"""Characters of what was parsed in which a title is looked for."""
