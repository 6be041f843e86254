"""The two plots of an evaluation, round by round: positions, and quality of reasoning."""

from __future__ import annotations

from collections.abc import Sequence

from hustings.lab.artefact import Evaluation, LookFigures
from hustings.text.tables import text_table

from .plots import Chart, Plot, Series, draw_plot
from .turn_readings import figure

TARGET = 0.8


def plots_of(evaluation: Evaluation) -> tuple[Plot, ...]:
    looks = evaluation.x_hustings.looks
    return (draw_plot(_positions(looks)), draw_plot(_quality(looks))) if looks else ()


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


def _columns(looks: Sequence[LookFigures]) -> list[str]:
    return [_round(look.round_index) for look in looks]


def _round(index: int) -> str:
    return f"r{index}"


ALARMS = {True: "hollow", False: "no", None: "not known"}
