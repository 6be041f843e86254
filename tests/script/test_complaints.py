"""What does not fit, in plain words: none of a parser's or validator's."""

from typing import get_args

import pytest
from pydantic import BaseModel, Field, ValidationError
from pydantic_core.core_schema import ErrorType

from hustings.script.complaints import complaints, words_of_error


class AnyLimit(dict):
    """Has a figure for whatever limit an error names."""

    def __missing__(self, name):
        return 3


@pytest.mark.parametrize("kind", get_args(ErrorType))
def test_every_error_of_pydantic_has_words_of_its_own(kind):
    limits = AnyLimit(error="words of ours", expected="'a' or 'b'")
    words = words_of_error({"type": kind, "loc": (), "msg": "Input should be told", "input": 1, "ctx": limits})
    assert words
    assert "nput" not in words


class Row(BaseModel):
    claim: str = Field(min_length=10)


class Answer(BaseModel):
    rows: tuple[Row, ...] = Field(min_length=3)
    share: float = Field(default=0.5, ge=0, le=1)


def lines_for(reply):
    with pytest.raises(ValidationError) as error:
        Answer.model_validate_json(reply)
    return complaints(error.value)


LONG = '{"claim": "a whole sentence"}'


def test_rows_count_from_one_and_are_not_counted_away():
    assert lines_for(f'{{"rows": [{LONG}, {{"claim": "no"}}, {LONG}]}}') == [
        "rows 2, claim: too short; write one whole sentence"
    ]


def test_too_few_rows_of_which_some_are_unfit_say_both():
    assert lines_for(f'{{"rows": [{LONG}, {{}}]}}') == [
        "rows 2, claim: missing",
        "rows: 1 entry could be used, 3 are needed; see the other lines",
    ]
    assert lines_for('{"rows": []}') == ["rows: 0 entries, at least 3 needed"]


def test_bounds_are_said_as_figures():
    assert lines_for(f'{{"rows": [{LONG}, {LONG}, {LONG}], "share": 2}}') == ["share: must be at most 1"]
