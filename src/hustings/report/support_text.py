"""Sentences about quotes from documents, and what each argument rests on; not yet escaped."""

from __future__ import annotations

from collections.abc import Mapping

from hustings.judging.citations import Basis, Support


def cited(support: Support | None) -> str:
    """How far what was said rests on the documents; empty in a debate without any."""
    if support is None:
        return ""
    if not support.references:
        return "No document was quoted."
    quotes = f"{support.accepted} of {_many(support.references, 'quote')} stand in the documents"
    arguments = f"{support.cited} of {_many(support.arguments, 'argument')} rest on such quotes alone"
    false = "; ".join(f"{count} {verdict}" for verdict, count in support.failed.items())
    return f"{quotes}; {arguments}." + (f" Not accepted: {false}." if false else "")


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def rests_on(support: Support) -> list[tuple[str, str]]:
    """Each argument, and what it rests on."""
    return [(argument, RESTS_ON[basis]) for argument, basis in support.bases.items()]


RESTS_ON: Mapping[Basis, str] = {
    "cited": "quotes from the documents",
    "own knowledge": "own knowledge: its evidence counts at most 5 of 10",
    "false quote": "a quote that is not in the documents: its evidence counts at most 3 of 10",
}
