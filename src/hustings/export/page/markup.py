"""Markup that cannot be broken into: whatever is not made here is words, and is escaped on its way in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from hustings.export.spelling import visible


class Html(str):
    """Markup of ours; every other string is words."""

    __slots__ = ()


def words(text: str) -> Html:
    return text if isinstance(text, Html) else Html(escape(visible(text)))


def joined(parts: Iterable[str], between: str = "") -> Html:
    return Html(words(between).join(map(words, parts)))


def element(tag: str, /, *content: str, **attributes: str | None) -> Html:
    """`class_` is class, other underscores are hyphens; an attribute that is None is left out."""
    given = "".join(
        f' {ATTRIBUTE.get(key, key.replace("_", "-"))}="{escape(visible(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{tag}{given}>") if tag in VOID else Html(f"<{tag}{given}>{joined(content)}</{tag}>")


def link(to: str, *content: str, **attributes: str | None) -> Html:
    """To a place in the same page; there are no others."""
    return element("a", *content, href=f"#{to}", **attributes)


def place(kind: str, name: str) -> str:
    """The anchor of something: another one for every name, whatever stands in it."""
    return f"{kind}-" + UNSAFE.sub(lambda found: f"_{ord(found.group()):x}_", name)


def section(head: str, *content: str, at: str, level: int = 2) -> Html:
    """With a heading that can be linked to; none if there is nothing in it."""
    inside = joined(content, "\n")
    if not inside.strip():
        return Html("")
    title = element(f"h{level}", head, id=f"{at}-head")
    return element("section", title, "\n", inside, "\n", id=at, aria_labelledby=f"{at}-head")


def items(lines: Iterable[str], **attributes: str | None) -> Html:
    found = [element("li", line, dir="auto") for line in lines]
    return element("ul", *found, **attributes) if found else Html("")


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], *, kind: str = "") -> Html:
    """The first cell of a row heads it; wide tables move inside of their frame, not the page."""
    columns = element("tr", *(element("th", head, scope="col") for head in heads))
    lines = [joined([_row(row), "\n"]) for row in rows]
    inner = element(
        "table",
        element("caption", caption),
        element("thead", columns),
        "\n",
        element("tbody", *lines),
        class_=kind or None,
    )
    return element("div", inner, class_="frame", role="region", aria_label=caption, tabindex="0")


def _row(cells: Sequence[str]) -> Html:
    first, *rest = cells
    made = [element("th", first, scope="row"), *(c if _is_cell(c) else element("td", c) for c in rest)]
    return element("tr", *made)


def _is_cell(text: str) -> bool:
    return isinstance(text, Html) and text.startswith("<td")


ATTRIBUTE = {"class_": "class"}
VOID = frozenset({"meta"})
UNSAFE = re.compile(r"[^A-Za-z0-9.:-]")
