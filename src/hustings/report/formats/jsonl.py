"""Rows for research, one JSON object a line: debate, seats, turns, arguments, responses, scores, penalties, outcome.

Every row has `kind`, `run_id` and an `id` that is the same in every export of the run; `(run_id, kind, id)` is unique.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hustings.judging.arguments import arguments_of
from hustings.judging.board import Board
from hustings.judging.dossier import Dossier
from hustings.judging.judgement import Judgement
from hustings.script.background import background_of
from hustings.text.figures import as_json
from hustings.text.words import count_words
from hustings.transcript.canonical import digest
from hustings.transcript.models import Round, Transcript, Turn

FORMAT = "jsonl"
SUFFIX = "jsonl"

Row = dict[str, Any]


def render(dossier: Dossier) -> str:
    run_id = dossier.proceedings.transcript.run_id
    lines = (as_json({"kind": kind, "run_id": run_id, "id": name, **row}) for kind, name, row in _rows(dossier))
    return "".join(f"{line}\n" for line in lines)


def render_together(dossiers: Iterable[Dossier]) -> str:
    return "".join(map(render, dossiers))


def _rows(dossier: Dossier) -> Iterator[tuple[str, str, Row]]:
    transcript, judgement = dossier.proceedings.transcript, dossier.judgement
    yield "debate", transcript.run_id, _debate(dossier)
    for seat in transcript.participants:
        fields = {"role": seat.role, "team": seat.team, "model": seat.model_name, "name": seat.display_name}
        yield "seat", seat.agent_id, fields
    for round_ in transcript.rounds:
        yield from (("turn", turn.turn_id, _turn(turn, round_)) for turn in round_.turns)
    yield from _argued(dossier)
    if judgement:
        yield from _judged(judgement)
    for expense in dossier.expenses:
        fields = {"of_run": expense.run_id, "calls": expense.calls, "tokens": expense.tokens, "usd": expense.spent}
        fields |= {"tokens_held": expense.tokens_held, "misreported": expense.misreported}
        yield "expense", expense.what, fields


def _debate(dossier: Dossier) -> Row:
    transcript: Transcript = dossier.proceedings.transcript
    about, how = transcript.debate_metadata, transcript.run_metadata
    document = background_of(about)
    return {
        "topic": about.topic,
        "background": document.document() if document else None,
        "protocol": how.protocol,
        "language": about.language,
        "mode": transcript.mode,
        "generation_mode": how.generation_mode,
        "created_at": transcript.created_at,
        "ending": dossier.proceedings.ending.kind,
        "result": dossier.proceedings.result,
        "digest": digest(transcript.document()),
        "judged": dossier.judgement is not None,
    }


def _turn(turn: Turn, round_: Round) -> Row:
    told = turn.metadata
    return {
        "round": turn.round_index,
        "round_label": round_.label,
        "index_in_round": turn.turn_index_in_round,
        "seat": turn.speaker_id,
        "brief": told and told.kind,
        "turn_type": turn.turn_type,
        "outcome": turn.turn_outcome,
        "model": told and told.model_name,
        "attempts": len(turn.attempts),
        "words": count_words(turn.said),
        "said": turn.said,
        "addresses": [address.model_dump(mode="json", exclude_none=True) for address in turn.addresses or ()],
    }


def _argued(dossier: Dossier) -> Iterator[tuple[str, str, Row]]:
    found, judgement = arguments_of(dossier), dossier.judgement
    arguments = {argument.id: argument for argument in judgement.trace} if judgement else {}
    for claim in found.claims:
        fields = {"seat": claim.seat, "turn_id": claim.turn_id, "claim": claim.claim, "standing": claim.standing}
        argument = arguments.get(claim.id)
        judged = argument.model_dump(mode="json", exclude={"dimensions", "id"}) if argument else {}
        yield "argument", claim.id, {**fields, **judged}
    for response in found.responses:
        fields = {
            "move": response.kind,
            "effect": "attack" if response.attacks else "support",
            "target": response.target,
            "source": response.origin,
            "seat": response.seat,
            "turn_id": response.turn_id,
            "words": response.words,
        }
        yield "response", response.id, fields
    for argument in arguments.values():
        for dimension, value in argument.dimensions.items():
            fields = {"about": argument.id, "dimension": dimension, "value": value, "seat": argument.seat}
            yield "score", f"{argument.id}/{dimension}", fields


def _judged(judgement: Judgement) -> Iterator[tuple[str, str, Row]]:
    if judgement.board:
        yield from _board(judgement.board)
    for flag in judgement.flags:
        fields = {"flag": flag.kind, "about": flag.about, "seat": flag.seat, "quote": flag.quote}
        yield "flag", f"{flag.about}/{flag.kind}", {**fields, "families": list(flag.families)}
    for total in judgement.totals:
        yield "total", total.side, total.model_dump(mode="json", exclude={"side"})
    for judge in judgement.panel:
        yield "judge", judge.seat, judge.model_dump(mode="json", exclude={"seat"})
    parts = {"outcome", "reason", "degraded", "gap", "votes", "issues", "reliability", "control", "briefing"}
    told = judgement.model_dump(mode="json", include=parts | {"policy", "rubrics", "seed", "orders", "dropped"})
    yield "outcome", judgement.outcome.kind, told


def _board(board: Board) -> Iterator[tuple[str, str, Row]]:
    for debater in board.individuals:
        for turn_id, value in debater.speeches.items():
            fields = {"about": turn_id, "dimension": "speech", "value": value, "seat": debater.seat}
            yield "score", f"{turn_id}/speech", fields
    for n, penalty in enumerate(board.penalties):
        yield "penalty", f"{penalty.turn_id}/{penalty.rule}/{n}", penalty.model_dump(mode="json")
    for team in board.teams:
        yield "team", team.team, team.model_dump(mode="json", exclude={"team"})
