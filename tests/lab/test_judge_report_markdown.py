"""A judge's card, as people read it."""

import pytest
from markdown_it import MarkdownIt

from hustings.lab.judge_report import JudgeReport, Measure
from hustings.lab.report.trial_text import render_judge_report

GOOD = Measure(what="gain from three times the words", value=0.12, of=12, goal="at most 0.5 either way", passed=True)
BAD = Measure(what="worth of being shown first", value=-2.0, of=60, goal="at most 0.5 either way", passed=False)
BLANK = Measure(what="others below an empty argument", unit="share", goal="at most 20%")
FIGURES = (
    "grounded", "order_flips", "position_bias", "repeat", "padding", "injection", "worst_injection", "empty_argument",
    "better_side", "identical",
)  # fmt: skip


def made(advice="use", accepted=36, verdict=False, **changed):
    figures = {**dict.fromkeys(FIGURES, GOOD), **changed}
    return JudgeReport(
        model="acme/small", family="acme", date="2026-01-01", asked=36, accepted=accepted, identical_verdict=verdict,
        advice=advice, **figures,
    )  # fmt: skip


def first_sentence(card):
    return render_judge_report(card).split("\n\n")[1]


def test_a_good_judge_is_recommended_as_one_of_several():
    assert first_sentence(made()) == "Use this judge as one of several: it met all 10 goals that could be measured."


def test_a_judge_that_falls_short_is_not_to_be_relied_on_alone_and_the_reason_is_given():
    assert first_sentence(made("not alone", position_bias=BAD)) == (
        "Do not rely on this judge alone, because of worth of being shown first "
        "(−2.00 points; goal at most 0.5 either way)."
    )


def test_too_few_usable_answers_are_a_reason_of_their_own():
    assert "unusable answers (26 of 36)" in first_sentence(made("not alone", accepted=10))


def test_a_judge_that_gave_nothing_usable_is_not_to_be_used():
    said = first_sentence(made("nothing usable", accepted=0, verdict=None, **dict.fromkeys(FIGURES, BLANK)))
    assert said == "Do not use this judge: none of its 36 answers was usable."


def test_what_was_not_measured_is_said_and_never_given_as_nought():
    text = render_judge_report(made(empty_argument=BLANK))
    assert "Not measured: others below an empty argument." in text
    assert "| others below an empty argument | nothing | at most 20% | not measured | 0 |" in text


@pytest.mark.parametrize(("verdict", "said"), [(True, "would have"), (False, "would not have")])
def test_it_says_whether_texts_that_are_the_same_would_have_had_a_winner(verdict, said):
    assert f"its scores alone {said} named a winner" in render_judge_report(made(verdict=verdict))


def test_every_figure_has_a_row_in_the_table():
    tokens = MarkdownIt().enable("table").parse(render_judge_report(made()))
    assert sum(token.type == "tr_open" for token in tokens) == 1 + len(FIGURES)


def test_a_models_name_is_no_markdown():
    card = made().model_copy(update={"model": "acme/<b>bold</b>|x"})
    assert "<b>" not in render_judge_report(card)
