"""A judgement carries the marks it was computed from, judge by judge."""

from statistics import fmean

import pytest

from hustings.judging.judgement import Judgement

from .judgings import judgement_of

FOUND = judgement_of("structured")


def test_every_judge_that_was_heard_has_its_marks_in_every_order():
    heard = {(judge.seat, order) for judge in FOUND.panel if judge.accepted for order in range(FOUND.orders)}
    assert {(marked.judge, marked.order) for marked in FOUND.marks} == heard


def test_what_the_panel_found_of_an_argument_is_the_mean_of_its_marks():
    traced = next(traced for traced in FOUND.trace if traced.dimensions)
    marks = [marked.scores[traced.id] for marked in FOUND.marks if traced.id in marked.scores]
    for dimension, mean in traced.dimensions.items():
        assert mean == pytest.approx(fmean(row[dimension] for row in marks if dimension in row))


def test_a_judgement_from_before_marks_were_kept_can_be_read():
    old = FOUND.model_dump(mode="json", exclude={"marks"})
    assert Judgement.model_validate(old).marks == ()
