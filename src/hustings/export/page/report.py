"""The whole report: one file that opens from a folder, asks nobody for anything and needs no script."""

from __future__ import annotations

from collections.abc import Iterable

from hustings.core.arguments import arguments_of
from hustings.core.dossier import Dossier
from hustings.core.transcript import Transcript

from . import evidence, record, verdict
from .markup import Html, element, joined, link
from .style import STYLE

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def render(dossier: Dossier) -> str:
    transcript = dossier.proceedings.transcript
    title = transcript.debate_metadata.topic or transcript.debate_id
    parts = [part for part in _parts(dossier) if part]
    head = joined(
        [
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=POLICY),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="referrer", content="no-referrer"),
            element("title", title),
            element("style", Html(STYLE)),
        ],
        "\n",
    )
    top = [element("p", _origin(transcript), class_="small"), element("h1", title, dir="auto")]
    body = joined(
        [
            element("header", *top, verdict.top(dossier), "\n", _contents(parts)),
            element("main", "\n", joined(parts, "\n"), "\n"),
            element("footer", element("p", f"{FOOT} Run {transcript.run_id}.")),
        ],
        "\n",
    )
    language = transcript.debate_metadata.language or "en"
    page = element(
        "html", "\n", element("head", "\n", head, "\n"), "\n", element("body", "\n", body, "\n"), "\n", lang=language
    )
    return f"<!doctype html>\n{page}\n"


def _parts(dossier: Dossier) -> Iterable[Html]:
    proceedings, judgement, found = dossier.proceedings, dossier.judgement, arguments_of(dossier)
    if judgement:
        yield verdict.survivors(judgement)
        if judgement.board:
            yield evidence.board(judgement.board)
        yield from evidence.positions(judgement)
    yield evidence.trace(found, judgement)
    yield evidence.argument_map(found)
    if judgement:
        yield evidence.marks(judgement)
        yield from evidence.checks(judgement)
        yield evidence.hints(judgement)
    yield evidence.cost(dossier)
    yield record.seats(proceedings)
    yield record.transcript(proceedings, found)
    yield record.result(proceedings)
    yield record.notes(proceedings)
    if judgement:
        yield evidence.origin(judgement)


def _origin(transcript: Transcript) -> str:
    how = transcript.run_metadata.generation_mode or "unknown"
    made = f"{transcript.run_metadata.protocol or 'unknown protocol'} · {how} · {transcript.created_at[:10]}"
    return f"hustings · {made} · {transcript.run_id}"


def _contents(parts: Iterable[Html]) -> Html:
    """Links to the sections there are."""
    there = [at for at in CONTENTS if any(part.startswith(f'<section id="{at}"') for part in parts)]
    entries = [element("li", link(at, CONTENTS[at])) for at in there]
    return element("nav", element("ul", *entries), aria_label="Contents")


CONTENTS = {
    "short": "In short", "board": "Score board", "votes": "Votes", "issues": "Issues", "trace": "Each argument",
    "map": "Map", "marks": "Marks", "reliability": "Reliability", "control": "Without debate", "cost": "Cost",
    "said": "What was said", "notes": "Notes",
}  # fmt: skip
FOOT = "Models give marks and quotes; the figures are computed from them and can be computed again."
