"""The order of files in a run of all tests."""

from .order import spread


def test_long_files_are_spread_and_none_is_among_the_last():
    files = [*"abcdefghij", *"XYZ"]
    found = spread(files, str.isupper)
    assert sorted(found) == sorted(files)
    assert "".join(found) == "XabcYdeZfghij"


def test_files_of_one_kind_stay_as_they_are():
    assert (spread([*"abc"], str.isupper), spread([*"XYZ"], str.isupper)) == ([*"abc"], [*"XYZ"])
