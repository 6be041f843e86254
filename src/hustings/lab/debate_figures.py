"""Figures of a whole debate, from its bundles: the table after each round, the seats, quality and cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from statistics import fmean

from hustings.transcript.models import Transcript

from .artefact import (
    Consistency,
    DebateFigures,
    LookFigures,
    LoopFigures,
    SeatFigures,
    StanceAgreement,
    SynthesisFigures,
)
from .bundle import UNDECIDED, Amount, Bundle, Critique, Distribution, favoured
from .debate_metrics import (
    argument_diversity,
    cost_efficiency,
    decision_confidence,
    effective_points,
    points_of,
    reasoning_depth,
    redundancy,
)
from .judge_answers import TurnAnswers
from .scorers.crit import TARGET, TINY, CritMark, spread_of
from .scorers.rca import CONSISTENT, majority
from .signals import Look, gini, influence, movement, silence

Rhos = Mapping[str, float | None]
"""By turn."""


# -- the table after each round ----------------------------------------------------------


def looks_of(bundles: Sequence[Bundle], rhos: Rhos) -> list[Look]:
    """The table after each round: a silent seat keeps its last stance and its grounds."""
    stances: dict[str, Distribution] = {}
    grounds: dict[str, frozenset[str]] = {}
    points: set[str] = set()
    looks: list[Look] = []
    for number in sorted({bundle.round for bundle in bundles}):
        here = [bundle for bundle in bundles if bundle.round == number]
        made = [claim.point for bundle in here for claim in bundle.claims]
        stances |= {bundle.seat: bundle.beliefs for bundle in here if bundle.beliefs is not None}
        grounds |= {bundle.seat: bundle.grounds for bundle in here}
        known = [rho for bundle in here if (rho := rhos[bundle.turn_id]) is not None]
        rho, new = fmean(known) if known else None, len(set(made) - points)
        looks.append(Look(dict(stances), dict(grounds), len(made), new, rho, number))
        points |= set(made)
    return looks


def told_looks(
    looks: Sequence[Look], alarms: Sequence[bool | None], bundles: Sequence[Bundle], rhos: Rhos
) -> tuple[LookFigures, ...]:
    movements = [None, *(movement(before, after) for before, after in pairwise(looks))]
    return tuple(
        LookFigures(
            round_index=look.round,
            js=look.js,
            ov=look.ov,
            movement=moved,
            novelty=look.novelty,
            alarm=hollow,
            rho=look.rho,
            spread=spread_of(rhos[bundle.turn_id] for bundle in bundles if bundle.round == look.round),
            claims=look.claims,
            new_points=look.new_points,
            stances=look.stances,
        )
        for look, moved, hollow in zip(looks, movements, [None, *alarms], strict=False)
    )


# -- seats -------------------------------------------------------------------------------


def seat_figures(
    bundles: Sequence[Bundle],
    deeds: Mapping[str, Amount | None],
    reasoned: Mapping[str, bool | None],
    answers: Mapping[str, TurnAnswers],
) -> dict[str, SeatFigures]:
    """Influence, silence, changes and concessions of every seat."""
    seats = list(dict.fromkeys(bundle.seat for bundle in bundles))
    moved_by = [
        (bundle.seat, critique.by)
        for bundle in bundles
        if reasoned.get(bundle.turn_id) and (critique := _mover(bundle, answers[bundle.turn_id]))
    ]
    counts = influence(seats, moved_by) if any(reasoned.values()) else dict.fromkeys(seats)
    figures: dict[str, SeatFigures] = {}
    for seat in seats:
        own = [bundle for bundle in bundles if bundle.seat == seat]
        put = [critique for bundle in own for critique in bundle.critiques]
        unanswered = sum(not critique.answered for critique in put)
        known = [deed for bundle in own if (deed := deeds[bundle.turn_id])]
        words = [majority([answer.accepts for answer in answers[bundle.turn_id].rca]) for bundle in own]
        told = [word for word in words if word and word != "unclear"]
        figures[seat] = SeatFigures(
            influence=counts[seat],
            challenges=len(put),
            unanswered=unanswered,
            silence=silence(len(put), unanswered),
            changes=sum(deed != "none" for deed in known) if known else None,
            reasoned_changes=sum(bool(reasoned.get(bundle.turn_id)) for bundle in own),
            concessions=sum(word != "none" for word in told) if told else None,
        )
    return figures


def dominance(seats: Iterable[SeatFigures]) -> float | None:
    """Gini of influence over the seats: whether one of them moved all the others."""
    return gini([float(seat.influence) for seat in seats if seat.influence is not None])


def one_position(marks: Iterable[CritMark]) -> float | None:
    """Share of scored turns whose conclusion did not drift, by most judges or by words that the reader quotes."""
    scored = [mark for mark in marks if mark.pillars]
    return fmean(all(one.kind != "conclusion_drift" for one in mark.failures) for mark in scored) if scored else None


def form_agreement(bundles: Iterable[Bundle]) -> StanceAgreement:
    """The reader's stance beside that of the speaker's form, where both are known."""
    both = [(bundle.stated, favoured(bundle.beliefs) or UNDECIDED) for bundle in bundles if bundle.beliefs]
    pairs = [(said, read) for said, read in both if said]
    return StanceAgreement(turns=len(pairs), same=sum(said == read for said, read in pairs))


def _mover(bundle: Bundle, answers: TurnAnswers) -> Critique | None:
    """The critique that most judges name as what moved the seat."""
    label = majority([answer.moved_by for answer in answers.rca])
    return next((critique for critique in bundle.critiques if critique.label == label), None)


def loop_figures(
    transcript: Transcript,
    bundles: Sequence[Bundle],
    verdicts: Mapping[str, Consistency | None],
    rhos: Rhos,
    deeds: Mapping[str, Amount | None],
) -> LoopFigures:
    """What became of turns that were told something, by how the seat's turn before had been judged."""
    told = {turn.turn_id for turn in transcript.turns if any(one.interventions_applied for one in turn.attempts)}
    recovered: list[bool] = []
    swayed: list[bool] = []
    before: dict[str, str] = {}
    for bundle in bundles:
        turn, earlier = bundle.turn_id, before.get(bundle.seat)
        before[bundle.seat] = turn
        if earlier is None or turn not in told or (was := verdicts[earlier]) is None:
            continue
        now, rho, deed = verdicts[turn], rhos[earlier], deeds[turn]
        if was != CONSISTENT and now is not None:
            recovered.append(now == CONSISTENT)
        elif was == CONSISTENT and rho is not None and rho >= TARGET - TINY and deed:
            swayed.append(deed != "none")
    return LoopFigures(
        recovery_rate=fmean(recovered) if recovered else None, paranoia_rate=fmean(swayed) if swayed else None
    )


