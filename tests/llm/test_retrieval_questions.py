"""The questions that measure look-ups still have their answers in the documentation."""

import pytest

from benchmarks.retrieval import documents, has, questions

TEXTS = documents()


@pytest.mark.parametrize("style", ["plain", "otherwise"])
def test_each_question_has_three_wordings_and_one_passage(style):
    those = [one for one in questions() if one["style"] == style]
    assert [len(one["wordings"]) for one in those] == [3] * 50
    assert [one["anchor"] for one in those if sum(has(text, one["anchor"]) for text in TEXTS.values()) != 1] == []
