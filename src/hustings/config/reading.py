"""Reads a file as a document: plain text, Markdown, source code or HTML, without what a reader could not see."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from hustings.errors import BrokenFile
from hustings.script.background import title_of
from hustings.script.documents import MOST_CHARACTERS, DocumentText, Media
from hustings.script.forms import complaints

from .paths import read_bytes

VERSION = 1
"""Of these readers; one that reads a file otherwise gets another."""
MOST_BYTES = 4 * MOST_CHARACTERS
"""No character takes more than four bytes."""
MOST_HTML = 4_000_000
"""Characters of a page: what is taken out of it can be much longer than what stays."""
LONGEST_TAG = 2_000
"""Characters; an element with a longer one is taken for hidden."""
DEEPEST = 1_000
"""Elements inside each other."""
MARKDOWN = frozenset({"md", "markdown", "mdown"})
HTML = frozenset({"html", "htm", "xhtml"})
PLAIN = frozenset({"", "txt", "text", "rst", "adoc", "org", "tex", "log", "csv", "tsv"})
OFFICE = frozenset({"pdf", "doc", "docx", "odt", "rtf", "ppt", "pptx", "odp", "xls", "xlsx", "ods", "epub", "pages"})
PACKED = frozenset({"zip", "gz", "tar", "7z", "png", "jpg", "jpeg", "gif", "webp", "svg", "mp3", "mp4"})
OTHERS = OFFICE | PACKED
"""Endings of files that are no text, or a picture in text."""
BEGINNINGS = (b"%PDF", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b", b"\xd0\xcf\x11\xe0", b"{\\rtf")
ORDER_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}
_UNSEEN = re.compile(
    "[\x01-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""Controls, direction overrides and tag characters. Joiners and direction marks stay: scripts need them."""


class FileText(NamedTuple):
    title: str
    text: str
    media: Media


def read_document(path: Path, *, seats: tuple[str, ...] = (), title: str = "") -> DocumentText:
    """A file as a document for these seats, or for all."""
    ending = path.suffix.lstrip(".").lower()
    if ending in OTHERS:
        raise _no_text(str(path))
    if not path.exists():
        raise BrokenFile(f"there is no file {str(path)!r}", fix="check the name")
    return document_from(read_bytes(path, MOST_BYTES, "a text file"), str(path), seats=seats, title=title)


def document_from(content: bytes, name: str, *, seats: tuple[str, ...] = (), title: str = "") -> DocumentText:
    """Bytes that were read as a document; the ending of the name says what they are."""
    found = text_of(decoded(content, name), name)
    return brought(title or found.title, found.text, seats=seats, media=found.media, name=name)


def brought(
    title: str, text: str, *, seats: tuple[str, ...] = (), media: Media = "text", name: str = "the document"
) -> DocumentText:
    """A text as a document, without what a reader could not see."""
    text = seen(text).strip()
    if not text:
        raise BrokenFile(f"{name!r} is empty", fix="name a file with text in it")
    try:
        title = " ".join(seen(title).replace("\0", "").split()) or title_of(text)
        return DocumentText(title=title, text=text, seats=seats, media=media, reader=media, version=VERSION)
    except ValidationError as error:
        raise BrokenFile(f"{name!r} cannot be debated", why="; ".join(complaints(error))) from None


