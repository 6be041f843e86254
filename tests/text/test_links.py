"""Links of Markdown in a text are replaced, and nothing else of it is."""

import pytest

from hustings.text.links import replace_links
from hustings.text.next_place import NextPlace


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See [the map](https://maps.test/a) and [the list](list.html).", "See the map and the list."),
        ("[a][b](c)", "[a]b"),
        ("an [open bracket", "an [open bracket"),
        ("[brackets] alone", "[brackets] alone"),
        ("[a](an address without an end", "[a](an address without an end"),
        ("[[a](b)", "[a"),
        ("[](b)", ""),
    ],
)
def test_a_link_becomes_its_label(text, expected):
    assert replace_links(text, "{label}") == expected


def test_a_link_whose_address_is_broken_off_stays_and_the_next_is_replaced():
    assert replace_links("[a](b c) [d](e)", "{label}", ends=r")\s") == "[a](b c) d"


def test_what_may_stand_before_a_link_goes_with_it():
    assert replace_links("![a](b)! [c](d)", "{label} ({address})", before="!") == "a (b)! c (d)"


def test_only_links_with_their_own_beginning_are_replaced():
    assert replace_links("![a](b) [c](d)", "", begin="![") == " [c](d)"


def test_a_place_that_is_still_ahead_is_not_looked_for_again():
    places = NextPlace("x", "..x..x")
    assert [places.after(start) for start in (0, 1, 2, 3, 6)] == [2, 2, 2, 5, 6]
