"""The trial of an evaluator: each topic once without a flaw and once with each, and what an evaluator makes of them.

The clean twin of all six flaws is the same debate, and a flaw changes one turn, so most turns are read once for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hustings.judging.judgement import Judge
from hustings.script.debate import Proceedings
from hustings.script.moves import Brief
from hustings.transcript.canonical import digest
from hustings.transcript.notes import RULES, Note, Played, Remark

from .answers_noted import answers_noted
from .artefact import Evaluation
from .build_bundles import DebateMaterial
from .build_evaluation import build_evaluation
from .evaluation_material import EvaluationMaterial
from .evaluator_report import TrialResult
from .flawed_debates import FLAWED_DEBATES, FLAWS, OPTIONS, TOPICS, WRITTEN, FlawedDebate, FlawKind, found_in
from .scorers import claim_listing, point_matching, stance_reading

TAG = "trial"
"""Field of a note that says which debate it is about."""
PART_OF: Mapping[FlawKind, str] = {
    "contradiction": "crit",
    "unsupported_claim": "crit",
    "causal_overreach": "t3",
    "stubborn_restatement": "rca",
    "sycophantic_flip": "rca",
}
"""Flaw to the part that should show it; a hollow agreement shows in stances and grounds alone."""
MATCHES = point_matching.NOTE
OF_TURNS = frozenset({stance_reading.NOTE, claim_listing.NOTE})


@dataclass(frozen=True)
class TrialVersion:
    """One of the seven debates of a topic: the clean one, or that with one flaw."""

    debate: FlawedDebate
    """For the clean version, the clean twin of any flaw."""

    @property
    def name(self) -> str:
        return f"{self.debate.topic.name}-{self.debate.flaw}" if self.debate.flawed else self.base

    @property
    def base(self) -> str:
        return f"{self.debate.topic.name}-clean"

    @property
    def judged(self) -> Proceedings:
        return Proceedings(transcript=self.debate.transcript, notes=(), result=None, ending=Played())

    @property
    def new_turns(self) -> list[str]:
        """Turns whose words no other version has."""
        turns = [turn.id for turn in self.debate.topic.turn]
        return [self.debate.turn.id] if self.debate.flawed else turns

    @property
    def matched_turns(self) -> list[str]:
        """Turns of which must be asked anew what was said before: the changed one, and all later ones."""
        turns = [turn.id for turn in self.debate.topic.turn]
        return turns[turns.index(self.debate.turn.id) :] if self.debate.flawed else turns

    @property
    def questions(self) -> list[tuple[str, str]]:
        """Turn and part that judges are asked about."""
        flaws: list[FlawKind] = (
            [self.debate.flaw] if self.debate.flawed else [flaw for flaw in FLAWS if flaw in PART_OF]
        )
        places = {turn.flaw: turn.id for turn in self.debate.topic.turn}
        return [(places[flaw], PART_OF[flaw]) for flaw in flaws if flaw in PART_OF]

    def material(self, notes: Iterable[Note]) -> DebateMaterial:
        """The debate with its own notes, and those of the clean version where nothing differs."""
        known = [note for note in notes if note.by == RULES]
        own = [note for note in known if note.body.get(TAG) == self.name]
        taken = [
            note
            for note in known
            if note.body.get(TAG) == self.base != self.name
            and (
                (note.kind in OF_TURNS and note.body["turn"] not in self.new_turns)
                or (note.kind == MATCHES and note.body["turn"] not in self.matched_turns)
            )
        ]
        return DebateMaterial(self.judged, (*own, *taken), OPTIONS)

    def tagged(self, brief: Brief[Any]) -> Brief[Any]:
        """The same brief, whose notes say which debate they are about."""

        def kept(answer: Any) -> Iterable[Remark]:
            for remark in (remark for observer in brief.observers for remark in observer(answer)):
                yield Remark(remark.kind, {**remark.body, TAG: self.name})

        return replace(brief, observers=(kept,))

    def evaluation(self, notes: Iterable[Note], judges: Sequence[Judge], reading: int | None = None) -> Evaluation:
        """What the evaluator made of it."""
        material = self.material(notes)
        transcript = self.debate.transcript
        return build_evaluation(
            EvaluationMaterial(
                transcript=transcript,
                transcript_digest=digest(transcript.document()),
                task=self.debate.task,
                bundles=material.bundles,
                answers=answers_noted(material.notes, reading),
                evaluated_at=WRITTEN,
                evaluator_version=TAG,
                judges=tuple(judges),
            )
        )


def trial_versions(topics: int = len(TOPICS)) -> list[TrialVersion]:
    """Seven debates for each topic, the clean one first."""
    chosen = {topic.name for topic in TOPICS[:topics]}
    debates = [debate for debate in FLAWED_DEBATES if debate.topic.name in chosen]
    clean = {debate.topic.name: debate for debate in reversed(debates) if not debate.flawed}
    found: list[TrialVersion] = []
    for name in dict.fromkeys(debate.topic.name for debate in debates):
        flawed = [debate for debate in debates if debate.topic.name == name and debate.flawed]
        found += [TrialVersion(clean[name]), *map(TrialVersion, flawed)]
    return found


def trial_results(notes: Sequence[Note], judges: Sequence[Judge], topics: int) -> list[TrialResult]:
    """Whether each flaw was shown where it stands, and where its clean twin has none."""
    versions = {version.name: version for version in trial_versions(topics)}
    made = {name: version.evaluation(notes, judges) for name, version in versions.items()}
    chosen = {version.debate.topic.name for version in versions.values()}
    debates = [debate for debate in FLAWED_DEBATES if debate.topic.name in chosen]
    return [TrialResult(debate, found_in(debate, made[TrialVersion(debate).name])) for debate in debates]
