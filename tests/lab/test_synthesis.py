"""A synthesis is as good as what it states of what mattered, and how truly."""

import pytest

from hustings.lab.judge_answers import StatedPoint, SynthesisAnswer, TracedSentence
from hustings.lab.scorers.synthesis import panel_synthesis, synthesis_figures

SIDES = {"a": "p", "b": "p", "c": "p", "d": "q", "e": "q"}


def test_quality_is_the_harmonic_mean_of_coverage_and_fidelity():
    found = synthesis_figures("s", {**dict.fromkeys("abcd", True), "e": False}, SIDES, 5, 6)
    assert found.quality == pytest.approx(0.8163, abs=5e-5)
    assert found.balance == pytest.approx(0.5)


def test_a_synthesis_that_states_nothing_is_worth_nothing():
    assert synthesis_figures("s", {"a": False}, SIDES, 0, 3).quality == 0.0


def test_where_nothing_mattered_or_nothing_is_said_there_is_no_figure():
    assert synthesis_figures("s", {}, {}, 0, 3).quality is None
    assert synthesis_figures("s", {"a": True}, SIDES, 0, 0).quality is None


def answer(judge, stated, fair):
    return SynthesisAnswer(
        judge=judge,
        points=tuple(StatedPoint(about=point, stated=True) for point in stated),
        sentences=tuple(TracedSentence(number=n, source="a" if n in fair else None, fair=n in fair) for n in (1, 2)),
    )


def test_most_judges_decide_what_is_stated_and_what_is_true():
    judges = (answer("j1", "ad", {1}), answer("j2", "a", {1, 2}), answer("j3", "ab", set()))
    found = panel_synthesis("s", {"a": "p", "d": "q"}, 2, judges)
    assert (found.coverage, found.fidelity, found.quality, found.balance) == (0.5, 0.5, 0.5, 0.0)
    assert panel_synthesis("s", SIDES, 2, ()).quality is None
