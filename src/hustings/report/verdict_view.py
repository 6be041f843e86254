"""View of the verdict: the briefing, the trace table, hints, votes, and how far to rely on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from hustings.judging.arguments import Argumentation
from hustings.judging.dossier import Dossier
from hustings.judging.judgement import ArgumentResult, Flag, Judgement, Standing

from . import wording


class Told(BaseModel, frozen=True):
    """A sentence with its label."""

    label: str
    text: str


class Ready(BaseModel, frozen=True):
    """A table of finished texts."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class BriefingLine(BaseModel, frozen=True):
    """A sentence about an argument."""

    id: str
    """Id of the argument, if it is about one."""
    text: str


class Digest(BaseModel, frozen=True):
    """For the person who decides: what weakens the verdict, what to do, and why."""

    warning: str
    """Heading of the reasons; empty if nothing weakens the verdict."""
    reasons: tuple[str, ...]
    advice: Told | None
    """None if it was not judged."""
    facts: tuple[Told, ...]
    survived: tuple[BriefingLine, ...]
    refuted: tuple[BriefingLine, ...]
    unresolved: tuple[BriefingLine, ...]


class TraceRow(BaseModel, frozen=True):
    """The result of one argument."""

    id: str
    seat: str
    side: str
    """Team or seat whose total it counts for."""
    turn: str
    claim: str
    quote: str
    standing: Standing
    strength: float | None
    interval: tuple[float, float] | None
    certainty: float | None
    score: float | None
    cells: tuple[str, ...]
    """As text, under `heads`."""
    moved: tuple[str, ...]
    """What moved it and what would change it, as text, under `moved_heads`."""


class Trace(BaseModel, frozen=True):
    heads: tuple[str, ...]
    moved_heads: tuple[str, ...]
    key: str
    """How to read it, or why there is nothing to read."""
    rows: tuple[TraceRow, ...]


class Hint(BaseModel, frozen=True):
    """A fallacy or a broken rule that judges saw."""

    about: str
    """The argument, reply or turn."""
    seat: str
    kind: str
    word: str
    quote: str
    text: str
    """All of it in a sentence."""


class Checks(BaseModel, frozen=True):
    """How far to rely on it, and how to compute it again."""

    reliability: tuple[str, ...]
    panel: Ready
    control: str
    """With and without debate, in a sentence; empty if it was not compared."""
    control_lines: tuple[str, ...]
    origin: tuple[str, ...]


# -- the briefing ------------------------------------------------------------------------


def digest(dossier: Dossier) -> Digest:
    judgement = dossier.judgement
    if judgement is None:
        return Digest(
            warning=wording.NOT_JUDGED,
            reasons=(wording.UNJUDGED,),
            advice=None,
            facts=_facts(wording.unjudged_facts(dossier)),
            survived=(),
            refuted=(),
            unresolved=(),
        )
    label, text = wording.advice(judgement)
    briefing = judgement.briefing
    return Digest(
        warning=wording.warning(judgement)[0] if judgement.degraded else "",
        reasons=judgement.degraded,
        advice=Told(label=label, text=text),
        facts=_facts(wording.facts(judgement, dossier.cost)),
        survived=_lines(judgement, briefing.survived),
        refuted=_lines(judgement, briefing.refuted),
        unresolved=_lines(judgement, briefing.unresolved),
    )


def _facts(told: dict[str, str]) -> tuple[Told, ...]:
    return tuple(Told(label=label, text=text) for label, text in told.items() if text)


def _lines(judgement: Judgement, lines: Iterable[str]) -> tuple[BriefingLine, ...]:
    """A line of the briefing begins with the argument it is about."""
    known = {argument.id for argument in judgement.trace}
    return tuple(BriefingLine(id=_about(line, known), text=line) for line in lines)


def _about(line: str, known: set[str]) -> str:
    named = line.split(" (", 1)[0].split(":", 1)[0]
    return named if named in known else ""


# -- each argument -----------------------------------------------------------------------


def trace(judgement: Judgement | None, found: Argumentation) -> Trace:
    rows = tuple(map(_row, judgement.trace)) if judgement else ()
    nothing = wording.NOT_WEIGHED if found.claims else wording.NOTHING_NUMBERED
    return Trace(
        heads=wording.TRACE_HEADS,
        moved_heads=wording.MOVED_HEADS,
        key=wording.TRACE_KEY if rows else wording.NOTHING_FOUND if judgement else nothing,
        rows=rows,
    )


def _row(argument: ArgumentResult) -> TraceRow:
    return TraceRow(
        id=argument.id,
        seat=argument.seat,
        side=argument.side,
        turn=argument.turn_id,
        claim=argument.claim,
        quote=argument.quote,
        standing=argument.standing,
        strength=argument.strength,
        interval=argument.interval,
        certainty=argument.certainty,
        score=argument.score,
        cells=tuple(wording.argument_cells(argument)),
        moved=tuple(wording.moved_cells(argument)),
    )


def hints(judgement: Judgement | None) -> tuple[Hint, ...]:
    return tuple(map(_hint, judgement.flags)) if judgement else ()


def _hint(flag: Flag) -> Hint:
    return Hint(
        about=flag.about,
        seat=flag.seat,
        kind=wording.spaced(flag.kind),
        word=flag.word,
        quote=flag.quote,
        text=wording.hint(flag),
    )


# -- how far to rely on it ---------------------------------------------------------------


def checks(judgement: Judgement) -> Checks:
    control = judgement.control
    return Checks(
        reliability=tuple(wording.reliability_lines(judgement)),
        panel=ready("The panel", wording.JUDGE_HEADS, map(wording.judge_cells, judgement.panel)),
        control=control.said if control else "",
        control_lines=tuple(wording.control_lines(control)) if control else (),
        origin=tuple(wording.origin_lines(judgement)),
    )


def votes(judgement: Judgement | None) -> Ready | None:
    """Where the seats ended, if they were asked."""
    found = judgement and judgement.votes
    if not found:
        return None
    rows = ([option, str(count)] for option, count in found.options.items())
    return ready(f"Where the seats ended: {wording.vote_line(found)}", ("answer", "seats"), rows)


def ready(caption: str, heads: Iterable[str], rows: Iterable[Sequence[str]]) -> Ready:
    return Ready(caption=caption, heads=tuple(heads), rows=tuple(map(tuple, rows)))


BLIND = Digest(warning="", reasons=(wording.BLIND,), advice=None, facts=(), survived=(), refuted=(), unresolved=())
