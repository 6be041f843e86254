"""What judges and cards say of themselves."""

import pytest

from hustings.judging.judgement import Flag
from hustings.lab.judge_report import JudgeReport, Measure


@pytest.mark.parametrize(("families", "word"), [(("a",), "suspected"), (("a", "b"), "flagged")])
def test_a_flag_is_a_suspicion_until_another_family_sees_it(families, word):
    assert Flag(kind="straw_man", about="PRO-1", seat="pro", quote="never said", families=families).word == word


def test_a_card_lists_every_measure_and_nothing_else():
    measured = [name for name, field in JudgeReport.model_fields.items() if field.annotation is Measure]
    facts = {"model": "m", "family": "f", "date": "2026-01-01", "asked": 1, "accepted": 1}
    card = JudgeReport(
        **facts, **{name: Measure(what=name, goal="any") for name in measured}, identical_verdict=None, advice="use"
    )
    assert [measure.what for measure in card.measures] == measured
