"""The names that a protocol or a rubric is written with."""

from hustings.core.errors import Malformed, OutOfOrder, SeatError, SeatFailed
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
