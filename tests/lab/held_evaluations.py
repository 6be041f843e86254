"""Scripted evaluators, records to evaluate, and an evaluation held from first call to last figure."""

import json
import re
from dataclasses import dataclass

from hustings.lab.artefact import Evaluation
from hustings.lab.call_plan import CallPlan, call_plan
from hustings.lab.from_notes import EvaluatedRun, evaluation_from
from hustings.llm.improviser import clock
from hustings.runs.registry import find_protocol, find_script
from hustings.runs.staging import Rehearsal, plan, rehearse
from hustings.script.calls import Reply
from hustings.script.debate import Proceedings

TOPIC = "Should a town close its centre to cars?"
EVERY = ("structured", "roundtable", "adaptive", "moderated", "competition")
SENTENCE = re.compile(r"(?<=[.!?])\s|\n")
FAMILIES = ("alpha", "beta", "gamma")


@dataclass(frozen=True)
class Evaluated:
    """One evaluation in full."""

    rehearsal: Rehearsal
    run: EvaluatedRun

    @property
    def figures(self) -> Evaluation:
        return evaluation_from(self.run)

    @property
    def plan(self) -> CallPlan:
        settings = self.run.settings
        return call_plan(self.run.material, settings.parts, settings.judges * len(settings.readings))

    @property
    def waves(self) -> tuple[int, ...]:
        return tuple(len(wave) for wave in self.rehearsal.waves)


def held(protocol, actor, topic=TOPIC, **settings) -> Proceedings:
    return rehearse(plan(find_protocol(protocol), topic, settings=settings), actor).proceedings


def evaluated(judged, actor, **settings) -> Evaluated:
    given = {"judges": 1, "families": ["alpha"], "debaters": ["omega"], **settings}
    debate = plan(find_script("evaluation"), TOPIC, settings=given, judged=judged)
    played = rehearse(debate, actor)
    run = EvaluatedRun(debate, played.proceedings, "evaluation-1", "2026-01-01T00:00:00.000Z")
    return Evaluated(played, run)


def speaking(words):
    """Seats that say these words, by seat, turn after turn; the last again when they run out."""
    said = {}

    def actor(call):
        lines = words[call.seat.id] if isinstance(words, dict) else words
        n = said[call.seat.id] = said.get(call.seat.id, -1) + 1
        return Reply(lines[min(n, len(lines) - 1)], clock(call))

    return actor


def garbage(call):
    return Reply("I would say this is rather good, about seven of ten.", clock(call))


def turn_of(call):
    """The words of the turn that a question is about: the last exhibit of its first group."""
    return call.brief.exhibits[0][-1].words


def first_sentence(words):
    return SENTENCE.split(words.strip(), maxsplit=1)[0][:200]


class FairEvaluator:
    """Answers every form soundly: the same levels everywhere, quotes that stand there, one claim for each turn."""

    def __init__(self, level=5, stance=None, words=None, **changes):
        self.level, self.stance, self.words, self.changes = level, stance, words or {}, changes

    def __call__(self, call):
        answer = getattr(self, call.brief.form.__name__)(call)
        return Reply(
            json.dumps({**answer, "speaks_to_reader": None, **self.changes.get(call.brief.form.__name__, {})}),
            clock(call),
        )

    def StanceReading(self, call):  # noqa: N802  named as its form
        said = turn_of(call)
        option, firmness = self.stance(said) if self.stance else (call.brief.choices["option"][0], "holds")
        return {"quote": first_sentence(said), "option": option, "firmness": firmness, "shift_quote": None}

    def ClaimList(self, call):  # noqa: N802
        said = first_sentence(turn_of(call))
        if len(said.split()) < 3:
            return {"drawn": []}
        entry = {"quote": said, "claim": "It is as they say.", "carries": True, "reasons": ["as said"]}
        return {"drawn": [{**entry, "grounds": [{"quote": said, "kind": "case"}], "limit": None}]}

    def MatchList(self, call):  # noqa: N802
        points = [{"claim": name, "same_point": None} for name in call.brief.choices["item"]]
        return {"points": points, "grounds": [], "relations": []}

    def CritSheet(self, call):  # noqa: N802
        given = {"quote": first_sentence(turn_of(call)), "level": self.level}
        names = ("logical_validity", "evidential_support", "alternative_consideration", "causal_alignment", "fit")
        return {"failures": [], **dict.fromkeys(names, given)}

    def _rca(self, call, **words):
        return {"quote": first_sentence(turn_of(call)), **words, **{n: v for n, v in self.words.items() if n in words}}

    def RcaOpening(self, call):  # noqa: N802
        return self._rca(call, follows="yes")

    def RcaCritique(self, call):  # noqa: N802
        return self._rca(call, specific="yes", new="yes")

    def RcaRevision(self, call):  # noqa: N802
        return self._rca(call, accepts="none", reason="yes", moved_by=None, new="yes", changed="none")

    def RcaExchange(self, call):  # noqa: N802
        return {**self.RcaRevision(call), **self.RcaCritique(call)}

    def RcaSynthesis(self, call):  # noqa: N802
        return self._rca(call, weighs="yes")

    def RungSheet(self, call):  # noqa: N802
        said = first_sentence(turn_of(call))
        entry = {"asserts_quote": said, "asserts": "L1", "shows_quote": said, "shows": "L1", "declines": False}
        return {"rungs": [{"about": name, **entry, "traps": []} for name in call.brief.choices["item"]]}

    def SynthesisSheet(self, call):  # noqa: N802
        numbered = [line.partition(". ")[2] for line in turn_of(call).splitlines()]
        points = call.brief.choices["item"]
        return {
            "points": [{"about": name, "quote": numbered[0][:200], "stated": True} for name in points],
            "sentences": [{"number": n, "source": points[0], "fair": True} for n, _ in enumerate(numbered, 1)],
        }
