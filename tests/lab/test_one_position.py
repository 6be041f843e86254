"""Whether a turn keeps to one position, and whether the reader finds speakers where their own forms do."""

import pytest

from hustings.lab.artefact import StanceAgreement
from hustings.lab.report.figure_meanings import movement_of

from .evaluation_nulls import QualityReader, figures, held_by, two
from .held_evaluations import FairEvaluator, evaluated, garbage, held, speaking

TURNED = "Trams are quieter than cars. In the end I take that back."
STEADY = "Trams are quieter than cars. They also need less room."


def talk():
    """Four turns, the first of which takes back what it began with."""
    return held("roundtable", speaking({"ada": [TURNED, STEADY], "ben": [STEADY]}), seats=2, rounds=2)


class Attentive(FairEvaluator):
    """Quotes what a turn took back."""

    def StanceReading(self, call):  # noqa: N802  named as its form
        shift = "Trams are quieter than cars." if "take that back" in call.brief.exhibits[0][-1].words else None
        return {**super().StanceReading(call), "shift_quote": shift}


def test_a_turn_that_takes_back_its_beginning_has_more_than_one_position():
    assert evaluated(talk(), Attentive()).figures.x_hustings.metrics.one_position == 0.75


def test_turns_that_take_nothing_back_have_one_position_each():
    assert evaluated(talk(), FairEvaluator()).figures.x_hustings.metrics.one_position == 1.0


def test_of_turns_that_were_not_scored_no_position_is_known():
    assert evaluated(talk(), garbage).figures.x_hustings.metrics.one_position is None


def test_a_reader_agrees_with_the_forms_of_speakers_who_say_the_same_twice():
    found = figures(held_by("adaptive", *two(1)))
    assert found.x_hustings.form_agreement == StanceAgreement(turns=2, same=2)
    assert "The reader finds speakers where their own forms do in 2 of 2 turns." in movement_of(found)


def test_a_reader_who_finds_no_side_differs_from_the_forms():
    undecided = QualityReader()
    undecided.stance = lambda _: ("undecided", "none")
    found = figures(held_by("adaptive", *two(1)), undecided)
    assert found.x_hustings.form_agreement == StanceAgreement(turns=2, same=0)


@pytest.mark.parametrize("protocol", ["roundtable", "structured"])
def test_without_forms_or_with_given_sides_there_is_nothing_to_compare(protocol):
    assert figures(held_by(protocol, *two(1))).x_hustings.form_agreement == StanceAgreement()
