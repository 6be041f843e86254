"""A name that is not known comes with those that are, and an error can be sent to another process."""

import pickle

import pytest
from pydantic import TypeAdapter, ValidationError

from hustings.errors import NotFound
from hustings.script.debate import Language


def test_a_name_that_was_nearly_right_is_offered():
    error = NotFound.among(["structured", "roundtable"], "protocol", "structred")
    assert str(error) == "no protocol 'structred': did you mean 'structured'? Known: structured, roundtable"


def test_where_nothing_is_near_all_are_named_once():
    error = NotFound.among(["pro", "con", "pro"], "seat", "moderator")
    assert error.fix == "choose from pro, con"


def test_an_error_reaches_another_process_as_it_was():
    error = NotFound("no seat 'x'", why="it left", fix="choose from pro, con")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (NotFound, str(error), vars(error))


@pytest.mark.parametrize("word", ["english please", "e", "de_DE", "xx", "xx-klingon"])
def test_a_language_is_named_by_its_tag(word):
    with pytest.raises(ValidationError, match="is no language tag; write en, de or pt-BR"):
        TypeAdapter(Language).validate_python(word)


def test_who_writes_the_name_of_a_language_is_told_its_tag():
    with pytest.raises(ValidationError, match="'german' is no language tag; write de"):
        TypeAdapter(Language).validate_python("german")


@pytest.mark.parametrize("tag", ["en", "EN", "de-CH", "rw", "tlh", "zh-Hant-TW"])
def test_a_tag_of_a_known_or_a_rare_language_is_taken(tag):
    assert TypeAdapter(Language).validate_python(tag) == tag
