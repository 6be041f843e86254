"""Checks an executive summary that a model wrote: a sentence without a valid citation is dropped and counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import BaseModel, Field

from hustings.script.debate import Proceedings
from hustings.text.quotes import is_verbatim
from hustings.text.words import count_words

from .arguments import Argumentation
from .judgement import ExecutiveSummary, Judgement, SummarySentence


class Finding(BaseModel, frozen=True, defer_build=True):
    """An argument that a summary may cite, and what became of it."""

    id: str = Field(min_length=1, max_length=80)
    seat: str
    side: str
    claim: str
    words: str
    """Its own words, from which a citation quotes."""
    status: str
    """What became of it, in words."""


def findings(judgement: Judgement, case: Argumentation) -> tuple[Finding, ...]:
    words = {claim.id: claim.words for claim in case.claims}
    return tuple(
        Finding(
            id=row.id,
            seat=row.seat,
            side=row.side,
            claim=row.claim,
            words=row.quote or words.get(row.id, row.claim),
            status=row.reason,
        )
        for row in judgement.trace
    )


def kept(
    sentences: Iterable[SummarySentence], found: Iterable[Finding], verdict: str, *, decided: bool
) -> tuple[tuple[SummarySentence, ...], int]:
    """Return the sentences that hold, and how many were dropped; fewer than two make no summary."""
    known, given = {finding.id: finding for finding in found}, list(sentences)
    held = [one for one in given if not list(faults(one, known, verdict))]
    if len(held) < FEWEST or (not decided and any(WINNER.search(one.text) for one in held)):
        return (), len(given)
    return tuple(held), len(given) - len(held)


def faults(sentence: SummarySentence, known: Mapping[str, Finding], verdict: str) -> Iterator[str]:
    """What is wrong with a sentence, in words."""
    if not sentence.ids:
        yield "it cites no argument"
    if unknown := [item for item in sentence.ids if item not in known]:
        yield f"there is no argument {unknown[0]}"
    cited = [known[item] for item in sentence.ids if item in known]
    if count_words(sentence.quote) < SHORTEST_QUOTE or not any(is_verbatim(sentence.quote, one.words) for one in cited):
        yield "its quote does not stand in what it cites"
    if count_words(sentence.text) > MOST_WORDS:
        yield f"it has more than {MOST_WORDS} words"
    told = " ".join([verdict, *(f"{one.claim} {one.words} {one.status}" for one in cited)])
    # The 2 of PRO-2 is no figure of the debate.
    known_figures = {*FIGURE.findall(told), *FIGURE.findall(" ".join(sentence.ids))}
    if strange := [figure for figure in FIGURE.findall(sentence.text) if figure not in known_figures]:
        yield f"its figure {strange[0]} does not stand in what it cites"


def summary_of(run_id: str, model: str, proceedings: Proceedings) -> ExecutiveSummary | None:
    """What a finished summary run wrote; None if nothing of it held."""
    for note in proceedings.notes:
        if note.kind == NOTE and isinstance(sentences := note.body.get("sentences"), list) and sentences:
            told: Sequence[SummarySentence] = [SummarySentence.model_validate(one) for one in sentences]
            dropped = int(str(note.body.get("dropped", 0)))
            return ExecutiveSummary(run_id=run_id, model=model, sentences=tuple(told), dropped=dropped)
    return None


NOTE = "summary"
FEWEST = 2
MOST_WORDS = 30
SHORTEST_QUOTE = 3
FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
WINNER = re.compile(
    r"\b(?:wins?|won|winners?|winning|los(?:es?|t|ing)|prevail\w*|defeat\w*|beats?|triumph\w*|victor\w*|outargu\w*"
    r"|favou?rs?|(?:came|comes) out (?:ahead|on top)|ahead on points|argued better"
    r"|(?:stronger|better) (?:case|arguments?))\b",
    re.IGNORECASE,
)
"""Words that name a winner, which a summary may not do without a verdict."""
