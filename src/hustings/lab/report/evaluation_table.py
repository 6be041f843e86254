"""An evaluation as plain text: badges, the figures of the run, and a table of seats and rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hustings.lab.artefact import Consistency, Evaluation, LookFigures, TurnEvaluation
from hustings.lab.judge_answers import PILLARS
from hustings.lab.scorers.crit import LEVELS, TARGET
from hustings.text.figures import listed, on_one_line

WIDEST = 100
"""Columns of the table of seats and rounds; a wider one becomes a list of turns."""
VERDICTS: Mapping[Consistency, str] = {
    "CONSISTENT": "C",
    "INCONSISTENT_SYCOPHANTIC": "SYC",
    "INCONSISTENT_STUBBORN": "STB",
    "INCONSISTENT_OTHER": "OTH",
}
LEGEND = (
    "Each turn: ρ, levels of logic, evidence, alternatives and causes (0 to 6), verdict (C consistent, SYC "
    "sycophantic, STB stubborn, OTH other), rung asserted/shown, open trap. A dash: not known."
)
NONE = "–"


def evaluation_text(found: Evaluation) -> str:
    """The whole evaluation for a terminal; badges come first."""
    return "\n".join(line.rstrip() for line in _lines(found)) + "\n"


def _lines(found: Evaluation) -> Iterator[str]:
    own = found.x_hustings
    for badge in own.badges:
        yield f"! {badge[:1].upper()}{badge[1:]}."
    if not own.independent:
        yield "! The words pass, mixed and fail are left out: this panel may not say them."
    yield " · ".join(_head(found))
    yield " · ".join(_run(found))
    if own.crit.remark:
        yield own.crit.remark
    yield ""
    yield from _table(found.turn_evaluations)
    yield LEGEND
    if told := list(_signals(found)):
        yield " · ".join(told)
    yield from (f"Speaks to the reader, {turn}: “{on_one_line(quote)}”" for turn, quote in _addressed(found))


def _head(found: Evaluation) -> Iterator[str]:
    own = found.x_hustings
    heard = [judge for judge in own.judges if judge.accepted]
    families = len({judge.family for judge in heard})
    yield f"Evaluation of {found.run_id}"
    yield f"{_count(len(heard), 'judge')}, {families} {'family' if families == 1 else 'families'}"
    if own.agreement.alpha is not None:
        yield f"α {figure(own.agreement.alpha)} {own.agreement.word}"
    lost = f" ({own.abstentions} came to nothing)" if own.abstentions else ""
    yield f"{_count(own.calls, 'call')}{lost}"


def _run(found: Evaluation) -> Iterator[str]:
    own, summary = found.x_hustings, found.run_summary
    spread = f", spread {figure(own.crit.spread)}" if own.crit.spread is not None else ""
    passes = {True: ", passes", False: ", does not pass"}.get(summary.crit_summary.threshold_pass or False, "")
    passes = "" if summary.crit_summary.threshold_pass is None else passes
    yield f"ρ {figure(summary.crit_summary.gamma_mean)} (target {figure(TARGET)}{spread}){passes}"
    word = f" ({summary.rca_summary.verdict})" if summary.rca_summary.verdict else ""
    yield (
        f"words and deeds fit in {own.rca.consistent} of {own.rca.judged}{word}"
        if own.rca.judged
        else "words and deeds: not judged"
    )
    yield _causes(found)


def _causes(found: Evaluation) -> str:
    """The claim that speaks for the run, and whether it passes."""
    summary, own = found.run_summary.t3_summary, found.x_hustings.t3
    turn = next((one for one in found.turn_evaluations if one.turn_id == own.turn_id), None)
    if summary.required_rung is None:
        return "T³: no causal claim"
    word = {True: "T³ passes", False: "T³ fails", None: "T³"}[summary.passes]
    where = f": {turn.speaker_id} r{turn.round_index}" if turn else ":"
    trap = f" ({summary.trap_detected})" if summary.trap_detected else ""
    return f"{word}{where} asserts {summary.required_rung}, shows {summary.detected_rung or 'none'}{trap}"


# -- the table ---------------------------------------------------------------------------


def _table(turns: Sequence[TurnEvaluation]) -> Iterator[str]:
    rounds = list(dict.fromkeys(turn.round_index for turn in turns))
    seats = list(dict.fromkeys(turn.speaker_id for turn in turns))
    cells = {
        (seat, number): [cell(t) for t in turns if (t.speaker_id, t.round_index) == (seat, number)]
        for seat in seats
        for number in rounds
    }
    rows = [["seat", *(_heading(turns, number) for number in rounds)]]
    rows += [[seat, *("; ".join(cells[seat, number]) for number in rounds)] for seat in seats]
    widths = [max(len(row[n]) for row in rows) for n in range(len(rounds) + 1)]
    if sum(widths) + 3 * len(rounds) <= WIDEST and all(len(some) < 2 for some in cells.values()):
        yield from ("   ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows)
        return
    first, second = max((len(turn.turn_id) for turn in turns), default=0), max(map(len, seats), default=0)
    for turn in turns:
        name, seat = turn.turn_id.ljust(first), turn.speaker_id.ljust(second)
        yield f"{name}  {seat}  {cell(turn)}  {', '.join(turn.x_hustings.phases)}"


def _heading(turns: Sequence[TurnEvaluation], number: int) -> str:
    phases = dict.fromkeys(p for turn in turns if turn.round_index == number for p in turn.x_hustings.phases)
    return f"r{number} {', '.join(phases)}"


def cell(turn: TurnEvaluation) -> str:
    """One turn: `.70 5443 SYC L2/L1 T7`."""
    crit, rungs = turn.crit_summary, turn.t3_summary
    levels = "".join(level(turn.x_hustings.pillars.get(pillar)) for pillar in PILLARS)
    verdict = VERDICTS[turn.rca_summary.verdict] if turn.rca_summary.verdict else NONE
    causes = f"{rungs.required_rung}/{rungs.detected_rung or NONE}" if rungs.required_rung else NONE
    trap = f" {rungs.trap_detected}" if rungs.trap_detected else ""
    return f"{figure(crit.gamma_mean):>3} {levels} {verdict:<3} {causes}{trap}"


def level(mark: float | None) -> str:
    """The level whose mark is nearest, as one digit."""
    if mark is None:
        return NONE
    return str(min(range(len(LEVELS)), key=lambda n: abs(LEVELS[n] - mark)))


def figure(value: float | None) -> str:
    """Two places, without the zero in front: .70, 1.00."""
    if value is None:
        return NONE
    text = f"{abs(value):.2f}"
    return ("−" if value < 0 and text.strip("0.") else "") + text.removeprefix("0")


# -- how positions moved -----------------------------------------------------------------


def _signals(found: Evaluation) -> Iterator[str]:
    looks = found.x_hustings.looks
    for name, of in (("JS", _js), ("overlap", _ov)):
        values = [of(look) for look in looks]
        if any(value is not None for value in values):
            yield f"{name} {' → '.join(map(figure, values))}"
    if any(look.alarm for look in looks):
        yield "the agreement is hollow"
    stop = found.x_hustings.stop
    if stop and stop.why == "agreed" and stop.agreement != "hollow":
        yield f"agreed after round {stop.after_round}, {stop.agreement}"
    elif stop and stop.why == "exhausted":
        yield f"could have stopped after round {stop.after_round}"


def _js(look: LookFigures) -> float | None:
    return look.js


def _ov(look: LookFigures) -> float | None:
    return look.ov


def _addressed(found: Evaluation) -> Iterator[tuple[str, str]]:
    for turn in found.turn_evaluations:
        yield from ((turn.turn_id, quote) for quote in turn.x_hustings.answers.speaks_to_reader)


def worst_turn(found: Evaluation) -> str:
    """The turn that a reader looks at first: the one that fails, else the one with the lowest ρ."""
    wrong = [t for t in found.turn_evaluations if t.rca_summary.verdict not in (None, "CONSISTENT")]
    known = [t for t in found.turn_evaluations if t.crit_summary.gamma_mean is not None]
    lowest = sorted(known, key=lambda t: t.crit_summary.gamma_mean or 0.0)
    return next((turn.turn_id for turn in (*wrong, *lowest, *found.turn_evaluations)), "")


def turn_text(found: Evaluation, turn_id: str) -> str | None:
    """What judges found in one turn, with the words that they quote; None if there is no such turn."""
    turn = next((one for one in found.turn_evaluations if one.turn_id == turn_id), None)
    return None if turn is None else "\n".join(_turn_lines(turn)) + "\n"


def _turn_lines(turn: TurnEvaluation) -> Iterator[str]:
    own = turn.x_hustings
    yield f"{turn.turn_id}: {turn.speaker_id}, round {turn.round_index}, {listed(own.phases)}"
    yield cell(turn)
    for claim in own.bundle.claims:
        grounds = f" [{', '.join(claim.grounds)}]" if claim.grounds else ""
        yield f"{claim.point}: “{on_one_line(claim.quote)}”{grounds}"
    for critique in own.bundle.critiques:
        answered = "answered" if critique.answered else "not answered"
        yield f"{critique.label} by {critique.by}, {answered}: “{on_one_line(critique.quote)}”"
    for crit in own.answers.crit:
        for name, quote in crit.quotes.items():
            given = crit.fit if name == "fit" else next((v for k, v in crit.levels.items() if k == name), None)
            yield f"{crit.judge}: {name.replace('_', ' ')} {given}: “{on_one_line(quote)}”"
        for failure in crit.failures:
            yield f"{crit.judge}: {failure.kind.replace('_', ' ')}: “{on_one_line(failure.quote)}”"
    for rca in own.answers.rca:
        said = rca.model_dump(exclude={"judge", "quote"}, exclude_none=True)
        words = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in said.items())
        yield f"{rca.judge}: {words}: “{on_one_line(rca.quote)}”"
    for t3 in own.answers.t3:
        for rung in (one for one in t3.rungs if one.asserts):
            traps = "".join(f", {trap.code}{' answered' if trap.dealt_with else ''}" for trap in rung.traps)
            quote = on_one_line(rung.asserts_quote)
            yield f"{t3.judge}: asserts {rung.asserts}, shows {rung.shows or 'none'}{traps}: “{quote}”"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
