"""Plans the judging of a batch: which judgings are missing, an id for each, and its part of the caps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from hustings.db.caps import OPEN, Caps
from hustings.errors import Unsuitable
from hustings.llm.environment import Environment

from .batch_summary import debates_of
from .estimate import estimate
from .judging_spec import JudgingRequest, judging_spec
from .spec import RunSpec

if TYPE_CHECKING:
    from .queries import RunQueries


@dataclass(frozen=True)
class BatchJudging:
    """How a batch is judged; its caps hold for all judgings together."""

    batch: str
    request: JudgingRequest
    known: Environment
    again: bool
    """Whether debates count that others have judged: a panel was named."""


@dataclass(frozen=True)
class Missing:
    """Judgings to enter, and ids of those that are on record and still count."""

    new: Sequence[RunSpec]
    before: Sequence[str]
    waiting: Sequence[str]
    """Those of them that are not over."""


def missing(runs: RunQueries, wanted: BatchJudging, caps: Caps) -> Missing:
    """Judgings of finished debates. One that was stopped or failed is made anew; one that is open goes on."""
    finished = [report.run_id for report in debates_of(runs, wanted.batch) if report.ending == "played"]
    if not finished:
        raise Unsuitable(f"no debate of {wanted.batch!r} is finished", fix=f"hustings list --batch {wanted.batch}")
    made, before, waiting = list[RunSpec](), list[str](), list[str]()
    for run_id in finished:
        judgings = [audit for audit in runs.audits(run_id) if audit.protocol.startswith("judging/")]
        good = [audit for audit in judgings if audit.state in OPEN or audit.ending == "played"]
        if good and not wanted.again:
            kept = good
        else:
            spec = judging_spec(runs.spec(run_id), runs.finished(run_id), wanted.request, wanted.known)
            kept = [audit for audit in good if _manner(spec) == _manner(runs.spec(audit.run_id))]
            if not kept:
                made.append(spec.model_copy(update=_named(spec, len(judgings))))
        before += [audit.run_id for audit in kept[-1:]]
        waiting += [audit.run_id for audit in kept if audit.state in OPEN]
    share = _shared(caps, len(made))
    return Missing([spec.model_copy(update={"caps": share}) for spec in made], before, waiting)


def costing(specs: Sequence[RunSpec]) -> list[RunSpec]:
    """Those that cost money."""
    return [spec for spec in specs if not all(model_spec.free for model_spec in spec.model_specs.values())]


def typical_cost(specs: Sequence[RunSpec], known: Environment) -> int:
    """What all of them would cost if each cost as much as the first, in millionths of a dollar."""
    return len(specs) * estimate(specs[0], bounds=False, environment=known).expected.money if specs else 0


def _manner(spec: RunSpec) -> tuple[object, ...]:
    """How it judges: two of the same manner have the same models, settings and rubric."""
    labels = {seat: model_spec.label for seat, model_spec in spec.model_specs.items()}
    return labels, dict(spec.debate.settings), spec.debate.rubric


def _named(spec: RunSpec, nth: int) -> dict[str, str]:
    """An id that two processes choose alike, so that one of them is refused when both queue the same judging."""
    digest = sha256(repr((spec.judged, _manner(spec), nth)).encode()).hexdigest()[:8]
    run_id = f"{spec.judged[:90]}.judging-{digest}"
    return {"run_id": run_id, "lineage": run_id}


def _shared(caps: Caps, count: int) -> Caps:
    """An equal part of the caps for each judging; the time is for each."""
    part: Callable[[int | None], int | None] = lambda cap: None if cap is None else cap // max(count, 1)  # noqa: E731
    return caps.model_copy(update={name: part(getattr(caps, name)) for name in ("money", "tokens", "calls")})
