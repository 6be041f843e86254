"""Panels made up for a test: who marks what how, in which order it was shown."""

from hustings.judging.marks import Observation

PRO, CON = ("PRO-1", "PRO-2", "PRO-3"), ("CON-1", "CON-2", "CON-3")
SIDE_OF = {item: item[:3].lower() for item in PRO + CON}
WEIGHTS = {"logic": 0.3, "evidence": 0.3, "responsiveness": 0.25, "honesty": 0.15}
ONE = {"mark": 1.0}
"""A rubric of a single dimension: totals are the marks themselves."""


def panel(mark, judges="abc", orders=2, items=PRO + CON):
    """`mark` is given judge, order and item, and says the one mark or None; the sides change places with the order."""
    return [
        Observation(
            judge,
            order,
            {item: {"mark": given} for item in items if (given := mark(judge, order, item)) is not None},
            tuple(items if order % 2 == 0 else [*items[len(items) // 2 :], *items[: len(items) // 2]]),
        )
        for judge in judges
        for order in range(orders)
    ]


def first_shown_wins(judge, order, item):
    """Two points more for the side that is shown first, whatever it says."""
    return 8.0 if (item in PRO) == (order == 0) else 6.0


def all_alike(judge, order, item):
    return 6.0
