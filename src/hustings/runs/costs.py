"""Costs: what runs have cost, by day, model, protocol and kind, and how much of the owner's limits is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel

from hustings.db import budget, spending
from hustings.db.caps import MICRO
from hustings.db.instants import instant
from hustings.db.spending import Spent, SpentGroup

if TYPE_CHECKING:
    from .queries import RunQueries

Kind = Literal["debate", "judging", "evaluation", "control", "summary", "trial"]
AUDITS: Mapping[str, Kind] = {
    "judging": "judging",
    "evaluation": "evaluation",
    "control": "control",
    "summary": "summary",
    "probing": "trial",
    "evaluator_trial": "trial",
}
"""Kinds by the name of the script; every other script is a debate."""


class CostRow(BaseModel, frozen=True, defer_build=True):
    """What some runs have cost together. Dollars include what is held for calls in flight."""

    name: str
    runs: int
    calls: int
    tokens: int
    """Those that are known."""
    spent: float
    presumed: float
    """Of the dollars, what stands for the most that calls could cost, because the real price is not known."""
    unknown: int
    """Runs whose host pays, so that their cost is not known."""


class CapRow(BaseModel, frozen=True, defer_build=True):
    """A limit of the owner, and how much of it is used."""

    what: Literal["day", "total"]
    cap: float | None
    """In dollars; null: no limit."""
    spent: float
    held: float
    """Limits of debates that have not ended."""


@dataclass(frozen=True)
class OwnerCaps:
    """Limits of all debates of an owner, in millionths of a dollar; None: no limit."""

    day: int | None
    total: int | None


class Costs(BaseModel, frozen=True, defer_build=True):
    """What the runs of an owner have cost. The rows of each table sum up to the total."""

    total: CostRow
    days: tuple[CostRow, ...]
    """Days in UTC on which runs were entered, the newest first."""
    models: tuple[CostRow, ...]
    """By the model that answered; an empty name stands for calls that are not on record with an answer."""
    protocols: tuple[CostRow, ...]
    kinds: tuple[CostRow, ...]
    caps: tuple[CapRow, ...]
    owners: tuple[CostRow, ...] = ()
    """Of the whole server, for its operator."""


def caps_of(runs: RunQueries, owner: str) -> OwnerCaps:
    """What the debates of this owner may cost."""
    with runs.scoped.reading() as db:
        accounts = budget.accounts(db, [f"owner:{owner}", f"day:{owner}"])
    day, total = (found.caps.money if (found := accounts.get(f"{of}:{owner}")) else None for of in ("day", "owner"))
    return OwnerCaps(day, total)


def costs_of(runs: RunQueries, owner: str, since: str = "") -> Costs:
    """What the runs of this owner have cost since an instant."""
    with runs.scoped.reading() as db:
        groups = spending.on_runs(db, owner, since)
        models = spending.on_models(db, owner, since)
        today = f"day:{owner}:{instant()[:10]}"
        accounts = budget.accounts(db, [f"owner:{owner}", f"day:{owner}", today])
    total = sum(groups.values(), Spent())
    return Costs(
        total=_row("", total),
        days=_rows(groups, lambda group: group.day, newest=True),
        models=_dearest({**models, "": _rest(total, models)}),
        protocols=_rows(groups, lambda group: _script(group.protocol)),
        kinds=_rows(groups, lambda group: AUDITS.get(_script(group.protocol), "debate")),
        caps=(
            _cap("day", accounts.get(f"day:{owner}"), accounts.get(today)),
            _cap("total", accounts.get(f"owner:{owner}"), accounts.get(f"owner:{owner}")),
        ),
    )


def costs_by_owner(runs: RunQueries, since: str = "") -> tuple[CostRow, ...]:
    """What the runs of every owner have cost, for the operator."""
    with runs.database.reading() as db:
        return _rows(spending.on_runs(db, None, since), lambda group: group.owner)


def _script(protocol: str) -> str:
    """The name of a script or protocol without its version."""
    name, _, version = protocol.rpartition("/")
    return name if name and version.isdigit() else protocol


def _rest(total: Spent, models: Mapping[str, Spent]) -> Spent:
    """Calls without an answer, and calls whose answers were pruned: the total stays right."""
    named = sum((sums for model, sums in models.items() if model), Spent())
    return Spent(
        models.get("", Spent()).runs,
        max(0, total.calls - named.calls),
        max(0, total.tokens - named.tokens),
        total.money - named.money,
        max(0, total.presumed - named.presumed),
    )


def _rows(
    groups: Mapping[SpentGroup, Spent], named: Callable[[SpentGroup], str], *, newest: bool = False
) -> tuple[CostRow, ...]:
    found: dict[str, Spent] = {}
    for group, sums in groups.items():
        found[named(group)] = found.get(named(group), Spent()) + sums
    if newest:
        return tuple(_row(name, found[name]) for name in sorted(found, reverse=True))
    return _dearest(found)


def _dearest(found: Mapping[str, Spent]) -> tuple[CostRow, ...]:
    """Rows that say something, the most expensive first."""
    said: Iterable[tuple[str, Spent]] = ((name, sums) for name, sums in found.items() if sums != Spent())
    return tuple(_row(name, sums) for name, sums in sorted(said, key=lambda one: (-one[1].money, one[0])))


def _row(name: str, sums: Spent) -> CostRow:
    return CostRow(
        name=name,
        runs=sums.runs,
        calls=sums.calls,
        tokens=sums.tokens,
        spent=sums.money / MICRO,
        presumed=sums.presumed / MICRO,
        unknown=sums.hosted,
    )


def _cap(what: Literal["day", "total"], limit: budget.Account | None, used: budget.Account | None) -> CapRow:
    cap = limit.caps.money if limit else None
    return CapRow(
        what=what,
        cap=None if cap is None else cap / MICRO,
        spent=used.spent.money / MICRO if used else 0.0,
        held=used.held.money / MICRO if used else 0.0,
    )
