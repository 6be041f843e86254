"""Sentences about quotes from documents, and what each argument rests on; not yet escaped."""

from __future__ import annotations

from collections.abc import Mapping

from hustings.judging.citations import Basis, Support
from hustings.text.figures import listed

from .quote_view import QuoteView


def cited(support: Support | None) -> str:
    """How far what was said rests on the documents; empty in a debate without any."""
    if support is None:
        return ""
    looked = "; ".join(f"{seat} {_many(count, 'time')}" for seat, count in support.looked_up.items())
    return _quoted(support) + (f" Looked up before speaking: {looked}." if looked else "")


def _quoted(support: Support) -> str:
    if not support.references:
        return "No document was quoted."
    quotes = f"{support.accepted} of {_many(support.references, 'quote')} stand in the documents"
    arguments = f"{support.cited} of {_many(support.arguments, 'argument')} rest on such quotes alone"
    false = "; ".join(f"{count} {FAILED.get(verdict, verdict)}" for verdict, count in support.failed.items())
    where = listed([argument for argument, basis in support.bases.items() if basis == "false quote"])
    told = f" Not accepted: {false}" + (f" (in {where})." if where else ".") if false else ""
    judged = ""
    if support.precision is not None and support.recall is not None:
        judged = (
            f" By the judges, {support.precision:.0%} of the quotes in arguments support their claim (precision), and "
            f"{support.recall:.0%} of the arguments have a quote that supports them fully (recall)."
        )
    return f"{quotes}; {arguments}.{told}{judged}"


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def rests_on(support: Support) -> list[tuple[str, str]]:
    """Each argument, and what it rests on."""
    return [(argument, RESTS_ON[basis]) for argument, basis in support.bases.items()]


def checked(quote: QuoteView) -> str:
    """What code found of a quote, by sign and in words."""
    if quote.accepted:
        return "✓ accepted" if quote.document == quote.named else f"✓ accepted, but named {quote.named}"
    return f"✕ not accepted: {VERDICTS.get(quote.verdict, quote.verdict)}" + (f" ({quote.why})" if quote.why else "")


def place_of(quote: QuoteView) -> str:
    """Passage and page of a quote, or the document that it names."""
    return (quote.passage or quote.document) + (f", page {quote.page}" if quote.page else "")


VERDICTS = {
    "altered": "the words differ",
    "clipped": "words that turn its sense are cut off",
    "absent": "it stands nowhere in the document",
    "short": "too short to prove anything",
    "unknown": "no such document",
}
"""What is wrong with a quote that was not accepted."""
RESTS_ON: Mapping[Basis, str] = {
    "cited": "quotes from the documents",
    "own knowledge": "own knowledge: its evidence counts at most 5 of 10",
    "false quote": "a quote that is not in the documents: its evidence counts at most 3 of 10",
}
FAILED = {
    "altered": "whose words differ from the document",
    "clipped": "without words that turn its sense",
    "absent": "that stands nowhere",
    "short": "too short to prove anything",
    "unknown": "of a document that its speaker did not have",
}
"""What is wrong with quotes that were not accepted, after their number."""
