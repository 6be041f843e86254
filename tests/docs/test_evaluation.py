"""What docs/evaluation.md says is so: limits, examples, and the worked example."""

import pytest

from hustings.lab.artefact import EVALUATION_VERSION
from hustings.lab.bundle import BUNDLE_VERSION, FIRMNESS, MOVED, MOVED_FULLY, distance
from hustings.lab.evaluator_report import LEAST_WORTH, WARNING
from hustings.lab.flawed_debates import FLAWED_DEBATES
from hustings.lab.judge_panel import (
    NO_AGREEMENT,
    ONE_FAMILY,
    ONE_JUDGE,
    OWN_FAMILY,
    UNKNOWN_DEBATERS,
)
from hustings.lab.scorers.crit import FIT, LEVELS, LITTLE_SPREAD, TARGET
from hustings.lab.signals import AGREED, CLOSER, FRESH, STILL
from tests.lab.evaluated import evaluated, no, yes

from .blocks import DOCS

TEXT = " ".join((DOCS / "evaluation.md").read_text("utf-8").split())
EXAMPLE = TEXT[TEXT.index("## Worked example") : TEXT.index("## The file")]
FOUND = evaluated()


def short(figure, places=2):
    """A figure as the page writes it: .80 as .8, and no zero before the point."""
    return f"{figure:.{places}f}".rstrip("0").replace("0.", ".", 1)


def test_its_limits_are_those_of_the_code():
    assert f"ρ ≥ {short(TARGET)} and θ ≥ {short(FIT)}" in TEXT
    assert f"(below {MOVED:.2f} *none*, up to {MOVED_FULLY:.2f} *part*".replace("0.", ".") in TEXT
    assert "Levels count 0, .20, .40, .55, .70, .85, 1." in TEXT
    assert LEVELS == (0, 0.20, 0.40, 0.55, 0.70, 0.85, 1)
    assert f"With a spread below {short(LITTLE_SPREAD)}" in TEXT
    assert f"divergence ≤ {short(AGREED)} without an alarm" in TEXT
    assert f"movement ≤ {short(STILL)} and novelty ≤ {FRESH:.2f}".replace("0.", ".") in TEXT
    assert f"divergence fell by more than {short(CLOSER)}" in TEXT
    assert {word: round(0.5 + weight / 2, 2) for word, weight in FIRMNESS.items()} == {
        "none": 0.5,
        "leans": 0.7,
        "holds": 0.85,
        "certain": 0.95,
    }


@pytest.mark.parametrize("badge", [OWN_FAMILY, ONE_FAMILY, NO_AGREEMENT, ONE_JUDGE, UNKNOWN_DEBATERS])
def test_it_names_every_badge(badge):
    assert f"| {badge} |" in TEXT


def test_it_names_the_files_and_the_trial():
    assert f"evaluation-{EVALUATION_VERSION}.json" in TEXT
    assert f"evaluation-bundles-{BUNDLE_VERSION}.json" in TEXT
    assert (f"{len(FLAWED_DEBATES) // 2} written debates" in TEXT, WARNING in TEXT) == (True, True)
    assert f"Below {short(LEAST_WORTH)}, or if the interval" in TEXT


def test_the_worked_example_is_computed_as_it_says():
    summary, own = FOUND.run_summary, FOUND.x_hustings
    assert f"Their mean is **{short(summary.crit_summary.gamma_mean, 6)}**" in EXAMPLE
    assert (
        f"= **{short(summary.rca_summary.trace_consistency_rate)}**, verdict *{summary.rca_summary.verdict}*" in EXAMPLE
    )
    assert f"passes CRIT: **{short(summary.rca_summary.blind_verification_pass_rate)}**" in EXAMPLE
    assert f"**{short(own.looks[0].js, 3)}0**. Round 2" in EXAMPLE
    assert f"= **{short(own.looks[1].js, 3)}**." in EXAMPLE
    assert f"share one of three: **{short(own.looks[0].ov, 3)}**" in EXAMPLE
    assert (own.looks[1].ov, own.looks[1].alarm) == (0.0, True)
    assert f"**{short(summary.raudit_summary.behavioral_drift_score, 3)}**" in EXAMPLE
    assert f"diversity **{short(own.metrics.argument_diversity, 3)}**" in EXAMPLE
    assert f"depth **{short(own.metrics.reasoning_depth, 3)}**" in EXAMPLE
    assert f"redundancy **{short(own.metrics.redundancy)}**" in EXAMPLE
    assert f"= **{short(own.metrics.decision_confidence, 3)}** for yes" in EXAMPLE
    assert f"a distance of {short(distance(no('holds'), yes('leans')))}: *full*" in EXAMPLE
