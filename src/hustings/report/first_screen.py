"""The first screen of a result: what came out in one sentence, how far to trust it, and what weakens it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel

from hustings.judging.dossier import Dossier
from hustings.judging.judgement import Judgement, Sure
from hustings.text.figures import decimal, of_ten, span
from hustings.text.tables import LabelledText
from hustings.transcript.notes import BudgetStopped, Cancelled, Deadlocked, Decided, Ending, NoQuorum, TooClose

from . import wording
from .failure_text import FailureTold, failure
from .quote_view import QuoteView
from .record_view import Chair


class TrustLine(BaseModel, frozen=True, defer_build=True):
    """How sure a verdict is, in the word of its briefing, and the main reason for it."""

    word: Sure
    reason: str


class ScoreBar(BaseModel, frozen=True, defer_build=True):
    """How well a side or seat argued, on an axis from 0 to 10."""

    side: str
    """Team or seat."""
    name: str
    ended: str
    """The answer that a speaker ended at; empty if it was not asked for."""
    mean: float
    interval: tuple[float, float] | None
    shown: str
    within: str
    """The interval as text; empty if it was not measured."""
    told: str
    """All of it in words."""


class FirstScreen(BaseModel, frozen=True, defer_build=True):
    """What a reader sees before scrolling."""

    chip: str
    """The outcome in two or three words."""
    sentence: str
    """What came out, in at most 90 characters."""
    more: str
    """What else belongs to it."""
    weak: bool
    """Whether it is too close, not to be relied on, or no verdict: then it is set in a light weight."""
    bars: tuple[ScoreBar, ...] = ()
    bars_note: str = ""
    trust: TrustLine | None = None
    care: tuple[str, ...] = ()
    """Reasons to read it with care."""
    facts: tuple[LabelledText, ...] = ()
    failure: FailureTold | None = None


def first_screen(dossier: Dossier, chairs: Sequence[Chair], quotes: Sequence[QuoteView], documents: int) -> FirstScreen:
    judgement, failed = dossier.judgement, failure(dossier)
    facts = tuple(_facts(dossier, chairs, quotes, documents))
    care = [IMPROVISED] if _improvised(judgement, chairs) else []
    if judgement is None:
        chip, sentence = _unjudged(dossier)
        return FirstScreen(
            chip=chip, sentence=sentence, more="", weak=True, care=tuple(care), facts=facts, failure=failed
        )
    sentence, more = _fitting(judgement)
    trust = _trust(judgement)
    light = {"Not reliable", "Not measured"}
    return FirstScreen(
        chip=_chip(judgement),
        sentence=sentence,
        more=more,
        weak=not isinstance(judgement.outcome, Decided) or trust is None or trust.word in light,
        bars=tuple(_bars(judgement)),
        bars_note=_bars_note(judgement),
        trust=trust,
        care=tuple(
            dict.fromkeys(map(wording.upper, filter(None, [*care, *judgement.degraded, judgement.briefing.caveat])))
        ),
        facts=facts,
        failure=failed,
    )


# -- the sentence --------------------------------------------------------------------------


def _fitting(judgement: Judgement) -> tuple[str, str]:
    """As much of the bottom line as fits into one sentence, and the rest."""
    told = judgement.briefing.bottom_line
    pieces = SENTENCES.split(told)
    for count in range(len(pieces), 0, -1):
        sentence = " ".join(pieces[:count])
        if 0 < len(sentence) <= MOST_CHARACTERS:
            return sentence, " ".join(pieces[count:])
    return clipped(_plain(judgement), MOST_CHARACTERS), told


def _plain(judgement: Judgement) -> str:
    """The outcome without figures, for a bottom line that is too long or missing."""
    outcome = judgement.outcome
    match outcome:
        case Decided():
            part = " in part" if outcome.extent == "partial" else ""
            return judgement.own_verdict or f"{judgement.name(outcome.what)} prevailed{part}."
        case TooClose():
            return "No clear winner."
        case Deadlocked():
            return f"No agreement on {wording.many(len(outcome.issues), 'issue')}."
        case NoQuorum():
            return "No verdict: too few usable answers."
        case _:
            return f"{_stopped(outcome)} before a verdict."


def _chip(judgement: Judgement) -> str:
    outcome = judgement.outcome
    match outcome:
        case Decided():
            part = " in part" if outcome.extent == "partial" else ""
            if judgement.own_verdict:
                return clipped(judgement.own_verdict.removesuffix("."), 40)
            if judgement.votes and outcome.what in judgement.votes.options:
                return clipped(wording.upper(outcome.what), 40) + part.replace(" in", ", in")
            who = "" if judgement.issues or judgement.votes else f" for {clipped(judgement.name(outcome.what), 40)}"
            return f"Decided{part}{who}"
        case TooClose():
            return "Too close to call"
        case Deadlocked():
            return "No agreement"
        case NoQuorum():
            return "No verdict"
        case _:
            return _stopped(outcome)


def _unjudged(dossier: Dossier) -> tuple[str, str]:
    ending = dossier.proceedings.ending
    if ending.kind == "played":
        return "Not judged yet", wording.UNJUDGED
    return _stopped(ending), clipped(wording.ended(ending), MOST_CHARACTERS)


def _stopped(ending: Ending) -> str:
    match ending:
        case BudgetStopped():
            return "Stopped at its budget"
        case Cancelled():
            return "Stopped"
        case _:
            return "Broke off"


def clipped(text: str, most: int) -> str:
    """A text with at most this number of characters, cut between words."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    return f"{head.rpartition(' ')[0] or head}…"


