"""The recommendation of a judged debate in a few lines, and every caveat, for programs that read no further."""

from __future__ import annotations

from hustings.judging.judgement import Judgement

from . import wording


def recommendation(found: Judgement) -> tuple[str, ...]:
    """The bottom line, how sure it is, and the issues of a panel."""
    briefing = found.briefing
    sure = wording.sure(briefing)
    return tuple(filter(None, (briefing.bottom_line, sure and f"How sure: {sure}", *briefing.issues)))


def caveats(found: Judgement) -> tuple[str, ...]:
    """What weakens the verdict, and what no verdict of a debate can be."""
    return tuple(filter(None, (*found.degraded, found.briefing.caveat)))
