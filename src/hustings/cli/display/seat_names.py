"""Titles and colours of seats; the title names the side or role, so it is clear without colours too."""

from __future__ import annotations

from collections.abc import Iterable

from hustings.transcript.models import Participant

SIDES = {"pro": "blue", "con": "red", "judge": "yellow", "moderator": "yellow", "clerk": "yellow"}
OTHERS = ("cyan", "magenta", "green", "bright_magenta", "bright_cyan", "bright_green")
PLAIN_ROLES = frozenset({"", "debater", "panelist", "voice"})
"""Roles that tell no more about a seat than its name does."""


class Roster:
    """Titles and colours of the seats of one debate."""

    def __init__(self, participants: Iterable[Participant] = ()) -> None:
        seats = list(participants)
        self._side = {seat.agent_id: _side(seat) for seat in seats}
        others = dict.fromkeys(side for side in self._side.values() if side not in SIDES)
        self._colour = {**SIDES, **{side: OTHERS[n % len(OTHERS)] for n, side in enumerate(others)}}

    @property
    def seats(self) -> frozenset[str]:
        return frozenset(self._side)

    def title(self, seat: str) -> str:
        """`PRO pro_2`; only the seat if it equals its side."""
        side = self._side.get(seat, seat)
        return seat.upper() if side == seat else f"{side.upper()} {seat}"

    def colour(self, seat: str) -> str:
        return self._colour.get(self._side.get(seat, seat), "")


def _side(seat: Participant) -> str:
    """The seat's team, else its role where that distinguishes it, else its id."""
    role = seat.role or ""
    return (seat.team or ("" if role in PLAIN_ROLES else role) or seat.agent_id).lower()
