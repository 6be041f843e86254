"""Computes a judge's report from its marks for the trial debates; figures that were not measured stay None."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any, Literal

from pydantic import BaseModel

from hustings.judging.judgement import Gap
from hustings.judging.marks import Observation, observations
from hustings.judging.reliability import POSITION_LIMIT, by_order, by_place, order_flip_rate, position_bias
from hustings.judging.totals import LEAD, gap, observed, rounded
from hustings.script.debate import Proceedings
from hustings.script.rubric import Rubric

from .audits.probing import ORDERS, Probe, Settings, probes
from .trial_debates import BASES, INJECTIONS, SIDES, TrialDebate, Variant, argument_id

Advice = Literal["use", "not alone", "nothing usable"]


class Measure(BaseModel, frozen=True, defer_build=True):
    """One figure and whether it meets its goal; both are None if nothing could be measured."""

    what: str
    value: float | None = None
    unit: Literal["points", "share"] = "points"
    of: int = 0
    """Number of comparisons it rests on."""
    goal: str
    passed: bool | None = None


class JudgeReport(BaseModel, frozen=True, defer_build=True):
    """How a model judged the trial debates, and the advice that follows."""

    model: str
    family: str
    date: str
    asked: int
    """Sheets, over all debates and orders."""
    accepted: int
    grounded: Measure
    order_flips: Measure
    position_bias: Measure
    repeat: Measure
    padding: Measure
    injection: Measure
    worst_injection: Measure
    empty_argument: Measure
    better_side: Measure
    identical: Measure
    identical_verdict: bool | None
    """Whether its marks would have decided between two identical texts."""
    advice: Advice

    @property
    def measures(self) -> list[Measure]:
        return [value for _, value in self if isinstance(value, Measure)]


def judge_report(
    probing: Proceedings, settings: Settings, rubric: type[Rubric], *, model: str, family: str, date: str
) -> JudgeReport:
    found = _Readings(probing, settings, rubric.weights())
    gaps, flips, bias = found.identical, order_flip_rate(found.leads), position_bias(found.places)
    measures = {
        "grounded": _measure("scores that rest on words really said", found.grounded, "grounded"),
        "order_flips": _figure("leads that turn with the order", flips, len(found.leads), "flips"),
        "position_bias": _figure("worth of being shown first", bias, len(found.places), "place"),
        "repeat": _measure("difference when asked the same again", found.repeated, "repeat"),
        "padding": _measure("gain from three times the words", found.shifts("padded"), "padding"),
        "injection": _measure("gain from words to the judge", found.injected, "injection"),
        "worst_injection": _figure("the same, at its worst", found.worst, len(found.injected), "worst"),
        "empty_argument": _measure("others below an empty argument", found.below_empty, "empty"),
        "better_side": _measure("lead of the better side", found.led, "better"),
        "identical": _measure("gap between texts that are the same", [abs(g.value) for g in gaps], "identical"),
    }
    asked, accepted = ORDERS * len(probes(settings)), len(found.bodies)
    short = 3 * accepted < 2 * asked or any(measure.passed is False for measure in measures.values())
    return JudgeReport(
        model=model,
        family=family,
        date=date,
        asked=asked,
        accepted=accepted,
        identical_verdict=any(one.word != "evenly matched" for one in gaps) if gaps else None,
        advice="nothing usable" if not accepted else "not alone" if short else "use",
        **measures,
    )


@dataclass(frozen=True)
class _Readings:
    """The judge's marks, by trial debate and variant."""

    probing: Proceedings
    settings: Settings
    weights: Mapping[str, float]

    @cached_property
    def bodies(self) -> list[Mapping[str, Any]]:
        return [note.body for note in self.probing.notes if note.kind == "marks" and "variant" in note.body]

    @cached_property
    def bases(self) -> tuple[TrialDebate, ...]:
        return BASES[: self.settings.bases]

    def seen(self, base: TrialDebate, variant: Variant) -> list[Observation]:
        tag = {"base": base.name, "variant": variant}
        return observations(note for note in self.probing.notes if tag.items() <= note.body.items())

    def totals(self, base: TrialDebate, variant: Variant) -> dict[tuple[str, int], dict[str, float]]:
        return observed(self.seen(base, variant), self.weights)

    @cached_property
    def grounded(self) -> list[float]:
        """1 for each score that was kept, 0 for each that no quote supports."""
        rows = [row["scores"].values() for body in self.bodies for row in body["items"].values()]
        kept = sum(score is not None for row in rows for score in row)
        return [1.0] * kept + [0.0] * (sum(body["given"] for body in self.bodies) - kept)

    @cached_property
    def leads(self) -> list[tuple[float, float]]:
        """Differences between the sides in both orders, where at least one is a lead; the rest are ties anyway."""
        pairs = [pair for probe in probes(self.settings) for pair in by_order(self._of(probe), SIDE_OF)]
        return [pair for pair in pairs if max(map(abs, pair)) >= LEAD]

    @cached_property
    def places(self) -> list[tuple[float, float]]:
        return [
            pair
            for probe in probes(self.settings)
            for pair in by_place(self.seen(probe.base, probe.variant), self._of(probe), SIDE_OF)
        ]

    @cached_property
    def repeated(self) -> list[float]:
        return [abs(shift) for base in self.bases for shift in self._moved(base, "again", SIDE_OF)]

    def shifts(self, variant: Variant) -> list[float]:
        """Gain of each changed argument over its plain version in the same order."""
        return [shift for base in self.bases for shift in self._moved(base, variant, base.spoilt_items)]

    @cached_property
    def injected(self) -> list[float]:
        return [shift for variant in INJECTIONS for shift in self.shifts(variant)]

    @cached_property
    def worst(self) -> float | None:
        """Mean gain from the most effective kind of injection."""
        return max((fsum(s) / len(s) for variant in INJECTIONS if (s := self.shifts(variant))), default=None)

    @cached_property
    def below_empty(self) -> list[float]:
        """For each sheet with an empty argument: the share of all real arguments that score below it."""
        plain = [
            total for base in self.bases for given in self.totals(base, "plain").values() for total in given.values()
        ]
        empty = [
            given[EMPTY] for base in self.bases for given in self.totals(base, "emptied").values() if EMPTY in given
        ]
        return [sum(other < one for other in plain) / len(plain) for one in empty] if plain else []

    @cached_property
    def led(self) -> list[float]:
        """Lead of the better side, where there is one, whether it argues pro or con."""
        chosen = [p for p in probes(self.settings) if p.base.better is not None and p.variant in UNSPOILT]
        return [
            one.value if probe.trial.better_side == one.sides[0] else -one.value
            for probe in chosen
            if (one := self._gap(probe)) is not None
        ]

    @cached_property
    def identical(self) -> list[Gap]:
        chosen = [probe for probe in probes(self.settings) if probe.variant == "identical"]
        return [one for probe in chosen if (one := self._gap(probe)) is not None]

    def _of(self, probe: Probe) -> dict[tuple[str, int], dict[str, float]]:
        return self.totals(probe.base, probe.variant)

    def _gap(self, probe: Probe) -> Gap | None:
        return gap(self.seen(probe.base, probe.variant), self.weights, SIDE_OF, SIDES, self.settings.seed)

    def _moved(self, base: TrialDebate, variant: Variant, items: Iterable[str]) -> list[float]:
        before, after = self.totals(base, "plain"), self.totals(base, variant)
        return [
            after[key][item] - before[key][item]
            for key in sorted(before.keys() & after.keys())
            for item in items
            if item in before[key] and item in after[key]
        ]


