"""View of the verdict: the briefing, the trace table, hints, votes, and how far to rely on them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from pydantic import BaseModel

from hustings.judging.arguments import Argumentation
from hustings.judging.dossier import Dossier
from hustings.judging.judgement import (
    ArgumentResult,
    ExecutiveSummary,
    Flag,
    Judgement,
    Standing,
    StrongPoint,
    SummarySentence,
)
from hustings.text.tables import LabelledText, TextTable, text_table

from . import summary_text, wording


class BriefingLine(BaseModel, frozen=True, defer_build=True):
    """A sentence about an argument."""

    id: str
    """Id of the argument, if it is about one."""
    text: str


class StrongLine(BaseModel, frozen=True, defer_build=True):
    """The strongest argument of a side."""

    side: str
    id: str
    standing: Standing
    claim: str
    happened: str
    """What was said to it."""
    text: str
    """All of it in a line, without the side."""


class Digest(BaseModel, frozen=True, defer_build=True):
    """For the person who decides: within thirty seconds, then in figures and lists."""

    bottom_line: str
    sure: LabelledText | None
    """How sure, and why; None without a verdict."""
    issues: tuple[str, ...]
    strongest: tuple[StrongLine, ...]
    would_change: str
    check_first: tuple[BriefingLine, ...]
    without_debate: str
    limits_head: str
    """Heading of what weakens the verdict; empty if nothing does."""
    limits: tuple[str, ...]
    facts: tuple[LabelledText, ...]
    held_up: tuple[BriefingLine, ...]
    refuted: tuple[BriefingLine, ...]
    withdrawn: tuple[BriefingLine, ...]
    unresolved: tuple[BriefingLine, ...]
    caveat: str
    judged: bool


class TraceRow(BaseModel, frozen=True, defer_build=True):
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


class Trace(BaseModel, frozen=True, defer_build=True):
    heads: tuple[str, ...]
    moved_heads: tuple[str, ...]
    key: str
    """How to read it, or why there is nothing to read."""
    rows: tuple[TraceRow, ...]


class Hint(BaseModel, frozen=True, defer_build=True):
    """A fallacy or a broken rule that judges saw."""

    about: str
    """The argument, reply or turn."""
    seat: str
    kind: str
    word: str
    quote: str
    text: str
    """All of it in a sentence."""


class ModelSummary(BaseModel, frozen=True, defer_build=True):
    """An executive summary that a model wrote."""

    title: str
    sentences: tuple[SummarySentence, ...]
    key: str
    """How it was checked, and how many sentences were dropped."""


class Checks(BaseModel, frozen=True, defer_build=True):
    """How far to rely on it, and how to compute it again."""

    reliability: tuple[str, ...]
    panel: TextTable
    control: str
    """With and without debate, in a sentence; empty if it was not compared."""
    control_lines: tuple[str, ...]
    origin: tuple[str, ...]


# -- the briefing ------------------------------------------------------------------------


def digest(dossier: Dossier) -> Digest:
    judgement = dossier.judgement
    if judgement is None:
        facts = _facts(wording.unjudged_facts(dossier))
        return NOTHING.model_copy(update={"bottom_line": wording.UNJUDGED, "facts": facts})
    briefing = judgement.briefing
    facts = {name: text for name, text in wording.facts(judgement, dossier.cost).items() if name != WITHOUT}
    return Digest(
        bottom_line=briefing.bottom_line,
        sure=LabelledText(label=briefing.sure, text=briefing.sure_because) if briefing.sure else None,
        issues=briefing.issues,
        strongest=tuple(map(_strong, briefing.strongest)),
        would_change=briefing.would_change,
        check_first=_lines(judgement, briefing.check_first),
        without_debate=wording.unlabelled(briefing.without_debate, "Without debate:"),
        limits_head=wording.limits(judgement),
        limits=judgement.degraded,
        facts=_facts(facts),
        held_up=_lines(judgement, briefing.held_up),
        refuted=_lines(judgement, briefing.refuted),
        withdrawn=_lines(judgement, briefing.withdrawn),
        unresolved=_lines(judgement, briefing.unresolved),
        caveat=briefing.caveat,
        judged=True,
    )


def _strong(point: StrongPoint) -> StrongLine:
    text = wording.strong_point(point)
    return StrongLine(
        side=point.side,
        id=point.id,
        standing=point.standing,
        claim=point.claim,
        happened=point.happened,
        text=text,
    )


def _facts(told: dict[str, str]) -> tuple[LabelledText, ...]:
    return tuple(LabelledText(label=label, text=text) for label, text in told.items() if text)


def _lines(judgement: Judgement, lines: Iterable[str]) -> tuple[BriefingLine, ...]:
    """A line of the briefing begins with the argument it is about."""
    known = {argument.id for argument in judgement.trace}
    return tuple(BriefingLine(id=_about(line, known), text=line) for line in lines)


def _about(line: str, known: set[str]) -> str:
    """A line begins with an id, or has it in brackets after a word or two: `Still open (PRO-1): …`."""
    return next((word for word in re.split(r"[(): ]+", line, maxsplit=3)[:3] if word in known), "")


# -- each argument -----------------------------------------------------------------------


def rows(judgement: Judgement, only: Container[str] | None = None) -> tuple[TraceRow, ...]:
    """Rows of the trace table; of these arguments alone, if any are named."""
    return tuple(_row(judgement, one) for one in judgement.trace if only is None or one.id in only)


def trace(judgement: Judgement | None, found: Argumentation) -> Trace:
    told = rows(judgement) if judgement else ()
    nothing = wording.NOT_WEIGHED if found.claims else wording.NOTHING_NUMBERED
    return Trace(
        heads=wording.TRACE_HEADS,
        moved_heads=wording.moved_heads(judgement.trace if judgement else ()),
        key=wording.TRACE_KEY if told else wording.NOTHING_FOUND if judgement else nothing,
        rows=told,
    )


def _row(judgement: Judgement, argument: ArgumentResult) -> TraceRow:
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
        cells=tuple(wording.argument_cells(judgement, argument)),
        moved=tuple(wording.moved_cells(judgement, argument)),
    )


def hints(judgement: Judgement | None) -> tuple[Hint, ...]:
    return tuple(_hint(judgement, flag) for flag in judgement.flags) if judgement else ()


def _hint(judgement: Judgement, flag: Flag) -> Hint:
    return Hint(
        about=flag.about,
        seat=flag.seat,
        kind=wording.spaced(flag.kind),
        word=flag.word,
        quote=flag.quote,
        text=wording.hint(judgement, flag),
    )


# -- how far to rely on it ---------------------------------------------------------------


def checks(judgement: Judgement) -> Checks:
    control = judgement.control
    return Checks(
        reliability=tuple(wording.reliability_lines(judgement)),
        panel=text_table("Judges", wording.JUDGE_HEADS, map(wording.judge_cells, judgement.panel)),
        control=control.said if control else "",
        control_lines=tuple(wording.control_lines(control)) if control else (),
        origin=tuple(wording.origin_lines(judgement)),
    )


def model_summary(summary: ExecutiveSummary | None) -> ModelSummary | None:
    if summary is None:
        return None
    title, key = summary_text.summary_title(summary), summary_text.summary_key(summary)
    return ModelSummary(title=title, sentences=summary.sentences, key=key)


def votes(judgement: Judgement | None) -> TextTable | None:
    """Where the speakers ended, if any vote counts."""
    if not (judgement and (found := judgement.votes) and any(found.options.values())):
        return None
    rows = ([option, str(count)] for option, count in found.options.items())
    return text_table(
        f"Where the speakers ended. {wording.vote_line(found, judgement.name)}", ("Answer", "Speakers"), rows
    )


NOTHING = Digest(
    bottom_line="",
    sure=None,
    issues=(),
    strongest=(),
    would_change="",
    check_first=(),
    without_debate="",
    limits_head="",
    limits=(),
    facts=(),
    held_up=(),
    refuted=(),
    withdrawn=(),
    unresolved=(),
    caveat="",
    judged=False,
)
BLIND = NOTHING.model_copy(update={"bottom_line": wording.BLIND})
WITHOUT = "Without a debate"
"""A fact that pages show in its own place."""
