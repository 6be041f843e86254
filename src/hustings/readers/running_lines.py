"""Leaves out the heads and feet that recur on the pages of a document, so that sentences go on over a page's end.

A line goes only if it stands at the top (or bottom) of most pages, or of most left or right ones, and is the same there
up to one number that counts the pages. Its first place (of a foot, its last) keeps it, so that it can be quoted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

FEWEST_PAGES = 4
MOST_LINES = 3
"""Lines at each edge of a page."""
LONGEST = 200
"""Characters of such a line."""


def without_running_lines(pages: Sequence[str]) -> list[str]:
    """The pages without their running heads and feet."""
    if len(pages) < FEWEST_PAGES:
        return [*pages]
    heads = _without_heads([page.split("\n") for page in pages])
    # A foot is a head, read from the end.
    feet = _without_heads([page[::-1] for page in heads[::-1]])
    return ["\n".join(page[::-1]).strip("\n") for page in feet[::-1]]


def _without_heads(pages: list[list[str]]) -> list[list[str]]:
    kept: dict[int, list[str]] = {}
    told: set[str] = set()
    for _ in range(MOST_LINES):
        keys = [set(_keys(_first(page), number)) for number, page in enumerate(pages)]
        often = _recurring(keys)
        found = [number for number, own in enumerate(keys) if own & often]
        if not found:
            break
        for number in found:
            page, own = pages[number], keys[number] & often
            if not own & told:
                kept.setdefault(number, []).append(_first(page))
            told |= own
            del page[: page.index(_first(page)) + 1]
    return [[*kept.get(number, ()), *page] for number, page in enumerate(pages)]


def _first(page: Sequence[str]) -> str:
    return next((line for line in page if line.strip()), "")


def _keys(line: str, number: int) -> Iterator[str]:
    """What a line may have in common with those of other pages: its words, and a number that counts with the pages.

    Seen from the last page, the page's number and its place add up to the same; from the first, their difference is.
    """
    if not line or len(line) > LONGEST:
        return
    plain = " ".join(line.split())
    yield plain
    for found in [*NUMBER.finditer(plain)][:4]:
        before, after = plain[: found.start()], plain[found.end() :]
        words = WORD.findall(f"{before} {after}".casefold())
        if len(words) == 1 and words[0] not in PAGE:  # "Question 7" may be a heading
            continue
        yield f"{before}\0{int(found[0]) - number}\0-\0{after}"
        yield f"{before}\0{int(found[0]) + number}\0+\0{after}"


def _recurring(keys: Sequence[set[str]]) -> set[str]:
    """Keys of most pages, or of most of every second page."""
    found: set[str] = set()
    for some in (keys, keys[::2], keys[1::2]):
        counts = Counter(key for own in some for key in own)
        found |= {key for key, count in counts.items() if count >= 3 and 2 * count > len(some)}
    return found


NUMBER = re.compile(r"(?<![\d.,])\d{1,5}(?![\d.,]*\d)")
WORD = re.compile(r"[^\W\d_]+")
PAGE = frozenset({"p", "page", "s", "seite", "pagina", "página", "str", "стр", "sid", "side", "strona", "第", "页"})
