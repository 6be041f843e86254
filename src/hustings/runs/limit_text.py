"""What a limit that stopped a run left room for, and the option of `hustings fork` that gives it more."""

from __future__ import annotations

from math import ceil

from hustings.text.figures import dollars, held_text
from hustings.transcript.notes import BudgetStopped


def limit_reason(stopped: BudgetStopped) -> str:
    """Why a limit left no room for the next call."""
    left = stopped.cap - stopped.spent - stopped.held
    match stopped.unit:
        case "USD":
            figures = [f"${dollars(stopped.spent, 4)} spent", held_text(stopped.held, stopped.held_calls)]
            told = ", ".join(filter(None, figures))
            return f"the next answer could cost ${dollars(stopped.needed, 4)} and ${dollars(left, 4)} are left ({told})"
        case "tokens":
            return f"the next answer could take {stopped.needed:,.0f} tokens and {left:,.0f} are left"
        case "calls":
            return f"all {stopped.cap:g} calls are made"
        case unit:
            return f"its {stopped.cap:g} {unit} are over"


def more_room(stopped: BudgetStopped) -> str:
    """The option of `hustings fork` that gives room for more: twice as much, and at least for the next call."""
    amount = max(2 * stopped.cap, stopped.cap + stopped.needed)
    match stopped.unit:
        case "USD":
            return f"--budget {ceil(100 * amount) / 100:.2f}"
        case "tokens":
            return f"--max-tokens-total {ceil(amount)}"
        case "calls":
            return f"--max-calls {ceil(amount)}"
        case _:
            return f"--max-minutes {ceil(amount / 60)}"
