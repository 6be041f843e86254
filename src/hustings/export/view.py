"""A debate as pages show it: one document with every fact, named and counted here, so that a page does no sums.

The server sends it, and a shared file carries it inside.
"""

from __future__ import annotations

from pydantic import BaseModel, JsonValue

from hustings.core.arguments import arguments_of
from hustings.core.dossier import Dossier, Expense
from hustings.core.forms import in_lines
from hustings.core.judgement import Judgement
from hustings.core.outcome import Ending, Failed

from . import wording
from .views import record, scores, verdict
from .views.record import Chair, Claim, Issue, Reply, RoundHead, Speech, Thought
from .views.scores import MarkGrid, ScoreBoard
from .views.verdict import Checks, Digest, Hint, Ready, Told, Trace, ready


class View(BaseModel, frozen=True):
    run_id: str
    topic: str
    protocol: str
    language: str
    created_at: str
    made: str
    """How: performed, rehearsed, written by hand."""
    blind: bool = False
    """Whether models, marks and verdict are left out."""
    ending: Ending
    summary: str
    """How it ended, in a sentence."""

    seats: tuple[Chair, ...]
    rounds: tuple[RoundHead, ...]
    speeches: tuple[Speech, ...]
    claims: tuple[Claim, ...]
    replies: tuple[Reply, ...]
    """In the order of the record: what they target stands before them."""
    told: tuple[str, ...]
    """What the floor was told from outside, and who was absent without a round."""
    issues: tuple[Issue, ...]
    thoughts: tuple[Thought, ...]

    judgement: Judgement | None
    """The figures that all the words below are made of."""
    digest: Digest
    trace: Trace
    marks: tuple[MarkGrid, ...]
    totals: tuple[Told, ...]
    """How well each side argued."""
    board: ScoreBoard | None
    votes: Ready | None
    hints: tuple[Hint, ...]
    hint_key: str
    checks: Checks | None
    """None if nobody has judged it."""

    expenses: tuple[Expense, ...]
    bill: Ready
    """What it took."""
    cost: str
    result: JsonValue
    """What the script itself returned."""
    result_words: str


def view(dossier: Dossier) -> View:
    proceedings, judgement, found = dossier.proceedings, dossier.judgement, arguments_of(dossier)
    transcript = proceedings.transcript
    return View(
        run_id=transcript.run_id,
        topic=transcript.debate_metadata.topic or transcript.debate_id,
        protocol=transcript.run_metadata.protocol or "",
        language=transcript.debate_metadata.language or "en",
        created_at=transcript.created_at,
        made=transcript.run_metadata.generation_mode or "",
        ending=proceedings.ending,
        summary=wording.outcome(judgement) if judgement else wording.ended(proceedings.ending),
        seats=record.chairs(proceedings),
        rounds=record.rounds(proceedings),
        speeches=record.speeches(dossier, found),
        claims=record.claims(proceedings, found),
        replies=record.replies(proceedings, found),
        told=record.told(proceedings),
        issues=record.issues(proceedings),
        thoughts=record.thoughts(proceedings),
        judgement=judgement,
        digest=verdict.digest(dossier),
        trace=verdict.trace(judgement, found),
        marks=tuple(scores.grids(judgement, transcript)),
        totals=scores.totals(judgement),
        board=scores.score_board(judgement, transcript),
        votes=verdict.votes(judgement),
        hints=verdict.hints(judgement),
        hint_key=wording.hint_key(judgement) if judgement and judgement.flags else "",
        checks=verdict.checks(judgement) if judgement else None,
        expenses=dossier.expenses,
        bill=ready("What it took", wording.BILL_HEADS, map(wording.bill_cells, dossier.expenses)),
        cost=dossier.cost,
        result=proceedings.result,
        result_words="" if proceedings.result is None else in_lines(proceedings.result),
    )


def blind(view: View) -> View:
    """For whoever has not voted yet: what was said, and nothing of who said it or what others made of it."""
    ending = Failed(code="") if view.ending.kind == "failed" else view.ending
    claims = tuple(claim.model_copy(update={"standing": None}) for claim in view.claims)
    return view.model_copy(
        update={
            "blind": True,
            "ending": ending,
            "summary": wording.ended(ending),
            "seats": tuple(chair.model_copy(update={"model": "", "person": False}) for chair in view.seats),
            "rounds": tuple(head.model_copy(update={"absent": ()}) for head in view.rounds),
            "speeches": tuple(map(_unremarked, view.speeches)),
            "claims": claims,
            "told": (),
            "issues": (),
            "thoughts": (),
            "judgement": None,
            "digest": verdict.BLIND,
            "trace": Trace(heads=(), moved_heads=(), key=wording.BLIND, rows=()),
            "marks": (),
            "totals": (),
            "board": None,
            "votes": None,
            "hints": (),
            "hint_key": "",
            "checks": None,
            "expenses": (),
            "bill": ready("", (), ()),
            "cost": "",
            "result": None,
            "result_words": "",
        }
    )


def _unremarked(speech: Speech) -> Speech:
    """Why an answer was lost may name the model that gave none."""
    lost = wording.LOST if speech.lost else ""
    return speech.model_copy(update={"retries": 0, "lost": lost, "remarks": ()})
