"""What a batch came to: outcomes, scores, agreement, ratings and cost, in all, by question and by what varies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from pydantic import BaseModel

from hustings.errors import NotFound
from hustings.script.forms import in_lines

from .outcome_text import outcome_of
from .queries import EVERY

if TYPE_CHECKING:
    from hustings.judging.judgement import Judgement
    from hustings.script.debate import DebateSpec

    from .queries import RunQueries
    from .run_summary import RunSummary
    from .spec import RunSpec


class Spread(BaseModel, frozen=True, defer_build=True):
    """Several figures: their mean and their range."""

    mean: float
    low: float
    high: float
    count: int


class BatchGroup(BaseModel, frozen=True, defer_build=True):
    """Debates of a batch that have something in common."""

    by: str
    """What they have in common: `question`, `protocol`, `models`, or the name of a setting; empty for all of them."""
    value: str
    debates: int
    states: dict[str, int]
    """Debates by state or ending."""
    outcomes: dict[str, int]
    """Debates that are over by outcome, in words."""
    scores: dict[str, Spread]
    """By side, out of ten."""
    gap: Spread | None
    """The first side's score minus the second's, of debates with the same two sides."""
    agreement: Spread | None
    """Alpha of the judges, of debates judged by two families of models or more; None if there are none."""
    rating: Spread | None
    """How readers rate them, from 1 to 5: the mean rating of each debate that was rated."""
    costs: dict[str, Spread]
    """Dollars of a debate and its judgings, by outcome, of debates that are over."""


class ScoreGap(BaseModel, frozen=True, defer_build=True):
    run_id: str
    sides: tuple[str, str]
    value: float


class BatchSummary(BaseModel, frozen=True, defer_build=True):
    batch: str
    whole: BatchGroup
    questions: tuple[BatchGroup, ...]
    """By question, if there are several."""
    settings: tuple[BatchGroup, ...]
    """By each value of each setting in which the debates differ."""
    gaps: tuple[ScoreGap, ...]
    calls: int
    tokens: int
    spent: float
    """In dollars, debates and judgings together."""
    spent_on_judging: float


@dataclass(frozen=True)
class BatchDebate:
    """One debate of a batch with all that is known of it."""

    report: RunSummary
    spec: RunSpec
    judgement: Judgement | None
    audits: tuple[RunSummary, ...]

    @property
    def varying(self) -> dict[str, str]:
        """What a file may set differently for each line, as text."""
        debate, found = self.spec.debate, dict[str, str]()
        models = dict.fromkeys(player.model for player in debate.players.values())
        found |= {"protocol": debate.protocol, "language": debate.language, "models": ", ".join(models)}
        found |= {"retries": str(debate.retries), "personas": "; ".join(_personas(debate))}
        if self.judgement:
            found["judges"] = ", ".join(dict.fromkeys(judge.model for judge in self.judgement.panel))
        return found | {name: in_lines(value).replace("\n", " ") for name, value in debate.settings.items()}


def debates_of(runs: RunQueries, batch: str) -> list[RunSummary]:
    """Debates of a batch in the order of their ids."""
    found = [report for report in runs.latest(batch=batch, most=EVERY) if report.is_debate]
    if not found:
        raise NotFound(f"no batch {batch!r} in this database: `hustings list` shows what there is")
    return sorted(found, key=lambda report: (len(report.run_id), report.run_id))


def read_batch(runs: RunQueries, batch: str) -> list[BatchDebate]:
    reports = debates_of(runs, batch)
    ids = [report.run_id for report in reports]
    specs, judgements = runs.stored(ids), runs.judgements(ids)
    return [
        BatchDebate(report, specs[run][1], judgements.get(run), tuple(runs.audits(run)))
        for report, run in zip(reports, ids, strict=True)
    ]


def summary_of(batch: str, debates: Sequence[BatchDebate]) -> BatchSummary:
    reports = [report for one in debates for report in (one.report, *one.audits)]
    topics = _grouped("question", debates, lambda one: one.report.topic)
    return BatchSummary(
        batch=batch,
        whole=_group("", "", debates),
        questions=tuple(topics) if len(topics) > 1 else (),
        settings=tuple(_by_settings(debates)),
        gaps=tuple(_gaps(debates)),
        calls=sum(report.calls for report in reports),
        tokens=sum(report.tokens for report in reports),
        spent=round(sum(report.spent for report in reports), 6),
        spent_on_judging=round(sum(report.spent for one in debates for report in one.audits), 6),
    )


def _personas(debate: DebateSpec) -> Iterable[str]:
    """How the seats argue, where that can be chosen: a lens or a starting point comes with the protocol."""
    for seat, player in debate.players.items():
        if player.persona:
            yield f"{seat} {', '.join(player.manners)}"


def _by_settings(debates: Sequence[BatchDebate]) -> Iterable[BatchGroup]:
    names = dict.fromkeys(name for one in debates for name in one.varying)
    for name in names:
        groups = _grouped(name, debates, lambda one, name=name: one.varying.get(name, ""))
        known = [group for group in groups if group.value]
        if len(known) > 1 and not _comes_with_protocol(name, debates):
            yield from known


def _comes_with_protocol(name: str, debates: Sequence[BatchDebate]) -> bool:
    """Whether debates of one protocol all have the same of what each protocol has a default for."""
    found = {(one.varying["protocol"], one.varying.get(name, "")) for one in debates}
    return name in ("retries", "personas") and len(found) == len({protocol for protocol, _ in found})


def _grouped(by: str, debates: Sequence[BatchDebate], value: Callable[[BatchDebate], str]) -> list[BatchGroup]:
    found: dict[str, list[BatchDebate]] = {}
    for one in debates:
        found.setdefault(value(one), []).append(one)
    return [_group(by, name, some) for name, some in found.items()]


def _group(by: str, value: str, debates: Sequence[BatchDebate]) -> BatchGroup:
    outcomes = Counter(outcome for one in debates if (outcome := outcome_of(one.report)))
    return BatchGroup(
        by=by,
        value=value,
        debates=len(debates),
        states=dict(Counter(one.report.ending or one.report.state for one in debates)),
        outcomes=dict(outcomes),
        scores=_scores(debates),
        gap=_gap(debates),
        agreement=_spread(_alphas(debates)),
        rating=_spread([one.report.rating for one in debates if one.report.rating is not None]),
        costs=_costs(debates),
    )


def _costs(debates: Iterable[BatchDebate]) -> dict[str, Spread]:
    found: dict[str, list[float]] = {}
    for one in debates:
        if outcome := outcome_of(one.report):
            found.setdefault(outcome, []).append(round(sum(each.spent for each in (one.report, *one.audits)), 6))
    return {outcome: spread for outcome, costs in found.items() if (spread := _spread(costs, 6))}


def _scores(debates: Iterable[BatchDebate]) -> dict[str, Spread]:
    found: dict[str, list[float]] = {}
    for one in debates:
        for total in one.judgement.totals if one.judgement else ():
            if total.score is not None:
                found.setdefault(total.side, []).append(total.score)
    return {side: spread for side, scores in found.items() if (spread := _spread(scores))}


def _gaps(debates: Iterable[BatchDebate]) -> Iterable[ScoreGap]:
    for one in debates:
        if one.judgement and (gap := one.judgement.gap):
            yield ScoreGap(run_id=one.report.run_id, sides=gap.sides, value=gap.value)


def _gap(debates: Iterable[BatchDebate]) -> Spread | None:
    gaps = [*_gaps(debates)]
    return _spread([gap.value for gap in gaps]) if len({gap.sides for gap in gaps}) == 1 else None


def _alphas(debates: Iterable[BatchDebate]) -> list[float]:
    """Agreement is known only between judges of different families: one family agrees with itself."""
    judged = [one.judgement for one in debates if one.judgement]
    told = [found for found in judged if len({judge.family for judge in found.panel}) > 1]
    return [found.reliability.alpha for found in told if found.reliability.alpha is not None]


def _spread(figures: Sequence[float], places: int = 3) -> Spread | None:
    if not figures:
        return None
    return Spread(mean=round(fmean(figures), places), low=min(figures), high=max(figures), count=len(figures))


def bins_of(gaps: Sequence[float], width: float = 1.0) -> Mapping[float, int]:
    """How many gaps lie in each interval of that width, from its lower end on; empty ones between others count 0."""
    if not gaps:
        return {}
    places = Counter(int(gap // width) for gap in gaps)
    return {place * width: places[place] for place in range(min(places), max(places) + 1)}
