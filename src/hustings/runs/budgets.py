"""Budgets of owners: caps on what their debates may cost, in total and per day."""

from __future__ import annotations

from dataclasses import dataclass

from hustings.db import budget
from hustings.db.caps import Caps

from .clock import instant
from .queries import RunQueries
from .spec import RunSpec


@dataclass(frozen=True)
class Budgets:
    runs: RunQueries

    def set_caps(self, owner: str, *, total: int | None, day: int | None) -> None:
        """Set the caps of an owner in millionths of a dollar; None means no limit."""
        with self.runs.scoped.writing() as db:
            budget.set_caps(db, f"owner:{owner}", Caps(money=total))
            budget.set_caps(db, f"day:{owner}", Caps(money=day))
            if day is not None:
                budget.set_caps(db, _today(owner), Caps(money=day))

    def apply(self, spec: RunSpec) -> RunSpec:
        """Return the spec with the owner's budgets, in which its cap will be held."""
        return spec.model_copy(update={"above": self.above(spec.owner)})

    def above(self, owner: str) -> tuple[str, ...]:
        """Budgets that hold the cap of this owner's debates while they run. Opens today's budget if there is a cap."""
        with self.runs.scoped.writing() as db:
            found = budget.accounts(db, [f"owner:{owner}", f"day:{owner}"])
            capped = [name for name, stands in found.items() if stands.caps.money is not None]
            if f"day:{owner}" not in capped:
                return tuple(capped)
            budget.open_budget(db, _today(owner), found[f"day:{owner}"].caps)
            return tuple(_today(owner) if name == f"day:{owner}" else name for name in capped)


def _today(owner: str) -> str:
    return f"day:{owner}:{instant()[:10]}"
