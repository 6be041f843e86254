"""Builds a judgement from a panel's marks; pure, so that it can be recomputed from the notes."""

from __future__ import annotations

from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.rubric import Rubric
from hustings.script.stage import AuditSubject
from hustings.transcript.canonical import digest
from hustings.transcript.notes import Decided

from .briefing import brief
from .case import POLICY
from .findings import Findings
from .judgement import Control, Judgement, Marked
from .verdict import verdict


def build_judgement(
    debate: DebateSpec,
    judging: Proceedings,
    subject: AuditSubject,
    rubric: type[Rubric],
    control: Control | None = None,
) -> Judgement:
    """Build the judgement; `debate` is the spec of the judging run."""
    found = Findings(debate, judging, subject, rubric, control)
    decided = verdict(found)
    transcript = subject.judged.transcript
    return Judgement(
        judged=transcript.run_id,
        digest=digest(transcript.document()),
        protocol=transcript.run_metadata.protocol or "",
        topic=transcript.debate_metadata.topic or "",
        policy=POLICY.id,
        rubrics=tuple(sorted(kind.__name__ for kind in found.material.rubrics.values())),
        seed=found.seed,
        panel=found.panel,
        orders=found.settings.orders,
        degraded=decided.degraded,
        outcome=decided.outcome,
        reason=decided.reason,
        own_verdict=found.decision.sentence if found.decision and isinstance(decided.outcome, Decided) else "",
        totals=found.totals,
        gap=found.gap,
        trace=found.trace,
        responses=found.responses,
        flags=tuple(found.flags),
        reliability=found.reliability,
        marks=tuple(
            Marked(judge=seen.judge, order=seen.order, scores=seen.scores, quotes=seen.quotes, reasons=seen.reasons)
            for seen in found.seen
        ),
        board=found.board,
        votes=found.votes,
        issues=found.issues,
        dropped=found.case.dropped,
        unfounded=found.unfounded,
        settled=found.settled,
        movements=found.movements,
        lean=found.lean,
        support=found.support,
        control=control,
        names=found.names,
        briefing=brief(found, decided),
    )
