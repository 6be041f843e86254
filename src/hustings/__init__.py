"""hustings: debates between language models and people, on an honest record.

These are the names a protocol is written with, and those by which a program holds debates. Each is
loaded when it is first used: asking a command for help needs none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hustings.api import Debate, Result, Unfinished, adebate, aresume, debate, resume
    from hustings.core.errors import HustingsError, Malformed, OutOfOrder, SeatError, SeatFailed
    from hustings.core.forms import ClaimId, Form, IssueId, Link, OwnId, Quote, SeatId, Speech
    from hustings.core.moves import Brief, or_none
    from hustings.core.notes import Remark
    from hustings.core.points import Point
    from hustings.core.protocol import Occasion
    from hustings.core.rubric import Mark, Penalty, Rubric, Score, Weight
    from hustings.core.seats import Player, Seat, pick
    from hustings.core.settings import Settings
    from hustings.core.stage import Stage

__all__ = [
    "Brief",
    "ClaimId",
    "Debate",
    "Form",
    "HustingsError",
    "IssueId",
    "Link",
    "Malformed",
    "Mark",
    "Occasion",
    "OutOfOrder",
    "OwnId",
    "Penalty",
    "Player",
    "Point",
    "Quote",
    "Remark",
    "Result",
    "Rubric",
    "Score",
    "Seat",
    "SeatError",
    "SeatFailed",
    "SeatId",
    "Settings",
    "Speech",
    "Stage",
    "Unfinished",
    "Weight",
    "adebate",
    "aresume",
    "debate",
    "or_none",
    "pick",
    "resume",
]
ROOMS = {
    "core.errors": "HustingsError Malformed OutOfOrder SeatError SeatFailed",
    "core.forms": "ClaimId Form IssueId Link OwnId Quote SeatId Speech",
    "core.moves": "Brief or_none",
    "core.notes": "Remark",
    "core.points": "Point",
    "core.protocol": "Occasion",
    "core.rubric": "Mark Penalty Rubric Score Weight",
    "core.seats": "Player Seat pick",
    "core.settings": "Settings",
    "core.stage": "Stage",
    "api": "Debate Result Unfinished adebate aresume debate resume",
}
"""Where the names live."""


def __getattr__(name: str) -> Any:
    for room, names in ROOMS.items():
        if name in names.split():
            return getattr(import_module(f"hustings.{room}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
