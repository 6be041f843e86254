"""Findings that are given instead of computed."""

from hustings.judging.findings import Findings
from hustings.judging.judgement import Reliability
from hustings.judging.quorum import SeatsHeard
from hustings.transcript.notes import Played

NOTHING = {
    "endings": {"the debate": Played(), "judging": Played()},
    "voices": SeatsHeard(needed=3, had=3),
    "panel": (),
    "sheets": {},
    "unread": (),
    "totals": (),
    "gap": None,
    "reliability": Reliability(word="good", items=0, judges=0, observations=0),
    "doublings": 0.0,
    "trace": (),
    "board": None,
    "votes": None,
    "issues": {},
    "issues_in_words": {},
    "control": None,
    "questions": (),
}


class Given(Findings):
    def __init__(self, **given):
        # Each stands where the computed one would be kept.
        vars(self).update({**NOTHING, **given})

    def but(self, **other):
        return Given(**{**vars(self), **other})

    def ended(self, **endings):
        """`debate` or `judging` ended otherwise."""
        named = {{"debate": "the debate"}.get(name, name): ending for name, ending in endings.items()}
        return self.but(endings={**self.endings, **named})
