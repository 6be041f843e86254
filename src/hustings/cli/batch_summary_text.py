"""Prints the summary of a batch as lines of text, with a plot of the score gaps in plain characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from hustings.runs.batch_summary import BatchGroup, BatchSummary, ScoreGap, Spread, bins_of
from hustings.runs.outcome_text import counted_text, state_text
from hustings.text.figures import decimal, dollars, signed
from hustings.text.words import shortened

WIDEST_BAR = 40
"""Marks in a line of the plot; beyond that a mark stands for several debates."""
WORDS = 12
"""Words of a question that are shown."""


def lines_of_batch(found: BatchSummary) -> Iterator[str]:
    whole = found.whole
    yield f"{found.batch}: {_debates(whole.debates)}"
    yield f"  state      {counted_text({state_text(state): count for state, count in whole.states.items()})}"
    if whole.outcomes:
        yield f"  outcome    {counted_text(whole.outcomes)}"
    for n, (side, spread) in enumerate(whole.scores.items()):
        yield f"  {'score' if n == 0 else '':<10} {side} {_spread(spread)} of 10"
    yield f"  agreement  {_agreement(whole)}"
    if whole.rating:
        yield f"  rating     {_spread(whole.rating)} of 5, {_debates(whole.rating.count)} rated"
    yield f"  cost       {_cost(found)}"
    if found.spent:
        yield from (f"             {outcome}: {_dollars(spread)} a debate" for outcome, spread in whole.costs.items())
    for by, groups in groupby((*found.questions, *found.settings), key=lambda group: group.by):
        yield from ("", f"By {by.replace('_', ' ')}")
        for group in groups:
            yield from _group(group)
    yield from plot(found.gaps)


def _debates(count: int) -> str:
    return "1 debate" if count == 1 else f"{count:,} debates"


def _spread(spread: Spread, places: int = 1) -> str:
    mean = decimal(spread.mean, places)
    if spread.count == 1:
        return mean
    return f"{mean} ({decimal(spread.low, places)} to {decimal(spread.high, places)})"


def _agreement(group: BatchGroup) -> str:
    if group.agreement:
        return f"alpha {_spread(group.agreement, 2)}, known for {_debates(group.agreement.count)}"
    return "unknown: no judges of two families of models scored the same" if group.scores else "unknown: no scores yet"


def _cost(found: BatchSummary) -> str:
    if not found.spent:
        return f"free, {found.calls:,} calls"
    return f"${dollars(found.spent, 4)}, of it ${dollars(found.spent_on_judging, 4)} for judging; {found.calls:,} calls"


def _dollars(spread: Spread) -> str:
    return f"${dollars(spread.mean, 4)}" + (
        f" (${dollars(spread.low, 4)} to ${dollars(spread.high, 4)})" if spread.count > 1 else ""
    )


def _group(group: BatchGroup) -> Iterator[str]:
    yield f"  {shortened(group.value, WORDS)}"
    told = [counted_text(group.outcomes) or "none over", *(f"{side} {_spread(s)}" for side, s in group.scores.items())]
    told += [f"rating {_spread(group.rating)}"] if group.rating else []
    yield f"      {_debates(group.debates)}: {'; '.join(told)}"


def plot(gaps: Sequence[ScoreGap]) -> Iterator[str]:
    """For each pair of sides, how many debates had a gap of which size."""
    for sides in dict.fromkeys(gap.sides for gap in gaps):
        values = [gap.value for gap in gaps if gap.sides == sides]
        bins = bins_of(values)
        each = -(-max(bins.values()) // WIDEST_BAR)
        mark = "each # is a debate" if each == 1 else f"each # is {each} debates"
        yield from ("", f"Score of {sides[0]} minus score of {sides[1]}, in points; {mark}")
        for low, count in bins.items():
            bar = "#" * -(-count // each)
            yield f"  {signed(low, 0):>3} to {signed(low + 1, 0):>3}  {bar:<1} {count or ''}".rstrip()
