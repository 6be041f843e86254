"""Public names for authors of protocols and rubrics."""

from hustings.script.forms import Point
from hustings.script.seats import Player, Seat, pick
from hustings.script.stage import Settings

from .errors import Malformed, OutOfOrder, SeatError, SeatFailed
from .script.forms import ClaimId, Form, IssueId, Link, OwnId, Quote, SeatId, Speech
from .script.moves import Brief, or_none
from .script.protocol import SeatingContext
from .script.rubric import Mark, Penalty, Rubric, Score, Weight
from .script.stage import Stage
from .transcript.notes import Remark

__all__ = [
    "Brief",
    "ClaimId",
    "Form",
    "IssueId",
    "Link",
    "Malformed",
    "Mark",
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
    "SeatingContext",
    "Settings",
    "Speech",
    "Stage",
    "Weight",
    "or_none",
    "pick",
]
