"""How many words a question asks for is known, whether they are an allowance or an aim."""

import pytest

from hustings.script.forms import Speech
from hustings.script.moves import Brief

OPENING = Brief("opening", Speech, "Speak for {words} words.")


@pytest.mark.parametrize(
    ("brief", "asked"),
    [
        (OPENING, None),
        (OPENING.within(150), 150),
        (OPENING.aiming_at(300), 300),
        (OPENING.aiming_at(300).within(150), 150),
        (OPENING.aiming_at(300).answered_on(Speech), 300),
    ],
)
def test_the_allowance_counts_before_the_aim(brief, asked):
    assert brief.asked_words == asked


def test_the_text_tells_the_aim():
    assert OPENING.aiming_at(300).text == "Speak for 300 words."
