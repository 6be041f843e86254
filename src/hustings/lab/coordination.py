"""How a debate was shared out: words over the speakers, and the time in which no call was under way. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hustings.text.words import count_words
from hustings.transcript.models import SILENT_ROLES, Transcript

from .artefact import SeatFigures
from .signals import gini


def gini_of_words(transcript: Transcript) -> float | None:
    """0 if all speakers said as much, near 1 if one said nearly all; None for fewer than two who were heard."""
    silent = {one.agent_id for one in transcript.participants if one.role in SILENT_ROLES}
    words: dict[str, int] = {}
    for turn in transcript.turns:
        if turn.said and turn.speaker_id not in silent:
            words[turn.speaker_id] = words.get(turn.speaker_id, 0) + count_words(turn.said)
    return gini([*words.values()])


def idle_share(calls: Iterable[tuple[float, float]]) -> float | None:
    """Share of the time from the first call to the last answer in which no call was under way.

    A call is when it was sent and when it was answered, in seconds. None if no time passed.
    """
    busy, begun, end = 0.0, None, 0.0
    for sent, answered in sorted(calls):
        if begun is None:
            begun = end = sent
        busy += max(0.0, answered - max(sent, end))
        end = max(end, answered)
    if begun is None or end <= begun:
        return None
    return 1 - busy / (end - begun)


def challenges_answered(seats: Mapping[str, SeatFigures]) -> float | None:
    """Share of all challenges that the challenged seat answered; None if nobody was challenged."""
    challenges = sum(seat.challenges for seat in seats.values())
    return 1 - sum(seat.unanswered for seat in seats.values()) / challenges if challenges else None
