"""Hostile strings through the whole live view: a terminal sees nothing that the view itself did not paint."""

import pytest

from hustings.transcript.events import TextStreamed

from .display import hostile
from .display.scenes import Stand


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("count", [600, pytest.param(100_000, marks=pytest.mark.nightly("a hundred thousand strings"))])
def test_no_string_reaches_the_terminal_with_a_sequence_of_its_own(count):
    words, found = hostile.strings(count, seed=count), []
    stand = Stand(60)
    for n in range(0, count - 2, 3):
        if n % 600 == 0:  # a record that grows for ever would only slow this down
            stand = Stand(60)
            stand.show(hostile.opening(words[n]))
        some = words[n : n + 3]
        stand.show(*hostile.events(some, n))
        painted = _painted(stand)
        stand.show(*hostile.rest(some, n))
        found += hostile.foreign(painted + _painted(stand))
    assert found == []


def test_the_scan_finds_what_is_foreign():
    assert hostile.foreign("\r\x1b[J\x1b[1mwords\x1b[0m\x1b[2J\n\x9b") == ["\x1b", "\x9b"]


def test_a_string_that_is_split_between_two_pieces_is_made_harmless_too():
    stand = Stand(60)
    stand.show(hostile.opening("A motion"), *hostile.events(("\x1b", "opening", "x"), 0))
    stand.show(TextStreamed(address="000.0", attempt=0, text="[2J"))
    assert hostile.foreign(_painted(stand)) == []


def _painted(stand):
    stand.display.paint()
    text = stand._file.getvalue()
    stand._file.seek(0)
    stand._file.truncate()
    return text
