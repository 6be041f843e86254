"""Reads a page of HTML as its readers see it: without scripts, comments and what is hidden."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from .file_text import FileText, Unreadable

MOST_HTML = 4_000_000
"""Characters of a page: what is taken out of it can be much longer than what stays."""
LONGEST_TAG = 2_000
"""Characters; an element with a longer one is taken for hidden."""
LONG_TAG = re.compile(rf"<(?=/?[A-Za-z][^<>]{{{LONGEST_TAG},}}+>)(/?[A-Za-z][\w:-]{{0,40}}+)[^<>]*+>")
DEEPEST = 1_000
"""Elements inside each other."""
FIX = "save what is debated as text or Markdown"


def read(content: bytes) -> FileText:
    return read_page(content.decode())


def read_page(text: str) -> FileText:
    """What a reader of a page would see of it, and its title."""
    if len(text) > MOST_HTML:
        raise Unreadable(f"it has {len(text):,} characters, and a page {MOST_HTML:,} at most", FIX)
    page = _Page()
    page.feed(_well_formed(text))
    page.close()
    lines = "\n".join(line.strip() for line in "".join(page.said).split("\n"))
    return FileText(" ".join("".join(page.titled).split()), re.sub(r"\n{3,}", "\n\n", lines).strip(), "html")


def _well_formed(text: str) -> str:
    """A page without comments, and with no tag that is left open or too long: on those the parser would take hours."""
    kept, place = list[str](), 0
    while (start := text.find("<!--", place)) >= 0:
        kept.append(text[place:start])
        end = text.find("-->", start + 4)
        place = end + 3 if end >= 0 else len(text)
    closed = re.sub(r"<(?=[^<>]*(?:<|\Z))", "&lt;", "".join((*kept, text[place:])))
    return LONG_TAG.sub(r"<\1 hidden>", closed)


class _Page(HTMLParser):
    """Gathers the words of a page; scripts, styles and hidden elements stay out."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.titled: list[str] = []
        self.left_out: list[str] = []
        """Elements that are open and not shown."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            self.said += [] if self.left_out else ["\n"] if tag in LINES else []
        elif self.left_out or tag in UNSHOWN or (attrs and _hidden(dict(attrs))):
            self.left_out.append(tag)
            if len(self.left_out) > DEEPEST:
                raise Unreadable("its elements are nested too deep", FIX)
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
            self.said.append(SPACES.sub(" ", data))
        elif self.left_out[-1] == "title":
            self.titled.append(data)


def _hidden(facts: dict[str, str | None]) -> bool:
    style = re.sub(r"\s", "", facts.get("style") or "").lower()
    return "hidden" in facts or facts.get("aria-hidden") == "true" or any(rule in style for rule in HIDING)


SPACES = re.compile(r"\s+")
UNREAD = frozenset({"script", "style", "template", "noscript", "svg", "iframe", "object", "canvas"})
UNSHOWN = UNREAD | {"head", "title", "nav", "form"}
HIDING = ("display:none", "visibility:hidden", "font-size:0", "opacity:0;", "opacity:0!")
APART = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "table", "section", "article", "blockquote"})
LINES = APART | {"div", "br", "hr", "li", "tr", "ul", "ol", "dl", "dt", "dd"}
VOID = frozenset({"br", "img", "hr", "input", "meta", "link", "area", "base", "col", "embed", "source", "track", "wbr"})
