"""Takes links and pictures of Markdown out of a text."""

from __future__ import annotations

from .next_place import NextPlace


def replace_links(text: str, template: str, *, begin: str = "[", before: str = "", ends: str = ")") -> str:
    """The text with the filled template for each `[label](address)`; no sign of `ends` but a last `)` is in an address.

    What may stand `before` a link goes with it.
    A pattern would read on from each of many brackets that open, and take time with the square of their number.
    """
    kept, done, place = list[str](), 0, 0
    closing, end_of_address = NextPlace(r"\]", text), NextPlace(ends, text)
    while (start := text.find(begin, place)) >= 0:
        label = start + len(begin)
        close = closing.after(label)
        if not text.startswith("](", close):
            place = close + 1  # all that opens before it closes there, too
            continue
        end, place = end_of_address.after(close + 2), close + 2
        if text.startswith(")", end):
            start -= len(before) if text.endswith(before, done, start) else 0
            kept += [text[done:start], template.format(label=text[label:close], address=text[close + 2 : end])]
            done = place = end + 1
    return "".join((*kept, text[done:]))
