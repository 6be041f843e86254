"""What a reader sees first of a debate as views of their own: small, however long the debate is."""

from __future__ import annotations

from hustings.judging.arguments import arguments_of
from hustings.judging.dossier import Dossier
from hustings.judging.judgement import Judgement
from hustings.script.documents import listed_in
from hustings.text.tables import text_table

from . import record_view, verdict_view, wording
from .first_screen import first_screen
from .quote_view import quotes_of
from .verdict_view import Digest, Trace
from .view import View, document_of, unjudged


def verdict_part(dossier: Dossier) -> View:
    """What stands on the first screen, and what the head of the page says. All lists of the record are empty."""
    proceedings, judgement = dossier.proceedings, dossier.judgement
    transcript = proceedings.transcript
    about = transcript.debate_metadata
    chairs, documents = record_view.chairs(proceedings), listed_in(proceedings.notes)
    quotes = quotes_of(transcript.turns, proceedings.notes, {}) if documents else ()
    digest = _short(verdict_view.digest(dossier))
    return View(
        part="verdict",
        turns=len(transcript.turns),
        run_id=transcript.run_id,
        topic=about.topic or transcript.debate_id,
        documents=documents,
        protocol=transcript.run_metadata.protocol or "",
        language=about.language or "en",
        created_at=transcript.created_at,
        made=transcript.run_metadata.generation_mode or "",
        ending=proceedings.ending,
        summary=wording.outcome(judgement) if judgement else unjudged(proceedings),
        first=first_screen(dossier, chairs, quotes, len(documents)),
        seats=chairs,
        digest=digest,
        trace=_rows_of(judgement, digest),
        bill=text_table("", (), ()),
        cost=dossier.cost,
    )


def opening_part(dossier: Dossier) -> View:
    """The first turns with their arguments and quotes, and what the head of the page says."""
    proceedings, judgement, found = dossier.proceedings, dossier.judgement, arguments_of(dossier)
    first = proceedings.transcript.turns[:MOST_TURNS]
    turns = {turn.turn_id for turn in first}
    claims = tuple(one for one in record_view.claims(proceedings, found) if one.turn in turns)
    rows = verdict_view.rows(judgement, {one.id for one in claims}) if judgement else ()
    return verdict_part(dossier).model_copy(
        update={
            "part": "opening",
            "background": document_of(proceedings),
            "quotes": quotes_of(first, proceedings.notes, dossier.texts),
            "rounds": tuple(one for one in record_view.rounds(proceedings) if turns.intersection(one.speeches)),
            "speeches": record_view.speeches(dossier, found, turns),
            "claims": claims,
            "replies": tuple(one for one in record_view.replies(proceedings, found) if one.turn in turns),
            "thoughts": tuple(one for one in record_view.thoughts(proceedings) if one.after in turns),
            "trace": Trace(heads=(), moved_heads=(), key="", rows=rows),
        }
    )


def _short(digest: Digest) -> Digest:
    """The same without what stands further down."""
    return verdict_view.NOTHING.model_copy(
        update={
            "bottom_line": digest.bottom_line,
            "sure": digest.sure,
            "strongest": digest.strongest[:MOST_STRONGEST],
            "would_change": digest.would_change,
            "judged": digest.judged,
        }
    )


def _rows_of(judgement: Judgement | None, digest: Digest) -> Trace:
    """The arguments that the first screen names."""
    shown = {one.id for one in digest.strongest}
    rows = verdict_view.rows(judgement, shown) if judgement else ()
    return Trace(heads=(), moved_heads=(), key="", rows=rows)


MOST_STRONGEST = 4
"""As many as a page shows."""
MOST_TURNS = 30
"""More than a screen shows, however short they are."""
