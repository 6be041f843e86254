"""Files of an evaluation: JSON, a CSV row for each judge, seat and round, and notes as lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Literal

from hustings.lab.artefact import Evaluation, TurnEvaluation
from hustings.lab.judge_answers import PILLARS
from hustings.lab.scorers.crit import judged
from hustings.report.formats.csv import Cell, csv_line
from hustings.text.figures import as_json, escaped
from hustings.transcript.notes import RULES, Note

EvaluationFormat = Literal["json", "csv", "jsonl"]


def as_document(found: Evaluation) -> str:
    """The file, indented; its digest is over the canonical form."""
    return escaped(json.dumps(found.document(), ensure_ascii=False, indent=2, allow_nan=False)) + "\n"


def as_rows(found: Evaluation) -> str:
    """A row for each judge, seat and round, with what this judge answered and what the panel came to."""
    rows = [row for turn in found.turn_evaluations for row in _rows(found, turn)]
    return "".join(map(csv_line, [HEADS, *rows]))


def _rows(found: Evaluation, turn: TurnEvaluation) -> Iterator[list[Cell]]:
    own = turn.x_hustings
    judges = sorted({one.judge for one in (*own.answers.crit, *own.answers.rca, *own.answers.t3)})
    for judge in judges:
        marks = [judged(one) for one in own.answers.crit if one.judge == judge]
        fails = sorted({failure.kind for mark in marks for failure in mark.failures})
        words = [one for one in own.answers.rca if one.judge == judge]
        rungs = [rung for one in own.answers.t3 if one.judge == judge for rung in one.rungs if rung.asserts]
        mark = marks[0] if marks else None
        said = words[0] if words else None
        yield [
            found.run_id,
            turn.turn_id,
            turn.round_index,
            turn.speaker_id,
            judge,
            " ".join(own.phases),
            mark and mark.rho(),
            mark and mark.theta,
            *((mark.pillars.get(pillar) if mark else None) for pillar in PILLARS),
            " ".join(fails),
            *((getattr(said, name) if said else None) for name in WORDS),
            " ".join(f"{rung.asserts}/{rung.shows or 'none'}" for rung in rungs),
            turn.crit_summary.gamma_mean,
            turn.crit_summary.theta_mean,
            turn.rca_summary.verdict,
            own.deed,
            turn.t3_summary.required_rung,
            turn.t3_summary.detected_rung,
            turn.t3_summary.trap_detected,
        ]


def as_lines(notes: Iterable[Note], run_id: str) -> str:
    """What reader, clerk and judges answered, after code checked their quotes: one JSON object a line."""
    kept = (note for note in notes if note.by == RULES)
    return "".join(f"{as_json({'kind': n.kind, 'run_id': run_id, 'id': n.note_id, **n.body})}\n" for n in kept)


WORDS = ("follows", "specific", "accepts", "reason", "new", "changed", "weighs", "moved_by")
HEADS: list[Cell] = [
    "run", "turn", "round", "seat", "judge", "phases", "rho", "theta", *PILLARS, "failures", *WORDS, "rungs",
    "panel_rho", "panel_theta", "panel_verdict", "deed", "required_rung", "detected_rung", "open_trap",
]  # fmt: skip
