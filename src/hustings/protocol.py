"""Public names for authors of protocols and rubrics."""

from hustings.script.forms import Point
from hustings.script.seats import Player, Seat, pick
from hustings.script.stage import Settings

from .errors import Malformed, OutOfOrder, SeatError, SeatFailed
from .script.forms import ClaimId, Form, IssueId, Link, OwnId, Quote, SeatId, Speech
from .script.moves import Brief, or_none
from .script.protocol import SeatingContext
from .script.protocol_result import ArgumentRuling, FigureSection, ProtocolResult, ResultSection, SeatNames, Section
from .script.rubric import Mark, Penalty, Rubric, Score, Weight
from .script.stage import Stage
from .text.tables import TextTable, text_table
from .transcript.notes import Remark

__all__ = [
    "ArgumentRuling",
    "Brief",
    "ClaimId",
    "FigureSection",
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
    "ProtocolResult",
    "Quote",
    "Remark",
    "ResultSection",
    "Rubric",
    "Score",
    "Seat",
    "SeatError",
    "SeatFailed",
    "SeatId",
    "SeatNames",
    "SeatingContext",
    "Section",
    "Settings",
    "Speech",
    "Stage",
    "TextTable",
    "Weight",
    "or_none",
    "pick",
    "text_table",
]
