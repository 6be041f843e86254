"""The argument map as SVG: what stands to the right bears on what it points to. No script, no colour without a word."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hustings.core.arguments import Argumentation, Response
from hustings.core.judgement import Standing
from hustings.export.spelling import on_one_line
from hustings.export.wording import DEEDS

from .layout import WIDTH, Layout, lay_out
from .markup import Html, element, joined, link, place, words
from .signs import NOT_JUDGED, SIGNS

COLUMNS, LINES = 33, 3
"""Of text in a box; wide letters take two columns."""
LINE, HEAD, PAD, MARGIN = 15.0, 18.0, 9.0, 10.0


@dataclass(frozen=True)
class Box:
    name: str
    head: str
    text: str
    kind: str
    """Its standing, or whether it is a response."""

    @property
    def lines(self) -> list[str]:
        return wrapped(self.text)

    @property
    def height(self) -> float:
        return 2 * PAD + HEAD + LINE * len(self.lines)


def draw(found: Argumentation) -> Html:
    boxes = {box.name: box for box in _boxes(found)}
    edges = [(response.origin, response.target) for response in found.responses]
    layout = lay_out({name: box.height for name, box in boxes.items()}, edges)
    width, height = layout.width + 2 * MARGIN, layout.height + 2 * MARGIN
    lines = joined((_edge(r, boxes, layout) for r in found.responses if {r.origin, r.target} <= boxes.keys()), "\n")
    nodes = joined((_node(box, *layout.at[name]) for name, box in boxes.items()), "\n")
    title = element("title", "Argument map", id="map-title")
    return element(
        "svg", title, ARROWS, "\n", lines, "\n", nodes,
        viewBox=f"{-MARGIN:g} {-MARGIN:g} {width:g} {height:g}", width=f"{width:g}", height=f"{height:g}",
        role="group", aria_labelledby="map-title", class_="map",
    )  # fmt: skip


def _boxes(found: Argumentation) -> Iterator[Box]:
    for claim in found.claims:
        sign = _sign(claim.standing)
        yield Box(claim.id, f"{sign} · {claim.id} · {claim.seat}", claim.claim, claim.standing or "unjudged")
    for response in found.spoken:
        name = DEEDS.get(response.kind, response.kind)
        yield Box(response.id, f"{name} by {response.seat}", response.said, "response")


def _sign(standing: Standing | None) -> str:
    return f"{SIGNS[standing]} {standing.replace('_', ' ')}" if standing else NOT_JUDGED


def _node(box: Box, x: float, y: float) -> Html:
    """A link to where it was said."""
    frame = element("rect", x=f"{x:g}", y=f"{y:g}", width=f"{WIDTH:g}", height=f"{box.height:g}", rx="7")
    rows = [_text(clipped(box.head), x, y + PAD + LINE - 3, "head")]
    rows += [_text(line, x, y + PAD + HEAD + LINE * (n + 1) - 4, "line") for n, line in enumerate(box.lines)]
    full = element("title", f"{box.head}: {on_one_line(box.text)}")
    group = element("g", full, frame, *rows, class_=f"node {box.kind}")
    return link(place("said", box.name), group, id=place("map", box.name))


def _text(text: str, x: float, y: float, kind: str) -> Html:
    return element("text", text, x=f"{x + PAD:g}", y=f"{y:g}", class_=kind)


def _edge(response: Response, boxes: Mapping[str, Box], layout: Layout) -> Html:
    source, target = boxes[response.origin], boxes[response.target]
    (sx, sy), (tx, ty) = layout.at[source.name], layout.at[target.name]
    start, end = (sx, sy + source.height / 2), (tx + WIDTH, ty + target.height / 2)
    bend = max(30.0, (start[0] - end[0]) / 2)
    kind = "attack" if response.attacks else "support"
    path = (
        f"M{start[0]:g} {start[1]:g}C{start[0] - bend:g} {start[1]:g} {end[0] + bend:g} {end[1]:g} "
        f"{end[0] + 2:g} {end[1]:g}"
    )
    line = element("path", d=path, marker_end=f"url(#{kind})", class_=f"edge {kind}")
    if not response.source:
        return line
    where = {"x": f"{(start[0] + end[0]) / 2:g}", "y": f"{(start[1] + end[1]) / 2 - 3:g}"}
    told = "gives up" if response.kind == "concede" and response.attacks else response.kind
    return joined([line, element("text", told, class_=f"label {kind}", text_anchor="middle", **where)])


def wrapped(text: str, columns: int = COLUMNS, most: int = LINES) -> list[str]:
    """In so many lines at most; an ellipsis says that it goes on."""
    lines, rest = list[str](), on_one_line(text)
    while rest and len(lines) < most:
        cut = _fitting(rest, columns)
        space = rest.rfind(" ", 0, cut + 1)
        cut = space if cut < len(rest) and space > cut // 2 else cut
        lines.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    if rest and lines:
        lines[-1] = lines[-1][: max(1, _fitting(lines[-1], columns - 1))] + "…"
    return lines


def clipped(text: str) -> str:
    return next(iter(wrapped(text, most=1)), "")


def _fitting(text: str, columns: int) -> int:
    """How many letters fit."""
    used = 0
    for n, sign in enumerate(text):
        used += 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        if used > columns:
            return max(1, n)
    return len(text)


def _arrow(kind: str, shape: str) -> Html:
    path = element("path", d=shape, class_=f"tip {kind}")
    size = {"viewBox": "0 0 10 10", "refX": "9", "refY": "5", "markerWidth": "8", "markerHeight": "8"}
    return element("marker", path, id=kind, orient="auto", **size)


ARROWS = element("defs", _arrow("attack", "M0 0L10 5L0 10Z"), _arrow("support", "M0 1L9 5L0 9"))
LEGEND = words(
    "Read from right to left: what points at a box bears on it. A full line with a filled tip attacks, "
    "a broken line with an open tip supports. The sign and the border say how a claim stands: ✓ upheld (thick), "
    "◐ partially upheld (thin), ✕ refuted (broken), ? uncertain (dotted). Every box leads to the turn it was said in."
)
