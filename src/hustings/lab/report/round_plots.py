"""The three plots of an evaluation, round by round: positions, quality of reasoning, and control."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hustings.lab.artefact import ControlStep, Evaluation, LookFigures
from hustings.report.text_table import text_table
from hustings.report.wording import spaced
from hustings.transcript.models import Intervention, Transcript

from .plots import Chart, Happening, Plot, Series, draw_plot
from .turn_readings import figure

TARGET = 0.8


def plots_of(evaluation: Evaluation, transcript: Transcript) -> tuple[Plot, ...]:
    looks = evaluation.x_hustings.looks
    charts = [_positions(looks), _quality(looks)] if looks else []
    if steps := evaluation.control_trace or evaluation.x_hustings.controller_would:
        charts.append(_control(steps, transcript, acted=bool(evaluation.control_trace)))
    return tuple(map(draw_plot, charts))


def _positions(looks: Sequence[LookFigures]) -> Chart:
    rows = [
        [_round(look.round_index), figure(look.js), figure(look.ov), figure(look.novelty), ALARMS[look.alarm]]
        for look in looks
    ]
    top = max([1.0, *(look.js for look in looks if look.js is not None)])
    return Chart(
        id="positions",
        title="Positions and common ground",
        says="Falling divergence without common ground is an alarm: agreement that rests on nothing shared.",
        columns=_columns(looks),
        series=[
            Series("divergence", [look.js for look in looks]),
            Series("overlap", [look.ov for look in looks]),
        ],
        range=(0.0, 1.0 if top <= 1.0 else 2.0 if top <= 2.0 else 4.0),
        table=text_table(
            "Divergence in bits, overlap of grounds, share of new points",
            ("Round", "Divergence", "Overlap", "New", "Alarm"),
            rows,
        ),
    )


def _quality(looks: Sequence[LookFigures]) -> Chart:
    rows = [[_round(look.round_index), figure(look.rho), figure(look.spread), str(look.claims)] for look in looks]
    return Chart(
        id="quality",
        title="Quality of reasoning",
        says="Mean ρ of the turns in a round. The band is one standard deviation, the dotted line the target.",
        columns=_columns(looks),
        series=[Series("mean ρ", [look.rho for look in looks], [look.spread for look in looks])],
        target=(TARGET, "target .80"),
        table=text_table("Mean and spread of ρ by round", ("Round", "Mean ρ", "Spread", "Claims"), rows),
    )


def _control(steps: Sequence[ControlStep], transcript: Transcript, *, acted: bool) -> Chart:
    rows = [
        [_round(step.round_index), figure(step.beta), str(step.gate), figure(step.e_t), figure(step.u_t), _told(step)]
        for step in steps
    ]
    happenings = list(_given(steps, transcript.intervention_log or ()) if acted else _would(steps))
    return Chart(
        id="control",
        title="Control" if acted else "What control would have done",
        says=(
            f"{ACTED if acted else AFTERWARDS} β: 0 collaborative, 1 adversarial. Gate 2 is drawn as 1, gate 1 as .5."
        ),
        columns=[_round(step.round_index) for step in steps],
        series=[
            Series("β", [step.beta for step in steps]),
            Series("gate ÷ 2", [step.gate / 2 for step in steps]),
        ],
        happenings=happenings,
        happenings_title=GIVEN if acted else WOULD,
        table=text_table(
            "Tone β and evidence gate after each round",
            ("Round", "β", "Gate", "Error", "Output", "Instructions"),
            rows,
        ),
    )


def _given(steps: Sequence[ControlStep], log: Sequence[Intervention]) -> Iterator[Happening]:
    """Instructions of the record, each at its round."""
    places = {step.round_index: n for n, step in enumerate(steps)}
    for told in log:
        known = [n for index, n in places.items() if told.round_index is not None and index <= told.round_index]
        whom = f" to {told.speaker_id}" if told.speaker_id else ""
        where = f", {_round(told.round_index)}" if told.round_index is not None else ""
        yield Happening(max(known, default=0), f"{spaced(told.trigger)}{whom}{where}", told.instruction_sent)


def _would(steps: Sequence[ControlStep]) -> Iterator[Happening]:
    for n, step in enumerate(steps):
        for trigger in step.told:
            title = f"{spaced(trigger)}, after {_round(step.round_index)}"
            yield Happening(n, title, "Computed afterwards. No speaker was told anything.")


def _told(step: ControlStep) -> str:
    return ", ".join(map(spaced, step.told)) or "none"


def _columns(looks: Sequence[LookFigures]) -> list[str]:
    return [_round(look.round_index) for look in looks]


def _round(index: int) -> str:
    return f"r{index}"


ALARMS = {True: "hollow", False: "no", None: "not known"}
ACTED = "Experimental: no gain on real models is known."
GIVEN, WOULD = "Instructions that were given", "Instructions that would have been given"
AFTERWARDS = "Computed afterwards; no speaker was told anything."
