"""The view of a debate: one document with every fact that pages show, so that a page computes nothing.

The server sends it, and a shared file contains it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, JsonValue

from hustings.judging.arguments import arguments_of
from hustings.judging.dossier import Dossier, Expense
from hustings.judging.judgement import Judgement
from hustings.script.background import background_of
from hustings.script.debate import Proceedings
from hustings.script.documents import ListedDocument, listed_in
from hustings.script.protocol_result import ResultSection
from hustings.text.figures import dollars
from hustings.text.tables import LabelledText, TextTable, text_table
from hustings.transcript.empty_fields import OMIT_IF_EMPTY
from hustings.transcript.notes import Ending, Failed

from . import record_view, scores_view, verdict_view, wording
from .first_screen import FirstScreen, first_screen
from .quote_view import QuoteView, hidden, quotes_of
from .record_view import Chair, ClaimView, ReplyView, RoundHead, SpeechView, Thought
from .result_sections import result_sections
from .scores_view import MarkGrid, ScoreBoard
from .verdict_view import Checks, Digest, Hint, ModelSummary, Trace


class DocumentView(BaseModel, frozen=True, defer_build=True):
    """The document that came with the question."""

    title: str
    words: int
    text: str


class View(BaseModel, frozen=True, defer_build=True):
    part: Annotated[Literal["", "verdict", "opening"], OMIT_IF_EMPTY] = ""
    """Which part of the view this is; empty for all of it."""
    turns: int
    """How many turns there are, also where a part leaves some out."""
    run_id: str
    topic: str
    background: DocumentView | None = None
    documents: Annotated[tuple[ListedDocument, ...], OMIT_IF_EMPTY] = ()
    """Documents, without their texts: the one that came with the question first."""
    quotes: Annotated[tuple[QuoteView, ...], OMIT_IF_EMPTY] = ()
    """Quotes from documents that were checked, each with its sentence."""
    protocol: str
    language: str
    created_at: str
    made: str
    """How it was made: live, improvised, mixed, hosted or written by hand."""
    blind: bool = False
    """Whether models, marks and verdict are left out."""
    ending: Ending
    summary: str
    """How it ended, in a sentence."""
    first: FirstScreen

    seats: tuple[Chair, ...]
    rounds: tuple[RoundHead, ...] = ()
    speeches: tuple[SpeechView, ...] = ()
    claims: tuple[ClaimView, ...] = ()
    replies: tuple[ReplyView, ...] = ()
    """In the order of the record: targets come before replies."""
    told: tuple[str, ...] = ()
    """Interventions from outside, and absences that belong to no round."""
    thoughts: tuple[Thought, ...] = ()

    judgement: Judgement | None = None
    """The figures behind all the words below."""
    digest: Digest
    trace: Trace
    marks: tuple[MarkGrid, ...] = ()
    totals: tuple[LabelledText, ...] = ()
    """How well each side argued."""
    board: ScoreBoard | None = None
    votes: TextTable | None = None
    hints: tuple[Hint, ...] = ()
    hint_key: str = ""
    checks: Checks | None = None
    """None if it was not judged."""

    expenses: tuple[Expense, ...] = ()
    bill: TextTable
    """What it cost, as a table."""
    cost: str
    result: JsonValue = None
    """Return value of the protocol's script."""
    result_sections: tuple[ResultSection, ...] = ()
    """The same in words, as its protocol tells it."""
    model_summary: ModelSummary | None = None
    sections: Annotated[Mapping[str, JsonValue], OMIT_IF_EMPTY] = {}
    """What plug-ins add, by name, such as an evaluation."""


