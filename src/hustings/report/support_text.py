"""Sentences about quotes from documents, and what each argument rests on; not yet escaped."""

from __future__ import annotations

from hustings.judging.citations import Support


def cited(support: Support) -> str:
    """How far what was said rests on the documents."""
    if not support.references:
        return "No document was quoted."
    arguments = f"{support.cited} of {support.arguments} {'argument' if support.arguments == 1 else 'arguments'} rest on such quotes alone"
    false = "; ".join(f"{count} {verdict}" for verdict, count in support.failed.items())
    failed = f" Not accepted: {false}." if false else ""
    quotes = f"{support.accepted} of {support.references} {'quote' if support.references == 1 else 'quotes'} stand in the documents"
    return f"{quotes}; {arguments}.{failed}"


RESTS_ON = {
    "cited": "quotes from the documents",
    "own knowledge": "own knowledge: its evidence counts at most 5 of 10",
    "false quote": "a quote that is not in the documents: its evidence counts at most 3 of 10",
}


def rests_on(support: Support) -> list[tuple[str, str]]:
    """Each argument, and what it rests on."""
    return [(argument, RESTS_ON[basis]) for argument, basis in support.bases.items()]
