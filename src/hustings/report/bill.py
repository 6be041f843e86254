"""What a debate cost, as a table: a line for each of its runs."""

from __future__ import annotations

from collections.abc import Sequence

from hustings.judging.dossier import Expense

BILL_HEADS = ("For", "Run", "Calls", "Tokens", "USD")


def bill_cells(expense: Expense) -> Sequence[str]:
    """What a host used is not known, which is not the same as nothing."""
    tokens = f"{expense.tokens:,}" + (f" and {expense.tokens_held:,} uncounted" if expense.tokens_held else "")
    used = [str(expense.calls), tokens, f"{expense.spent:.4f}"]
    return [expense.what, expense.run_id, *(["unknown"] * 3 if expense.hosted and not expense.calls else used)]
