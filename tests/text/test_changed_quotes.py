"""A sample of the changed quotes that `make proof NAME=evidence` counts by the thousand."""

from itertools import islice

import pytest

from hustings.text.quote_check import Text, check
from tests.text.false_changes import false_cases
from tests.text.honest_changes import honest_cases
from tests.text.languages import LANGUAGES, Language

EVERY = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)


@EVERY
def test_no_false_change_is_accepted(language: Language) -> None:
    cases = list(islice(false_cases(language, seed=1), 100))
    assert [case for case in cases if check(case.quote, Text(case.source)).accepted] == []


@EVERY
def test_nearly_every_honest_change_is_accepted(language: Language) -> None:
    cases = list(islice(honest_cases(language, seed=1), 100))
    assert sum(check(case.quote, Text(case.source)).accepted for case in cases) >= 96


@EVERY
def test_every_sentence_is_a_quote_from_all_of_them(language: Language) -> None:
    read = Text("\n".join(language.sentences))
    assert [s for s in language.sentences if check(s, read).verdict != "verbatim"] == []
