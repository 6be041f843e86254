"""Hundreds of files: sound ones are imported and keep every rule, damaged ones are imported or refused in words."""

from hustings.errors import BrokenFile, Unsuitable
from hustings.transcript.rules import check_document

from .foreign import imported
from .generate import damaged, sound

SOUND, DAMAGED = 150, 450


def test_every_sound_file_becomes_a_transcript_without_an_error():
    for number in range(SOUND):
        shape, raw = sound(number)
        (found,) = imported(raw)
        assert found.shape == shape, number
        assert errors_of(found) == [], number


def test_a_damaged_file_is_imported_or_refused_in_words():
    refused = 0
    for number in range(DAMAGED):
        raw = damaged(number)
        try:
            found = imported(raw, item="all")
        except (BrokenFile, Unsuitable):
            refused += 1
        else:
            assert [errors_of(one) for one in found] == [[] for _ in found], number
    assert 300 < refused < DAMAGED - 50


def errors_of(found):
    return [one for one in check_document(found.transcript.document()) if one.severity == "error"]