def decoded(content: bytes, name: str) -> str:
    """UTF-8, or UTF-16 that begins with its mark."""
    if len(content) > MOST_BYTES:
        raise BrokenFile(f"{name!r} is longer than {MOST_BYTES:,} bytes", fix="cut it down to what is debated")
    if content.startswith(BEGINNINGS):
        raise _no_text(name)
    coding = next((coding for mark, coding in ORDER_MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(coding)
    except UnicodeDecodeError:
        raise BrokenFile(f"{name!r} is not UTF-8 text", fix="save it as UTF-8") from None
    if "\0" in text:
        raise _no_text(name)
    return text


def text_of(text: str, name: str) -> FileText:
    """Title, text and kind of what a file holds."""
    path = Path(name)
    ending, stem = path.suffix.lstrip(".").lower(), path.stem
    if ending in HTML:
        page = page_of(text, name)
        return FileText(page.title or title_of(page.text, stem), page.text, "html")
    if ending in MARKDOWN:
        return FileText(title_of(text, stem), text, "markdown")
    return FileText(title_of(text, stem), text, "text") if ending in PLAIN else FileText(path.name, text, "code")


def seen(text: str) -> str:
    """A text without characters that show nothing, and with one kind of line end."""
    return _UNSEEN.sub("", re.sub(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]", "\n", text))


def _no_text(name: str) -> BrokenFile:
    return BrokenFile(
        f"{name!r} cannot be read", why="it is no plain text", fix="save it as text or Markdown, and name that file"
    )


# -- HTML ----------------------------------------------------------------------------------


def page_of(text: str, name: str) -> FileText:
    """What a reader of a page would see of it, and its title."""
    if len(text) > MOST_HTML:
        fix = "save what is debated as text or Markdown"
        raise BrokenFile(f"{name!r} has {len(text):,} characters, and a page {MOST_HTML:,} at most", fix=fix)
    page = _Page(name)
    page.feed(_well_formed(text))
    page.close()
    lines = re.sub(r"[^\S\n]*\n[^\S\n]*", "\n", "".join(page.said))
    return FileText(" ".join("".join(page.titled).split()), re.sub(r"\n{3,}", "\n\n", lines).strip(), "html")


def _well_formed(text: str) -> str:
    """A page without comments, and with no tag that is left open or too long: on those the parser would take hours."""
    kept, place = list[str](), 0
    while (start := text.find("<!--", place)) >= 0:
        kept.append(text[place:start])
        end = text.find("-->", start + 4)
        place = end + 3 if end >= 0 else len(text)
    closed = re.sub(r"<(?=[^<>]*(?:<|\Z))", "&lt;", "".join((*kept, text[place:])))
    return re.sub(rf"<(/?[A-Za-z][\w:-]{{0,40}})[^<>]{{{LONGEST_TAG},}}>", r"<\1 hidden>", closed)


class _Page(HTMLParser):
    """Gathers the words of a page; scripts, styles and hidden elements stay out."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.said: list[str] = []
        self.titled: list[str] = []
        self.left_out: list[str] = []
        """Elements that are open and not shown."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            self.said += [] if self.left_out else ["\n"] if tag in LINES else []
        elif self.left_out or tag in UNSHOWN or _hidden(dict(attrs)):
            self.left_out.append(tag)
            if len(self.left_out) > DEEPEST:
                fix = "save what is debated as text or Markdown"
                raise BrokenFile(f"{self.name!r} cannot be read", why="its elements are nested too deep", fix=fix)
        elif tag in LINES:
            self.said.append("\n\n" if tag in APART else "\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.left_out:
            while self.left_out.pop() != tag:
                pass
        elif tag in LINES and not self.left_out:
            self.said.append("\n\n" if tag in APART else "\n")

    def handle_data(self, data: str) -> None:
        if not self.left_out:
            self.said.append(re.sub(r"\s+", " ", data))
        elif self.left_out[-1] == "title":
            self.titled.append(data)


def _hidden(facts: dict[str, str | None]) -> bool:
    style = re.sub(r"\s", "", facts.get("style") or "").lower()
    return "hidden" in facts or facts.get("aria-hidden") == "true" or any(rule in style for rule in HIDING)


UNREAD = frozenset({"script", "style", "template", "noscript", "svg", "iframe", "object", "canvas"})
UNSHOWN = UNREAD | {"head", "title", "nav", "form"}
HIDING = ("display:none", "visibility:hidden", "font-size:0", "opacity:0;", "opacity:0!")
APART = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "table", "section", "article", "blockquote"})
LINES = APART | {"div", "br", "hr", "li", "tr", "ul", "ol", "dl", "dt", "dd"}
VOID = frozenset({"br", "img", "hr", "input", "meta", "link", "area", "base", "col", "embed", "source", "track", "wbr"})