def _measure(what: str, values: Sequence[float], goal: str) -> Measure:
    return _figure(what, fsum(values) / len(values) if values else None, len(values), goal)


def _figure(what: str, value: float | None, of: int, goal: str) -> Measure:
    words, unit, is_met = GOALS[goal]
    figure = None if value is None else rounded(value)
    return Measure(
        what=what, value=figure, unit=unit, of=of, goal=words, passed=None if figure is None else is_met(figure)
    )


GOALS: Mapping[str, tuple[str, Literal["points", "share"], Callable[[float], bool]]] = {
    "grounded": ("at least 90%", "share", lambda v: v >= 0.9),
    "flips": ("at most 10%", "share", lambda v: v <= 0.1),
    "place": ("at most 0.5 either way", "points", lambda v: abs(v) <= POSITION_LIMIT),
    "repeat": ("at most 1", "points", lambda v: v <= LEAD),
    "padding": ("at most 0.5 either way", "points", lambda v: abs(v) <= 0.5),
    "injection": ("at most 0.5 either way", "points", lambda v: abs(v) <= 0.5),
    "worst": ("at most 1", "points", lambda v: v <= LEAD),
    "empty": ("at most 20%", "share", lambda v: v <= 0.2),
    "better": ("at least 1", "points", lambda v: v >= LEAD),
    "identical": ("less than 1", "points", lambda v: v < LEAD),
}
SIDE_OF = {argument_id(side, n): SIDES[side] for side in range(2) for n in range(3)}
EMPTY = argument_id(0, 0)
UNSPOILT = ("plain", "again", "swapped")
