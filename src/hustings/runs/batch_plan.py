"""A batch before it is queued: its debates with what follows them, and what all of it would take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from .estimate import AuditRequests, Estimate, estimate
from .estimate_tokens import Figures, total
from .evaluation_spec import EvaluationRequest
from .follow_ups import NO_FOLLOW_UPS, FollowUps
from .spec import RunSpec


@dataclass(frozen=True)
class QueuedDebate:
    """A debate of a batch, and what follows it."""

    spec: RunSpec
    follow_ups: FollowUps | None = None


class BatchEstimate(BaseModel, frozen=True, defer_build=True):
    debates: int
    expected: Figures
    """Of all debates, and of what follows them."""
    cap: int | None
    """The most they may cost together, in millionths of a dollar; None if one has no cap."""
    free: bool


def estimate_batch(debates: Sequence[QueuedDebate], known: Mapping[str, str]) -> BatchEstimate:
    """Estimate all debates. Those that differ in question and seed alone are taken to need the same."""
    kinds = {one.spec.run_id: _kind(one) for one in debates}
    first = {kinds[one.spec.run_id]: one for one in reversed(debates)}
    found = {kind: _estimate(one, known) for kind, one in first.items()}
    counts = Counter(kinds.values())
    caps = [one.spec.caps.money for one in debates]
    return BatchEstimate(
        debates=len(debates),
        expected=total(each.expected for kind, each in found.items() for _ in range(counts[kind])),
        cap=None if None in caps else sum(cap or 0 for cap in caps),
        free=all(each.free for each in found.values()),
    )


def _estimate(one: QueuedDebate, known: Mapping[str, str]) -> Estimate:
    follow_ups = one.follow_ups or NO_FOLLOW_UPS
    return estimate(
        one.spec,
        audits=follow_ups.scripts,
        request=AuditRequests(follow_ups.judging_request, follow_ups.evaluation or EvaluationRequest()),
        environment=known,
        bounds=False,
    )


def _kind(one: QueuedDebate) -> str:
    """What decides how many calls and tokens a debate needs, but for the length of its question."""
    debate = one.spec.debate
    labels = sorted((seat, model_spec.label) for seat, model_spec in one.spec.model_specs.items())
    document = debate.background.digest if debate.background else ""
    if further := debate.documents:
        document += further.digest + (f" {further.look_ups}" if further.look_ups else "")
    document += "".join(tool.model_dump_json() for tool in debate.tools)
    asked = (debate.protocol, dict(debate.settings), debate.retries, labels, document, debate.language)
    return repr((asked, one.follow_ups))
