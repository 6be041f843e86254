"""Judges on labelled texts: a table, one line of JSON, and no answer counted that was not given."""

import json

import pytest

from benchmarks.labelled_data import fallacies, items_of, main, read, rungs, said
from hustings.errors import SeatFailed, Unsuitable

ITEMS = {
    "cladder-easy.jsonl": {"given": "Of ten shops, six have a bell.", "question": "Is a bell usual?", "answer": "yes",
                           "rung": 1},
    "argotario-en.jsonl": {"topic": "Should shops have bells?", "intended": "Ad Hominem", "voted": "-",
                           "text": "Only a fool would hang a bell there."},
    "ukpconvarg-strict-sample.jsonl": {"topic": "bells_good", "a1": "Bells are good.", "more_convincing": "a2",
                                       "a2": "Bells tell the owner that a guest has come in."},
}  # fmt: skip


@pytest.fixture
def data(tmp_path):
    for name, item in ITEMS.items():
        (tmp_path / name).write_text(f"{json.dumps(item)}\n" * 3, "utf-8")
    return tmp_path


@pytest.mark.parametrize("task", ["rungs", "fallacies", "arguments"])
def test_the_last_line_is_json_with_what_was_answered(data, task, capsys):
    main(task, str(data), "improviser", "2")
    *table, last = capsys.readouterr().out.splitlines()
    told = json.loads(last)
    assert (told["task"], told["items"], table[0].split()[:2]) == (task, 2, ["label", "items"])
    assert 0 <= told["right"] <= told["answered"] <= 2


@pytest.mark.parametrize("work", [rungs, fallacies])
def test_a_model_that_does_not_answer_is_right_about_nothing(work):
    item = ITEMS["cladder-easy.jsonl"] | ITEMS["argotario-en.jsonl"]
    rows, told = work([item], lambda _: SeatFailed("gone"))
    assert (told["answered"], told["right"]) == (0, 0)
    assert [row["no answer"] for row in rows.values()] == [1]


def test_answers_are_counted_by_label():
    rows, told = read([("a", "a"), ("a", "b"), ("b", None)])
    assert rows == {"a": {"items": 2, "a": 1, "b": 1}, "b": {"items": 1, "no answer": 1}}
    assert (told["right"], told["share"]) == (1, 0.3333)


def test_a_record_holds_the_texts_and_no_more():
    assert [turn.said for turn in said("Is it so?", "It is.", "It is not.").transcript.turns] == [
        "It is.",
        "It is not.",
    ]


def test_data_that_is_missing_or_of_another_kind_is_refused_with_a_cure(tmp_path, data):
    with pytest.raises(Unsuitable, match="no data"):
        main("rungs", "")
    with pytest.raises(Unsuitable, match="no file"):
        items_of(tmp_path / "none.jsonl", {"given"}, 1)
    with pytest.raises(Unsuitable, match="each line needs"):
        items_of(data / "argotario-en.jsonl", {"given"}, 1)
