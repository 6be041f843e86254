"""ρ is the mean of four pillars, each capped by its own quoted failures; what was not judged has no figure."""

from itertools import permutations

import pytest

from hustings.lab.judge_answers import CritAnswer, CritFailure
from hustings.lab.scorers.crit import CritMark, crit_summary, highest_level, judged, panel_mark, quoted_by

LEVELS = {"logical_validity": 5, "evidential_support": 5, "alternative_consideration": 4, "causal_alignment": 6}


def mark(*failures, fit=4, **changed):
    found = tuple(CritFailure(kind=kind, quote=f"words {n}") for n, kind in enumerate(failures))
    return judged(CritAnswer(judge="j", levels={**LEVELS, **changed}, fit=fit, failures=found))


NOTHING = judged(CritAnswer(judge="j"))


def test_rho_is_the_mean_of_the_pillars():
    assert mark().rho() == pytest.approx(0.85)
    assert mark().passes()


def test_a_failure_caps_its_own_pillar():
    capped = mark("causal_overreach")
    assert capped.pillars["causal_alignment"] == 0.70
    assert capped.rho() == pytest.approx(0.775)
    assert not capped.passes()


def test_more_failures_cap_deeper():
    assert [highest_level(n) for n in range(6)] == [6, 4, 3, 3, 2, 2]
    assert mark("contradiction", "contradiction").pillars["logical_validity"] == 0.55
    four = ("contradiction", "conclusion_drift", "contradiction", "contradiction")
    assert mark(*four).pillars["logical_validity"] == 0.40


def test_a_cap_never_raises():
    assert mark("causal_overreach", causal_alignment=1).pillars["causal_alignment"] == 0.20


def test_three_pillars_are_needed():
    assert mark(causal_alignment=None, alternative_consideration=None).rho() is None
    assert mark(alternative_consideration=None).rho() == pytest.approx(0.9)


def test_without_a_level_for_certainty_nothing_passes():
    assert mark(fit=None).passes() is None


def test_a_panel_is_averaged_and_keeps_failures_that_most_judges_quote():
    three = panel_mark([mark("contradiction"), mark("contradiction", fit=5), mark(fit=3)])
    assert three.pillars["logical_validity"] == pytest.approx(0.75)
    assert three.theta == pytest.approx(0.70)
    assert [failure.kind for failure in three.failures] == ["contradiction"]
    assert panel_mark([mark("contradiction"), mark()]).failures == ()
    assert quoted_by([mark("contradiction"), mark()]) == {"contradiction": 1}


def test_the_order_of_judges_does_not_matter():
    marks = [mark("contradiction", fit=3), mark("causal_overreach", "contradiction"), mark("causal_overreach", fit=5)]
    assert {repr(panel_mark(some)) for some in permutations(marks)} == {repr(panel_mark(marks))}


def test_a_run_is_the_mean_of_its_turns():
    summary, details = crit_summary([mark(), mark("causal_overreach"), NOTHING])
    assert summary.gamma_mean == pytest.approx(0.8125)
    assert summary.threshold_pass
    assert details.spread == pytest.approx(0.0375)
    assert (details.turns, details.scored, details.remark) == (3, 2, "")


def test_a_run_of_which_less_than_half_was_scored_has_no_figure():
    for turns in ([mark(), NOTHING, NOTHING], []):
        summary, _ = crit_summary(turns)
        assert (summary.gamma_mean, summary.theta_mean, summary.threshold_pass) == (None, None, None)


def test_a_panel_that_is_not_independent_passes_nothing():
    summary, _ = crit_summary([mark()], independent=False)
    assert (summary.gamma_mean, summary.threshold_pass) == (pytest.approx(0.85), None)


def test_marks_that_are_all_alike_are_said_to_be():
    _, details = crit_summary([mark()] * 3)
    assert details.remark == "These marks hardly tell turns apart."


def test_the_worked_example_of_the_prompt():
    answer = CritAnswer(
        judge="j",
        levels=dict(zip(LEVELS, (4, 4, 1, 2), strict=True)),
        fit=2,
        failures=(CritFailure(kind="causal_overreach", quote="Trams cut asthma"),),
    )
    found = judged(answer)
    assert (found.rho(), found.theta) == (pytest.approx(0.50), 0.40)
    assert isinstance(found, CritMark)
