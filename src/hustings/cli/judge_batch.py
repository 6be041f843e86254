"""Judges all finished debates of a batch: queues the judgings that are missing, each once, and waits for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from hustings.config.prepare import affordable
from hustings.db.caps import MICRO, OPEN, Caps
from hustings.errors import Unsuitable
from hustings.llm.environment import Environment
from hustings.runs.estimate import estimate
from hustings.runs.estimate_tokens import total
from hustings.runs.judging_spec import JudgingRequest, judging_spec
from hustings.runs.spec import RunSpec

from .batch_summary import debates_of, read_batch, summary_of
from .batch_summary_text import lines_of_batch
from .commands.batch import wait_for, working_here
from .commands.db import open_service
from .estimate_text import budget_for, dollars, money, short
from .execute import FINISHED
from .narrate import NOBODY
from .options import Place
from .terminal import show_event, show_json, show_line, talk

if TYPE_CHECKING:
    from hustings.engine.service import RunService
    from hustings.runs.queries import RunQueries


@dataclass(frozen=True)
class BatchJudging:
    """How a batch is judged; its caps hold for all judgings together."""

    batch: str
    request: JudgingRequest
    known: Environment
    again: bool
    """Whether debates count that others have judged: a panel was named."""


def judge_batch(wanted: BatchJudging, place: Place) -> int:
    """Queue what is missing, in one transaction, and see it through; return the exit code."""
    batch = wanted.batch
    with open_service(place.database) as service, ExitStack() as stack:
        service.upgrade()
        try:
            new, before = _enter(service, wanted)
        except IntegrityError:  # another process entered them since we looked: now they are on record
            new, before = _enter(service, wanted)
        cap = sum(spec.caps.money or 0 for spec in new)
        paid = f", at most {dollars(cap)} in all" if cap else ""
        talk(f"{len(new)} judgings of {batch!r} were queued{paid}; {before} were there before.")
        if place.detach:
            show_event({"kind": "enqueued", "batch": batch, "runs": len(new)}) if place.as_json else show_line(batch)
            talk(("" if service.runs.workers() else f"{NOBODY}. ") + f"Look: hustings show --batch {batch}")
            return FINISHED
        stack.enter_context(working_here(place.database))
        code = wait_for(service.runs, batch, len(new) + before, place.mode, audits=True)
        if not place.as_json:
            for line in lines_of_batch(summary_of(batch, read_batch(service.runs, batch))):
                show_line(line)
        return code


def estimate_batch(wanted: BatchJudging, place: Place) -> None:
    """Say what judging would take. No call is made, and nothing is entered."""
    with open_service(place.database) as service:
        new = [*_missing(service.runs, wanted, Caps()).new]
    expected = total(estimate(spec, bounds=False, environment=wanted.known).expected for spec in new)
    free = all(model_spec.free for spec in new for model_spec in spec.model_specs.values())
    if place.as_json:
        show_json({"batch": wanted.batch, "judgings": len(new), "expected": expected.model_dump(mode="json")})
    else:
        cost = "free" if free else money(expected, "about ")
        tokens = f"about {short(expected.tokens)} tokens"
        show_line(f"{len(new)} judgings · about {expected.calls} calls · {tokens} · {cost}")


@dataclass(frozen=True)
class Missing:
    """Judgings to enter, and ids of those that are on record and still count."""

    new: Sequence[RunSpec]
    before: Sequence[str]
    waiting: Sequence[str]
    """Those of them that are not over."""


def _enter(service: RunService, wanted: BatchJudging) -> tuple[Sequence[RunSpec], int]:
    found = _missing(service.runs, wanted, wanted.request.caps)
    _must_be_paid_for(found.new, wanted)
    service.control.enter(*service.budgets.apply_all(found.new))
    for run_id in found.waiting:
        service.control.resume(run_id)
    return found.new, len(found.before)


def _missing(runs: RunQueries, wanted: BatchJudging, caps: Caps) -> Missing:
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
            kept = [audit for audit in good if _same(spec, runs.spec(audit.run_id))]
            if not kept:
                made.append(spec.model_copy(update=_named(spec, len(judgings))))
        before += [audit.run_id for audit in kept[-1:]]
        waiting += [audit.run_id for audit in kept if audit.state in OPEN]
    share = _shared(caps, len(made))
    return Missing([_with_caps(spec, share, wanted.known) for spec in made], before, waiting)


def _with_caps(spec: RunSpec, caps: Caps, known: Environment) -> RunSpec:
    return affordable(spec.model_copy(update={"caps": caps}), known)


def _same(spec: RunSpec, other: RunSpec) -> bool:
    """Whether both judge alike: the same models, settings and rubric."""
    return _manner(spec) == _manner(other)


def _manner(spec: RunSpec) -> tuple[object, ...]:
    labels = {seat: model_spec.label for seat, model_spec in spec.model_specs.items()}
    return labels, dict(spec.debate.settings), spec.debate.rubric


def _named(spec: RunSpec, nth: int) -> dict[str, str]:
    """An id that two processes choose alike, so that one of them is refused when both queue the same judging."""
    digest = sha256(repr((_manner(spec), nth)).encode()).hexdigest()[:8]
    run_id = f"{spec.judged[:90]}.judging-{digest}"
    return {"run_id": run_id, "lineage": run_id}


def _shared(caps: Caps, count: int) -> Caps:
    """An equal part of the caps for each judging; the time is for each."""
    part: Callable[[int | None], int | None] = lambda cap: None if cap is None else cap // max(count, 1)  # noqa: E731
    return caps.model_copy(update={name: part(getattr(caps, name)) for name in ("money", "tokens", "calls")})


def _must_be_paid_for(new: Sequence[RunSpec], wanted: BatchJudging) -> None:
    """A batch that costs money has no usual budget: the person who pays names it."""
    paid = [spec for spec in new if not all(model_spec.free for model_spec in spec.model_specs.values())]
    if not paid or wanted.request.caps.money is not None:
        return
    typical = len(paid) * estimate(paid[0], bounds=False, environment=wanted.known).expected.money
    raise Unsuitable(
        f"{len(paid)} judgings cost money, and no budget was named for them",
        why=f"typically {dollars(typical)} in all" if typical else "their cost is not known",
        fix=f"hustings judge --batch {wanted.batch} --budget {budget_for(max(typical, MICRO // 10))}",
    )
