"""Words for an adaptive debate: readings of the moderator, and positions of the seats."""

from hustings.protocols.adaptive import Complexity, Position

from .playing import notes, play
from .playing import with_words as words_of

HARD = {"stakeholders": 4, "domains": 3, "horizon": "long", "impact": "high"}
EASY = {"parties": 2, "fields": 1, "horizon": "short", "impact": "low", "stakes": "normal"}
READ_AS_HARD = {"parties": 6, "fields": 4, "horizon": "long", "impact": "high", "stakes": "high"}


def judged(score, **read):
    return Complexity(score=score, reason="many things hang together", **{**EASY, **read})


def with_words(lines):
    """Given words where they matter; unless it is given, the question is easy in the moderator's reading."""
    return words_of({"moderator complexity": judged(0), **lines})


CASE = "My case is this, and nothing else, as Proponent and Opponent heard."


def position(stance, condition="", text=CASE):
    view = "Noise decides it for me."
    return Position(text=text, own_view=view, condition=condition, stance=stance)


def standing(**stances):
    return {f"{seat} position": position(stance) for seat, stance in stances.items()}


SPLIT = standing(proponent="for", opponent="against", advocate="for", critic="undecided")


def assessed(score=5, topic="Is it so?", read=EASY, **settings):
    lines = {"moderator complexity": [judged(score, **read)], **SPLIT}
    played = play("adaptive", with_words(lines), topic=topic, **settings)
    (note,) = notes(played, "assessment")
    return played, note.body
