"""Seats of a panel: a person for each lens of the catalogue, or named characters, each with the lens of their role."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .catalogue import Catalogue, Lens
from .seats import Player, Seat


def lens_panel(lenses: Iterable[Lens], duty: str) -> dict[Seat, Player]:
    """The person of each lens; `duty` is what all of them are there to do."""
    return dict(_panelist(lens.id, lens.person, lens.background, duty, lens) for lens in lenses)


def named_panel(entries: Sequence[str], catalogue: Catalogue, duty: str) -> dict[Seat, Player]:
    """Characters as named, each with a lens of its own; if none is contrarian the last one doubts as well."""
    contrarian = next(lens for lens in catalogue.lenses if lens.contrarian)
    people = [[part.strip() for part in f"{entry}:".split(":")[:2]] for entry in entries]
    lenses = [[catalogue.lens_for(role or name)] for name, role in people]
    if len(people) == 1:
        people, lenses = [*people, [contrarian.person, contrarian.background]], [*lenses, [contrarian]]
    elif not any(lens.contrarian for (lens,) in lenses):
        lenses[-1].append(contrarian)
    names = [f"{name}, {role}" if role else name or f"Panelist {n}" for n, (name, role) in enumerate(people, 1)]
    seats = enumerate(zip(names, lenses, strict=True), 1)
    return dict(_panelist(f"p{n}", name, "", duty, *some) for n, (name, some) in seats)


def _panelist(seat_id: str, name: str, background: str, duty: str, *lenses: Lens) -> tuple[Seat, Player]:
    role = "contrarian" if any(lens.contrarian for lens in lenses) else "panelist"
    looks = [f"{lens.priority} You often ask: {' '.join(lens.asks)}" for lens in lenses]
    return Seat(seat_id, "", role, name, " ".join([*looks, duty]), background), Player(
        manners=tuple(lens.id for lens in lenses)
    )


GENERAL_LENSES = frozenset({"evidence", "precedent", "duty", "learner", "account", "devil", "generalist"})
"""Lenses of the general field: a panel of these alone was chosen because no word of the topic called for others."""
EMPHASES = {
    field: f" The question is mainly about {what}: say what your view means there."
    for field, what in {
        "technical": "technology",
        "business": "business and work",
        "interpersonal": "people who know each other",
        "health": "health",
        "creative": "art and making",
        "policy": "public rules",
    }.items()
}