# -- quality and cost --------------------------------------------------------------------


def debate_figures(
    transcript: Transcript,
    bundles: Sequence[Bundle],
    looks: Sequence[Look],
    syntheses: Sequence[SynthesisFigures],
    usage: tuple[int | None, float | None],
) -> DebateFigures:
    """Quality and cost; usage is the tokens and the dollars of the debate."""
    claims = [claim for bundle in bundles for claim in bundle.claims]
    points, point_of = points_of(claims), {claim.id: claim.point for claim in claims}
    put = [critique for bundle in bundles for critique in bundle.critiques]
    answered = {name: all(one.answered for one in put if one.claim == name) for name in {one.claim for one in put}}
    challenged = {point_of[one.claim] for one in put if one.claim in point_of}
    decision = decision_confidence(list(looks[-1].stances.values())) if looks else None
    tokens, cost = usage
    return DebateFigures(
        argument_diversity=argument_diversity(points),
        effective_points=effective_points(points),
        claims=len(claims),
        points=points,
        reasoning_depth=reasoning_depth(claims, answered),
        synthesis_quality=_mean(one.quality for one in syntheses),
        balance=_mean(one.balance for one in syntheses),
        decision=decision[0] if decision else None,
        decision_confidence=decision[1] if decision else None,
        cost_efficiency=cost_efficiency(len(challenged), tokens) if claims else None,
        redundancy=redundancy(_heard_apart(transcript, bundles)),
        tokens=tokens,
        cost=cost,
    )


def _heard_apart(transcript: Transcript, bundles: Sequence[Bundle]) -> Iterable[list[tuple[str, str]]]:
    """Seats and points in groups that were made without hearing the others of the group."""
    isolated = {r.round_index for r in transcript.rounds if r.transcript_visibility == "isolated"}

    def apart(bundle: Bundle) -> int | str:
        return bundle.round if bundle.round in isolated else bundle.turn_id

    for _, group in groupby(bundles, apart):
        yield [(bundle.seat, claim.point) for bundle in group for claim in bundle.claims]


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
