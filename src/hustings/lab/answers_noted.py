"""Reads what judges answered back from the notes of an evaluation, turn by turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from hustings.transcript.notes import RULES, Note

from .judge_answers import (
    ClaimRung,
    CritAnswer,
    CritFailure,
    RcaAnswer,
    StatedPoint,
    SynthesisAnswer,
    T3Answer,
    TracedSentence,
    TurnAnswers,
)
from .scorers import crit_sheet, rca_sheet, stance_reading, synthesis_sheet, t3_sheet
from .scorers.reading import FLAG

Bodies = Mapping[str, list[Mapping[str, Any]]]
"""Turn to the bodies of its notes of one kind."""


def answers_noted(notes: Iterable[Note], reading: int | None = None) -> dict[str, TurnAnswers]:
    """Turn to what judges answered; with `reading`, in that reading alone."""
    known = [note for note in notes if note.by == RULES]
    crit, rca, t3 = (_bodies(known, kind, reading) for kind in (crit_sheet.NOTE, rca_sheet.NOTE, t3_sheet.NOTE))
    shifts = {turn: _shift(some) for turn, some in _bodies(known, stance_reading.NOTE).items()}
    flags = _bodies(known, FLAG)
    return {
        turn: TurnAnswers(
            crit=tuple(_crit(body, shifts.get(turn, "")) for body in crit.get(turn, ())),
            rca=tuple(_rca(body) for body in rca.get(turn, ())),
            t3=tuple(_t3(body) for body in t3.get(turn, ())),
            speaks_to_reader=tuple(dict.fromkeys(str(body["quote"]) for body in flags.get(turn, ()))),
        )
        for turn in dict.fromkeys((*crit, *rca, *t3, *flags))
    }


def syntheses_noted(notes: Iterable[Note], reading: int | None = None) -> dict[str, tuple[SynthesisAnswer, ...]]:
    """Synthesis to what judges found in it."""
    known = [note for note in notes if note.by == RULES]
    return {
        name: tuple(
            SynthesisAnswer(
                judge=judge_of(body),
                points=tuple(StatedPoint.model_validate(one) for one in body["points"]),
                sentences=tuple(TracedSentence.model_validate(one) for one in body["sentences"]),
            )
            for body in some
        )
        for name, some in _bodies(known, synthesis_sheet.NOTE, reading).items()
    }


def verified_quotes(notes: Iterable[Note]) -> tuple[int, int]:
    """How many findings of the judges rest on words that stand there, and how many were given."""
    bodies = [note.body for note in notes if note.by == RULES and note.kind in {crit_sheet.NOTE, t3_sheet.NOTE}]
    given = sum(int(str(body["given"])) for body in bodies)
    return given - sum(int(str(body["void"])) for body in bodies), given


def judge_of(body: Mapping[str, Any]) -> str:
    """A repeated reading counts as one more observation of the same judge."""
    return str(body["judge"])


def _bodies(notes: Iterable[Note], kind: str, reading: int | None = None) -> Bodies:
    found: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for note in notes:
        if note.kind == kind and reading in (None, note.body.get("reading")):
            found[str(note.body["turn"])].append(note.body)
    return found


def _shift(readings: Iterable[Mapping[str, Any]]) -> str:
    return next((str(body["shift_quote"]) for body in readings if body["shift_quote"]), "")


def _crit(body: Mapping[str, Any], shift: str) -> CritAnswer:
    """Words that the blind reader found taken back count as one drift of the conclusion, once."""
    failures = [CritFailure(kind=one["kind"], quote=one["quote"]) for one in body["failures"]]
    if shift and all(one.kind != "conclusion_drift" for one in failures):
        failures.append(CritFailure(kind="conclusion_drift", quote=shift))
    levels = {name: level for name, level in body["levels"].items() if name != "fit"}
    fit = body["levels"].get("fit")
    return CritAnswer(judge=judge_of(body), levels=levels, fit=fit, failures=tuple(failures), quotes=body["quotes"])


def _rca(body: Mapping[str, Any]) -> RcaAnswer:
    return RcaAnswer(judge=judge_of(body), quote=body["quote"], **body["words"])


def _t3(body: Mapping[str, Any]) -> T3Answer:
    return T3Answer(judge=judge_of(body), rungs=tuple(ClaimRung.model_validate(one) for one in body["rungs"]))
