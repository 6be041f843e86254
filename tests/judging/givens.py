"""Findings that are given instead of computed."""

from dataclasses import replace

from hustings.judging.findings import Findings
from hustings.judging.judgement import Reliability
from hustings.judging.quorum import SeatsHeard
from hustings.script.debate import Proceedings
from hustings.script.stage import AuditSubject
from hustings.transcript.notes import Played

from .records import record

RUN = "d-7f3"


def subject(ending=None):
    """The debate that was judged: nothing of it counts but its id and how it ended."""
    transcript = record().model_copy(update={"run_id": RUN})
    return AuditSubject(Proceedings(transcript=transcript, notes=(), result=None, ending=ending or Played()), {})


NOTHING = {
    "subject": subject(),
    "endings": {"the debate": Played(), "judging": Played()},
    "voices": SeatsHeard(needed=3, had=3),
    "names": {},
    "independent": True,
    "panel": (),
    "strangers": False,
    "sheets": {},
    "unread": (),
    "totals": (),
    "gap": None,
    "reliability": Reliability(word="good", items=0, judges=0, observations=0),
    "doublings": 0.0,
    "seen": (),
    "measured": ((), {}, {}, {}),
    "by_speech": False,
    "trace": (),
    "board": None,
    "votes": None,
    "issues": {},
    "issues_in_words": {},
    "control": None,
    "questions": (),
    "pair": None,
    "stances": {},
    "settled": (),
    "movements": (),
    "lean": None,
    "unfounded": 0,
    "withdrawn": set(),
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
        debate = endings.get("debate", self.subject.judged.ending)
        judged = self.subject.judged.model_copy(update={"ending": debate})
        return self.but(endings={**self.endings, **named}, subject=replace(self.subject, judged=judged))
