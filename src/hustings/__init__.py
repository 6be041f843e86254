"""hustings: debates between language models and people, on an honest record.

These are the names a protocol is written with.
"""

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
    "Rubric",
    "Score",
    "Seat",
    "SeatError",
    "SeatFailed",
    "SeatId",
    "Settings",
    "Speech",
    "Stage",
    "Weight",
    "or_none",
    "pick",
]
