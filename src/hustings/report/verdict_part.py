"""The first screen of a debate as a view of its own, small however long the debate is: who won, why, how sure."""

from __future__ import annotations

from hustings.judging.dossier import Dossier
from hustings.judging.judgement import Judgement
from hustings.script.documents import listed_in

from . import record_view, verdict_view, wording
from .first_screen import first_screen
from .quote_view import quotes_of
from .told import ready
from .verdict_view import Digest, Trace
from .view import View, unjudged


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
        bill=ready("", (), ()),
        cost=dossier.cost,
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
