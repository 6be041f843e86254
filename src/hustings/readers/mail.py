"""Reads an e-mail: who wrote to whom, when and about what, its text, and the names of what is attached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from typing import cast

from .file_text import FileText, TextSize, Unreadable
from .hypertext import read_page

HEADERS = ("Subject", "From", "To", "Cc", "Date")
LONGEST_HEADER = 2_000
"""Characters of one header that are read."""
MOST_PARTS = 1_000
MOST_NAMED = 50
"""Attachments."""
CODINGS = re.compile(rb"(?i)charset\s*=\s*[\"']?([a-z0-9_.:-]{1,40})|=\?([a-z0-9_.:-]{1,40})\?[bq]\?")
MOST_CODINGS = 20


def prepare(content: bytes) -> None:
    """Load the codings that the mail names: later nothing can be opened."""
    named = {name for found in CODINGS.finditer(content) for name in found.groups() if name}
    for coding in ("ascii", "latin-1", "cp1252", "raw-unicode-escape", *_some(named)):
        _is_coding(coding)


def _some(named: set[bytes]) -> list[str]:
    return [name.decode("ascii") for name in sorted(named)[:MOST_CODINGS]]


def _is_coding(name: str) -> bool:
    """Whether letters can be read by it."""
    try:
        "".encode(name)
    except (LookupError, ValueError, OSError, ImportError):
        return False
    return True


def read(content: bytes) -> FileText:
    message = BytesParser().parsebytes(content)
    heads = [(name, words) for name in HEADERS if (words := _header(message, name))]
    if not heads:
        raise Unreadable("it is no e-mail: it has neither a sender nor a subject", "save it as text, and name that")
    size = TextSize()
    attached: list[str] = []
    texts = [size.counted(text) for text in _texts(message, attached) if text.strip()]
    names = f"Attached, and not read: {', '.join(attached[:MOST_NAMED])}" if attached else ""
    blocks = ("\n".join(f"{name}: {words}" for name, words in heads), *texts, names)
    return FileText(dict(heads).get("Subject", ""), "\n\n".join(block for block in blocks if block), "mail")


def _header(message: Message, name: str) -> str:
    """A header in one line, as people read it."""
    given = message.get(name)
    return _decoded(str(given)) if given is not None else ""


def _decoded(given: str) -> str:
    given = given[:LONGEST_HEADER]
    try:
        words = "".join(_words(part, coding) for part, coding in decode_header(given))
    except (ValueError, LookupError):
        words = given
    return " ".join(words.encode("utf-8", "replace").decode().split())


def _words(part: bytes | str, coding: str | None) -> str:
    if isinstance(part, str):
        return part
    return part.decode(coding if coding and _is_coding(coding) else "utf-8", "replace")


def _texts(message: Message, attached: list[str]) -> Iterator[str]:
    """The texts of a mail in their order; what else it holds is named in `attached`."""
    waiting = [message]
    for _ in range(MOST_PARTS):
        if not waiting:
            return
        part = waiting.pop(0)
        kind = part.get_content_type()
        if part.is_multipart() and kind != "message/rfc822":
            each = cast("list[Message]", part.get_payload())
            waiting[:0] = [_best(each)] if kind == "multipart/alternative" and each else each
        elif kind in {"text/plain", "text/html"} and part.get_content_disposition() != "attachment":
            yield _body(part, kind)
        else:
            attached.append(_name(part, kind))
    raise Unreadable(f"it has more than {MOST_PARTS:,} parts")


def _best(each: list[Message]) -> Message:
    """Of the forms of one text the plain one, else HTML, else the last, which is the richest."""
    for kind in ("text/plain", "text/html"):
        for one in each:
            if one.get_content_type() == kind:
                return one
    return each[-1]


def _body(part: Message, kind: str) -> str:
    content = part.get_payload(decode=True)
    coding = str(part.get_param("charset") or "utf-8")
    text = _words(content, coding) if isinstance(content, bytes) else ""
    text = read_page(text).text if kind == "text/html" else text.replace("\r\n", "\n")
    return text.strip()


def _name(part: Message, kind: str) -> str:
    name = _decoded(str(part.get_filename() or ""))[:200]
    return name or (kind if kind != "message/rfc822" else "a forwarded e-mail")
