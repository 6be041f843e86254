"""A name that is not known comes with those that are."""

from hustings.errors import NotFound


def test_a_name_that_was_nearly_right_is_offered():
    error = NotFound.among(["structured", "roundtable"], "protocol", "structred")
    assert str(error) == "no protocol 'structred': did you mean 'structured'? Known: structured, roundtable"


def test_where_nothing_is_near_all_are_named_once():
    error = NotFound.among(["pro", "con", "pro"], "seat", "moderator")
    assert error.fix == "choose from pro, con"