def view(dossier: Dossier) -> View:
    proceedings, judgement, found = dossier.proceedings, dossier.judgement, arguments_of(dossier)
    transcript = proceedings.transcript
    chairs, documents = record_view.chairs(proceedings), listed_in(proceedings.notes)
    quotes = quotes_of(transcript.turns, proceedings.notes, dossier.texts)
    return View(
        turns=len(transcript.turns),
        run_id=transcript.run_id,
        topic=transcript.debate_metadata.topic or transcript.debate_id,
        background=document_of(proceedings),
        documents=documents,
        quotes=quotes,
        protocol=transcript.run_metadata.protocol or "",
        language=transcript.debate_metadata.language or "en",
        created_at=transcript.created_at,
        made=transcript.run_metadata.generation_mode or "",
        ending=proceedings.ending,
        summary=wording.outcome(judgement) if judgement else unjudged(proceedings),
        first=first_screen(dossier, chairs, quotes, len(documents)),
        seats=chairs,
        rounds=record_view.rounds(proceedings),
        speeches=record_view.speeches(dossier, found),
        claims=record_view.claims(proceedings, found),
        replies=record_view.replies(proceedings, found),
        told=record_view.told(proceedings),
        thoughts=record_view.thoughts(proceedings),
        judgement=judgement,
        digest=verdict_view.digest(dossier),
        trace=verdict_view.trace(judgement, found),
        marks=tuple(scores_view.grids(judgement, transcript)),
        totals=scores_view.totals(judgement),
        board=scores_view.score_board(judgement, transcript),
        votes=verdict_view.votes(judgement),
        hints=verdict_view.hints(judgement),
        hint_key=wording.hint_key(judgement) if judgement and judgement.flags else "",
        checks=verdict_view.checks(judgement) if judgement else None,
        expenses=dossier.expenses,
        bill=text_table("Cost", _BILL_HEADS, map(_bill_cells, dossier.expenses)),
        cost=dossier.cost,
        result=proceedings.result,
        result_sections=result_sections(proceedings, judgement),
        model_summary=verdict_view.model_summary(dossier.summary),
        sections={section.name: section.view().model_dump(mode="json") for section in dossier.sections},
    )


def unjudged(proceedings: Proceedings) -> str:
    """How it ended, in a sentence. An imported record may not say who spoke, nor whether it is all of the debate."""
    transcript = proceedings.transcript
    if transcript.run_metadata.generation_mode != "imported":
        return wording.ended(proceedings.ending)
    unknown = any(not seat.model_name for seat in transcript.participants)
    return f"Imported.{' Debaters unknown.' if unknown else ''} Not judged yet."


def document_of(proceedings: Proceedings) -> DocumentView | None:
    found = background_of(proceedings.transcript.debate_metadata)
    return DocumentView(**found.document()) if found else None


def for_reader(view: View, may_read: Callable[[ListedDocument], bool]) -> View:
    """The view for a reader who may not read every document."""
    known = tuple(one for one in view.documents if may_read(one))
    unknown = {one.id for one in view.documents} - {one.id for one in known}
    quotes = tuple(hidden(one) if one.document in unknown else one for one in view.quotes)
    return view.model_copy(update={"documents": known, "quotes": quotes})


def for_export(view: View) -> View:
    """The view for a file that leaves the house: what some seats alone could read is quoted, and no more."""
    private = {one.id for one in view.documents if one.seats}
    quotes = tuple(hidden(one) if one.document in private else one for one in view.quotes)
    return view.model_copy(update={"quotes": quotes})


def blind(view: View) -> View:
    """The view for people who have not voted yet: what was said, not who is behind a seat or what others made of it."""
    ending = Failed(code="") if view.ending.kind == "failed" else view.ending
    claims = tuple(claim.model_copy(update={"standing": None}) for claim in view.claims)
    return view.model_copy(
        update={
            "blind": True,
            "ending": ending,
            "summary": wording.ended(ending),
            "first": FirstScreen(chip="", sentence=wording.BLIND, more="", weak=True),
            "seats": tuple(chair.model_copy(update={"model": "", "person": False}) for chair in view.seats),
            "rounds": tuple(head.model_copy(update={"absent": ()}) for head in view.rounds),
            "speeches": tuple(map(_unremarked, view.speeches)),
            "claims": claims,
            "told": (),
            "thoughts": (),
            "judgement": None,
            "digest": verdict_view.BLIND,
            "trace": Trace(heads=(), moved_heads=(), key=wording.BLIND, rows=()),
            "marks": (),
            "totals": (),
            "board": None,
            "votes": None,
            "hints": (),
            "hint_key": "",
            "checks": None,
            "expenses": (),
            "bill": text_table("", (), ()),
            "cost": "",
            "result": None,
            "result_sections": (),
            "model_summary": None,
            "sections": {},
        }
    )


def _unremarked(speech: SpeechView) -> SpeechView:
    """Drop retries, remarks and the reason for a lost answer, which may name the model."""
    lost = wording.LOST if speech.lost else ""
    return speech.model_copy(update={"retries": 0, "lost": lost, "remarks": ()})


_BILL_HEADS = ("For", "Run", "Calls", "Tokens", "USD")


def _bill_cells(expense: Expense) -> Sequence[str]:
    """What a host used is not known, which is not the same as nothing."""
    tokens = f"{expense.tokens:,}" + (f" and {expense.tokens_held:,} uncounted" if expense.tokens_held else "")
    used = [str(expense.calls), tokens, dollars(expense.spent, 4)]
    return [expense.what, expense.run_id, *(["unknown"] * 3 if expense.hosted and not expense.calls else used)]
