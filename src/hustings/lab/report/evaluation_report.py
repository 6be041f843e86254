"""From the evaluation file and the transcript to the view that all displays share."""

from __future__ import annotations

from statistics import fmean

from hustings.lab.artefact import Evaluation, TurnEvaluation
from hustings.transcript.models import Transcript

from . import figure_meanings as meanings
from .evaluation_view import EvaluatedRound, EvaluationView, SeatLine
from .round_plots import plots_of
from .turn_readings import cell_of, figure, reading_of


def view_evaluation(evaluation: Evaluation, transcript: Transcript) -> EvaluationView:
    turns = evaluation.turn_evaluations
    texts = {turn.turn_id: turn.said for turn in transcript.turns}
    rounds = _rounds(turns, transcript)
    return EvaluationView(
        run_id=evaluation.run_id,
        evaluated_at=evaluation.evaluated_at,
        mode=evaluation.evaluation_mode,
        panel=meanings.panel_line(evaluation),
        badges=meanings.badges_of(evaluation),
        facts=tuple(meanings.facts_of(evaluation)),
        rounds=rounds,
        seats=tuple(_line(seat, rounds, turns) for seat in dict.fromkeys(turn.speaker_id for turn in turns)),
        key=meanings.KEY,
        turns=tuple(reading_of(turn, texts.get(turn.turn_id, "")) for turn in turns),
        plots=plots_of(evaluation),
        movement=tuple(meanings.movement_of(evaluation)),
        speakers=meanings.speakers_of(evaluation),
        syntheses=meanings.syntheses_of(evaluation),
        metrics=tuple(meanings.metrics_of(evaluation)),
        cannot=meanings.CANNOT,
        judges=meanings.judges_of(evaluation),
        repeat=tuple(meanings.repeat_of(evaluation)),
    )


def _rounds(turns: tuple[TurnEvaluation, ...], transcript: Transcript) -> tuple[EvaluatedRound, ...]:
    """Rounds with a turn that was evaluated, by number and name."""
    labels = {round_.round_index: round_.label or "" for round_ in transcript.rounds}
    seen = dict.fromkeys(sorted(turn.round_index for turn in turns))
    return tuple(EvaluatedRound(index=index, label=_label(index, labels.get(index, ""))) for index in seen)


def _label(index: int, label: str) -> str:
    """A label that says no more than the number is left out."""
    own = label.strip()
    return f"r{index}" if own.casefold() in {"", "round", f"round {index}"} else f"r{index} {own}"


def _line(seat: str, rounds: tuple[EvaluatedRound, ...], turns: tuple[TurnEvaluation, ...]) -> SeatLine:
    own = [turn for turn in turns if turn.speaker_id == seat]
    known = [rho for turn in own if (rho := turn.crit_summary.gamma_mean) is not None]
    return SeatLine(
        seat=seat,
        rho=figure(fmean(known) if known else None),
        cells=tuple(tuple(cell_of(turn) for turn in own if turn.round_index == round_.index) for round_ in rounds),
    )
