"""Questions are found by their marks, in several scripts, and not in what is quoted."""

import pytest

from hustings.protocols.competition import questions_in, repeats, said_after_asking


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is so.", []),
        ("It is so. Why? Because.", ["Why?"]),
        ("为什么？因为。", ["为什么？"]),
        ("لماذا؟", ["لماذا؟"]),
        ("You asked “why?” and «who?», and I said so.", []),
        ("First line\nwho pays? who gains?", ["who pays?", "who gains?"]),
    ],
)
def test_questions_end_in_a_mark_outside_of_quotations(text, found):
    assert questions_in(text) == found


@pytest.mark.parametrize(("question", "same"), [("who PAYS?", True), ("Who pays for it?", True), ("Who gains?", False)])
def test_a_question_that_was_asked_is_repeated(question, same):
    assert repeats(question, ["Who pays?"]) is same


@pytest.mark.parametrize(("text", "rest"), [("Who pays?", ""), ("Who? We do.", "We do."), ("We do.", "We do.")])
def test_what_follows_the_last_question_is_found(text, rest):
    assert said_after_asking(text) == rest
