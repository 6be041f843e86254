"""An address says in which wave a question was asked."""

from hustings.transcript.events import wave_of


def test_the_wave_is_the_first_number_of_an_address():
    assert wave_of("012.3 con closing") == 12
