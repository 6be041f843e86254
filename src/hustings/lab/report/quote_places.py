"""Where quoted words stand in a turn: numbered in their order, one mark where several quotes meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hustings.text.quotes import found_in

from .evaluation_view import MarkedQuote, QuotePlace


@dataclass(frozen=True)
class Quoting:
    """Words that a judge quoted, and what for."""

    judge: str
    label: str
    quote: str
    fault: bool = False


@dataclass(frozen=True)
class _Span:
    start: int
    end: int
    fault: bool


def mark_quotes(text: str, quoted: Iterable[Quoting]) -> tuple[tuple[QuotePlace, ...], tuple[MarkedQuote, ...]]:
    """Places in the text, and the quotes with the number of their place.

    Judges who quote the same words for the same reason share one entry.
    """
    judges: dict[tuple[str, str, bool], list[str]] = {}
    for one in quoted:
        if one.quote.strip():
            judges.setdefault((one.quote, one.label, one.fault), []).append(one.judge)
    spans = {(quote, fault): _Span(*span, fault=fault) for quote, _, fault in judges if (span := _found(quote, text))}
    merged = _merged(spans.values())
    places = tuple(
        QuotePlace(words=text[span.start : span.end], number=n, fault=span.fault) for n, span in enumerate(merged, 1)
    )
    return places, tuple(
        MarkedQuote(
            words=quote,
            label=label,
            judge=", ".join(dict.fromkeys(who)),
            fault=fault,
            number=_number(merged, spans.get((quote, fault))),
        )
        for (quote, label, fault), who in judges.items()
    )


def _found(quote: str, text: str) -> tuple[int, int] | None:
    """Word for word if possible, else with other typography or case."""
    if (start := text.find(quote)) >= 0:
        return start, start + len(quote)
    found = found_in(quote, [text])
    return (found.start, found.end) if found.accepted and found.start >= 0 else None


def _merged(spans: Iterable[_Span]) -> list[_Span]:
    """A mark cannot begin inside another, so those that meet become one."""
    merged: list[_Span] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        if merged and span.start < (last := merged[-1]).end:
            merged[-1] = _Span(last.start, max(last.end, span.end), fault=last.fault or span.fault)
        else:
            merged.append(span)
    return merged


def _number(merged: Sequence[_Span], span: _Span | None) -> int | None:
    return next((n for n, one in enumerate(merged, 1) if span and one.start <= span.start < one.end), None)


def pieces(text: str, places: Sequence[QuotePlace]) -> Iterator[tuple[str, QuotePlace | None]]:
    """The text cut at its marks, for a display that draws them in place."""
    at = 0
    for place in places:
        start = text.find(place.words, at)
        if start < 0:
            continue
        if start > at:
            yield text[at:start], None
        yield place.words, place
        at = start + len(place.words)
    if at < len(text):
        yield text[at:], None