# -- how far to trust it -------------------------------------------------------------------


def _trust(judgement: Judgement) -> TrustLine | None:
    briefing = judgement.briefing
    if not briefing.sure:
        return None
    return TrustLine(word=briefing.sure, reason=MORE_LIMITS.sub("", AGREEMENT.sub("", briefing.sure_because)))


def _bars(judgement: Judgement) -> Iterator[ScoreBar]:
    chosen: Mapping[str, str] = judgement.votes.chosen if judgement.votes else {}
    for total in judgement.totals:
        if total.score is not None:
            name, ended = judgement.name(total.side), chosen.get(total.side, "")
            at = f", who ended at {ended}" if ended else ""
            within = span(total.interval) if total.interval else ""
            yield ScoreBar(
                side=total.side,
                name=name,
                ended=ended,
                mean=total.score,
                interval=total.interval,
                shown=decimal(total.score),
                within=within,
                told=f"{name}{at}: {of_ten(total.score)}" + (f", 95% range {within}" if within else ""),
            )


def _bars_note(judgement: Judgement) -> str:
    if not judgement.totals:
        return ""
    gap = judgement.gap
    if gap is None:
        return "How well each speaker argued, out of 10."
    sides = sorted(zip((gap.value, -gap.value), gap.sides, strict=True), reverse=True)
    ahead = judgement.name(sides[0][1])
    interval = gap.interval if gap.value >= 0 or gap.interval is None else (-gap.interval[1], -gap.interval[0])
    within = f" (95% range {span(interval)})" if interval else ""
    apart = f"{decimal(abs(gap.value))} points{within}"
    led = f"The sides are {apart} apart." if gap.word == "evenly matched" else f"{ahead} leads by {apart}."
    outcome = judgement.outcome
    other = isinstance(outcome, Decided) and outcome.what in gap.sides and outcome.what != sides[0][1]
    return f"How well each side argued, out of 10. {led}{LAST_WORDS if other else ''}"


def _improvised(judgement: Judgement | None, chairs: Sequence[Chair]) -> bool:
    judges = (judge.family for judge in judgement.panel) if judgement else ()
    return IMPROVISER in {*(chair.model for chair in chairs), *judges}


# -- four facts ----------------------------------------------------------------------------


def _facts(
    dossier: Dossier, chairs: Sequence[Chair], quotes: Sequence[QuoteView], documents: int
) -> Iterator[LabelledText]:
    judgement = dossier.judgement
    said = wording.unlabelled(judgement.briefing.without_debate, "Without debate:") if judgement else ""
    without = "; ".join(said.rstrip(".").split("; ")[:2])
    yield LabelledText(label="Without a debate", text=f"{wording.upper(without)}." if without else "Not compared.")
    yield LabelledText(label="Quotes", text=_quoted(quotes, documents))
    yield LabelledText(label="Speakers", text=_seated(judgement, chairs))
    yield LabelledText(label="Cost", text=PARTS.sub("", dossier.cost, count=1) or "Not recorded.")


def _quoted(quotes: Sequence[QuoteView], documents: int) -> str:
    if quotes:
        accepted = sum(quote.accepted for quote in quotes)
        return f"{accepted} of {wording.many(len(quotes), 'quote')} found word for word"
    return "No document was quoted." if documents else "No documents: argued from memory."


def _seated(judgement: Judgement | None, chairs: Sequence[Chair]) -> str:
    speakers = [chair for chair in chairs if chair.side != "judge" and chair.role not in {"judge", "moderator"}]
    judges = f"; {wording.many(len(judgement.panel), 'judge')}" if judgement and judgement.panel else ""
    if len(speakers) == PAIR:
        told = "; ".join(f"{chair.name}: {_sits(chair)}" for chair in speakers)
        return f"{told}{judges}"
    models = list(dict.fromkeys(map(_sits, speakers)))
    shown = ", ".join(models[:PAIR]) + (f" and {len(models) - PAIR} more" if len(models) > PAIR else "")
    return f"{wording.many(len(speakers), 'speaker')} ({shown}){judges}" if shown else wording.many(0, "speaker")


def _sits(chair: Chair) -> str:
    return "a person" if chair.person else chair.model or "unknown"


MOST_CHARACTERS = 90
LAST_WORDS = " But the result rests on what the speakers said last, not on scores."
PAIR = 2
IMPROVISER = "improviser"
IMPROVISED = "The improviser writes nonsense. Use it to try things out, never to decide."
SENTENCES = re.compile(r"(?<=[.!?]) (?=[A-Z“\d])")
AGREEMENT = re.compile(r" \(agreement [^()]*\)")
MORE_LIMITS = re.compile(r", and \d+ more limits?(?=\.)")
PARTS = re.compile(r" \([^()]*\)")
"""What each run cost stands in the table of costs."""
