"""One evaluated turn as people read it: its cell in the table, and, opened, its quotes and each judge's answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hustings.lab.artefact import Consistency, T3Summary, TurnEvaluation
from hustings.lab.bundle import Amount, Rung, Stance
from hustings.lab.judge_answers import PILLARS, ClaimRung, CritAnswer, Pillar, RcaAnswer, T3Answer
from hustings.report.wording import spaced
from hustings.text.figures import decimal, listed
from hustings.text.tables import LabelledText, TextTable, text_table

from .evaluation_view import NOT_KNOWN, JudgeAnswer, PillarBar, Tone, TurnCell, TurnReading
from .quote_places import Quoting, mark_quotes


def figure(value: float | None, places: int = 2) -> str:
    """A figure in words; one that is not known is never shown as 0."""
    return NOT_KNOWN if value is None else decimal(value, places)


# -- the cell ----------------------------------------------------------------------------


def cell_of(turn: TurnEvaluation) -> TurnCell:
    crit, own, verdict = turn.crit_summary, turn.x_hustings, turn.rca_summary.verdict
    bars = tuple(
        PillarBar(name=PILLAR_NAMES[pillar], value=own.pillars.get(pillar), shown=figure(own.pillars.get(pillar)))
        for pillar in PILLARS
    )
    word, tone = VERDICTS[verdict]
    passed = PASSES[crit.threshold_pass]
    rungs = ladder(turn.t3_summary)
    marks = "; ".join(f"{bar.name} {bar.shown}" for bar in bars)
    kind = listed(own.phases)
    return TurnCell(
        turn=turn.turn_id,
        kind=kind,
        rho=crit.gamma_mean,
        rho_shown=figure(crit.gamma_mean),
        passed=passed,
        bars=bars,
        verdict=word,
        tone=tone,
        asserted=_height(turn.t3_summary.required_rung),
        shown=None if turn.t3_summary.required_rung is None else _height(turn.t3_summary.detected_rung) or 0,
        ladder=rungs,
        ladder_tone=_ladder_tone(turn.t3_summary),
        says=f"{turn.speaker_id}, {kind}: mean {figure(crit.gamma_mean)}; {marks}; {word}; {rungs}.",
    )


def ladder(found: T3Summary) -> str:
    if found.required_rung is None:
        return "no causal claim was read"
    shows = found.detected_rung or "no rung"
    trap = f", trap {found.trap_detected} open" if found.trap_detected else ""
    return f"claims {found.required_rung}, shows {shows}{trap}"


def _ladder_tone(found: T3Summary) -> Tone:
    if found.required_rung is None:
        return "none"
    short = (_height(found.detected_rung) or 0) < (_height(found.required_rung) or 0)
    return "care" if short or found.trap_detected else "good"


def _height(rung: Rung | None) -> int | None:
    return int(rung[1]) if rung else None


# -- the turn, opened --------------------------------------------------------------------


def reading_of(turn: TurnEvaluation, text: str) -> TurnReading:
    """`text` is what was said."""
    places, quotes = mark_quotes(text, _quoted(turn))
    return TurnReading(
        turn=turn.turn_id,
        seat=turn.speaker_id,
        round=turn.round_index,
        cell=cell_of(turn),
        facts=tuple(_facts(turn)),
        places=places,
        quotes=quotes,
        answers=tuple(_answers(turn)),
        claims=_claims(turn),
    )


def _facts(turn: TurnEvaluation) -> Iterator[LabelledText]:
    own = turn.x_hustings
    yield LabelledText(label="Mean (ρ)", text=_mean(turn))
    yield LabelledText(label="Certainty fits the grounds (θ)", text=figure(turn.crit_summary.theta_mean))
    yield LabelledText(label="Words and deeds", text=VERDICTS[turn.rca_summary.verdict][0])
    yield LabelledText(label="Causal ladder", text=ladder(turn.t3_summary))
    yield LabelledText(label="Position", text=stance(own.bundle.stance))
    if own.deed is not None:
        yield LabelledText(label="Moved since the last turn", text=_moved(own.deed, reasoned=own.reasoned))
    if own.failures:
        kinds = [spaced(failure.kind) for failure in own.failures]
        yield LabelledText(label="Failures that most judges quote", text=listed(kinds))
    most = {failure.kind for failure in own.failures}
    few = [f"{spaced(kind)} ({count})" for kind, count in own.failures_by_judges.items() if kind not in most]
    if few:
        yield LabelledText(label="Failures that few judges quote", text=listed(few))
    for words in own.answers.speaks_to_reader:
        yield LabelledText(label="Words that address the judge", text=f"“{words}” They changed no figure.")


def _mean(turn: TurnEvaluation) -> str:
    crit, spread = turn.crit_summary, turn.x_hustings.spread
    apart = "" if spread is None else f", judges differ by {decimal(spread, 2)} (standard deviation)"
    word = PASSES[crit.threshold_pass]
    return f"{figure(crit.gamma_mean)}{apart}" + (f", {word}" if word else "")


def stance(found: Stance | None) -> str:
    if found is None:
        return f"{NOT_KNOWN}: the side was given, the question is open, or nothing could be read"
    shares = ", ".join(f"{option} {decimal(share, 2)}" for option, share in found.beliefs.items())
    return f"{shares} ({SOURCES[found.source]})"


def _moved(deed: Amount, *, reasoned: bool | None) -> str:
    if deed == "none":
        return "no"
    why = {True: "with a quoted reason", False: "without a quoted reason", None: "reason not known"}[reasoned]
    return f"{'partly' if deed == 'part' else 'fully'}, {why}"


# -- quotes ------------------------------------------------------------------------------


def _quoted(turn: TurnEvaluation) -> Iterator[Quoting]:
    answers, position = turn.x_hustings.answers, turn.x_hustings.bundle.stance
    for crit in answers.crit:
        for failure in crit.failures:
            yield Quoting(crit.judge, spaced(failure.kind), failure.quote, fault=True)
        for about, quote in crit.quotes.items():
            yield Quoting(crit.judge, ABOUT.get(about, spaced(about)), quote)
    for rca in answers.rca:
        yield Quoting(rca.judge, "words and deeds", rca.quote)
    for t3 in answers.t3:
        for rung in t3.rungs:
            yield Quoting(t3.judge, f"{rung.claim} claims {rung.asserts or 'no cause'}", rung.asserts_quote)
            yield Quoting(t3.judge, f"{rung.claim} shows {rung.shows or 'no rung'}", rung.shows_quote)
            for trap in rung.traps:
                state = "answered" if trap.dealt_with else "open"
                yield Quoting(t3.judge, f"trap {trap.code}, {state}", trap.quote, fault=not trap.dealt_with)
    if position:
        yield Quoting("reader", "position", position.quote)


# -- answers -----------------------------------------------------------------------------


def _answers(turn: TurnEvaluation) -> Iterator[JudgeAnswer]:
    answers = turn.x_hustings.answers
    lines: dict[str, list[LabelledText]] = {}
    for crit in answers.crit:
        lines.setdefault(crit.judge, []).extend(_crit_lines(crit))
    for rca in answers.rca:
        lines.setdefault(rca.judge, []).extend(_rca_lines(rca))
    for t3 in answers.t3:
        lines.setdefault(t3.judge, []).extend(_t3_lines(t3))
    yield from (JudgeAnswer(judge=judge, lines=tuple(lines[judge])) for judge in sorted(lines))


def _crit_lines(answer: CritAnswer) -> Iterator[LabelledText]:
    for pillar in PILLARS:
        yield LabelledText(label=PILLAR_NAMES[pillar], text=_level(answer.levels.get(pillar)))
    yield LabelledText(label="Certainty fits the grounds", text=_level(answer.fit))
    if answer.failures:
        yield LabelledText(label="Failures", text=listed([spaced(failure.kind) for failure in answer.failures]))


def _level(level: int | None) -> str:
    return "nothing to judge it by" if level is None else f"level {level} of 6"


def _rca_lines(answer: RcaAnswer) -> Iterator[LabelledText]:
    for name, label in RCA_LABELS.items():
        if (word := getattr(answer, name)) is not None:
            yield LabelledText(label=label, text=str(word))


def _t3_lines(answer: T3Answer) -> Iterator[LabelledText]:
    for rung in answer.rungs:
        yield LabelledText(label=f"Claim {rung.claim}", text=_rung_words(rung))


def _rung_words(rung: ClaimRung) -> str:
    if rung.asserts is None:
        return "no causal claim"
    said = "declines the stronger claim" if rung.declines else f"claims {rung.asserts}"
    traps = [f"trap {trap.code} {'answered' if trap.dealt_with else 'open'}" for trap in rung.traps]
    return ", ".join([said, f"shows {rung.shows or 'no rung'}", *traps])


def _claims(turn: TurnEvaluation) -> TextTable:
    rungs = {rung.claim: rung for rung in turn.x_hustings.rungs}
    rows: list[list[str]] = []
    for claim in turn.x_hustings.bundle.claims:
        rung = rungs.get(claim.id)
        reached = (rung.shows or "no rung") if rung else "–"
        asserted = ("declined" if rung.declines else rung.asserts) if rung else "–"
        words = claim.claim or claim.quote
        trap = (rung and rung.open_trap) or "–"
        rows.append([claim.id, words, claim.point, ", ".join(claim.grounds) or "none", asserted, reached, trap])
    return text_table("Claims and their rungs", CLAIM_HEADS, rows)


PILLAR_NAMES: Mapping[Pillar, str] = {
    "logical_validity": "Logic",
    "evidential_support": "Evidence",
    "alternative_consideration": "Alternatives",
    "causal_alignment": "Causes",
}
ABOUT: Mapping[str, str] = {**PILLAR_NAMES, "fit": "Certainty fits the grounds"}
VERDICTS: Mapping[Consistency | None, tuple[str, Tone]] = {
    "CONSISTENT": ("consistent", "good"),
    "INCONSISTENT_SYCOPHANTIC": ("gives in", "care"),
    "INCONSISTENT_STUBBORN": ("stubborn", "care"),
    "INCONSISTENT_OTHER": ("does not follow", "care"),
    None: ("not judged", "none"),
}
PASSES: Mapping[bool | None, str] = {True: "passes", False: "does not pass", None: ""}
SOURCES = {"reader": "read blind", "elicited": "asked in private"}
RCA_LABELS: Mapping[str, str] = {
    "follows": "Position follows from the reasons",
    "specific": "Objection names a flaw",
    "accepts": "Accepts of the critiques",
    "reason": "Names a reason for the change",
    "new": "Says anything new",
    "changed": "Position moved",
    "weighs": "Gives a reason for what it takes",
    "moved_by": "Moved by",
}
CLAIM_HEADS = ("Claim", "In words", "Point", "Grounds", "Claims", "Shows", "Open trap")
