"""How standings, marks and sides are shown: never by colour alone, always with a sign or a word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from hustings.core.figures import decimal
from hustings.core.judgement import Standing
from hustings.core.transcript import Participant

from .markup import Html, element

SIGNS: Mapping[Standing, str] = {"upheld": "✓", "partially_upheld": "◐", "refuted": "✕", "uncertain": "?"}
NOT_JUDGED = "not judged"


def standing(value: Standing | None) -> Html:
    if value is None:
        return element("span", NOT_JUDGED, class_="standing")
    return element("span", f"{SIGNS[value]} {value.replace('_', ' ')}", class_=f"standing {value}")


def mark(value: float | None) -> Html:
    """One cell of a heat grid."""
    if value is None:
        return element("td", "–", class_="mark none", title="not scored")
    return element("td", decimal(value), class_=f"mark {heat(value)}")


def heat(value: float) -> str:
    return f"heat{degree(value)}"


def degree(value: float) -> int:
    """How strong its colour is, from 1 to 10."""
    return min(10, max(1, round(value)))


def side(participant: Participant | None) -> Literal["pro", "con", "judge", "other"]:
    """The class of a speaker; pro, con and the judge have colours of their own."""
    named = (participant.team or participant.role or participant.agent_id).casefold() if participant else ""
    match named:
        case "pro" | "con" | "judge":
            return named
        case _:
            return "other"
