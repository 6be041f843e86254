"""A grid becomes the lines of a batch: every combination, named so that people can read it, and the same every time."""

import pytest

from hustings.errors import Unsuitable
from hustings.runs.grid import Grid, described, expand, size_of

TOPICS = ["Large cities should close their centres to private cars.", "Is it so?"]


def lines(**parts):
    return {one.name: dict(one.line) for one in expand(Grid(**parts))}


def names(**parts):
    return [one.name for one in expand(Grid(**parts))]


def test_every_combination_is_a_line():
    found = lines(vary={"protocol": ["structured", "roundtable"], "settings": {"words": [50, 90]}})
    assert found == {
        "structured.words-50.1": {"protocol": "structured", "settings": {"words": 50}},
        "structured.words-90.1": {"protocol": "structured", "settings": {"words": 90}},
        "roundtable.words-50.1": {"protocol": "roundtable", "settings": {"words": 50}},
        "roundtable.words-90.1": {"protocol": "roundtable", "settings": {"words": 90}},
    }


def test_what_all_have_in_common_stays_beside_what_varies():
    common = {"topic": "Is it so?", "settings": {"seats": 4}}
    (line,) = lines(debate=common, vary={"settings": {"rounds": [2]}}).values()
    assert line == {"topic": "Is it so?", "settings": {"seats": 4, "rounds": 2}}


def test_what_varies_replaces_what_is_common():
    (line,) = lines(debate={"settings": "none", "model": "a"}, vary={"settings": {"rounds": [2]}}).values()
    assert line == {"settings": {"rounds": 2}, "model": "a"}


def test_repeats_are_told_apart_by_number_and_seed():
    found = lines(vary={"model": ["improviser"]}, repeats=2)
    assert {name: line["seed"] for name, line in found.items()} == {"improviser.1": 1, "improviser.2": 2}


def test_seeds_of_repeats_begin_with_the_seed_of_all():
    found = lines(debate={"seed": 7}, vary={"model": ["improviser"]}, repeats=2)
    assert [line["seed"] for line in found.values()] == [7, 8]


def test_without_repeats_no_seed_is_made_up():
    (line,) = lines(vary={"model": ["improviser"]}).values()
    assert "seed" not in line


@pytest.mark.parametrize(
    ("field", "values", "parts"),
    [
        ("model", ["ollama/qwen3:4b", "improviser"], ["ollama-qwen3-4b", "improviser"]),
        ("retries", [0, 2], ["retries-0", "retries-2"]),
        ("control", [True, False], ["control-true", "control-false"]),
        ("topic", TOPICS, ["topic1", "topic-is-it-so"]),
        ("judges", [["a/b", "c/d"], "auto"], ["judges1", "judges-auto"]),
        ("model", ["a/b", "a-b"], ["a-b", "model2"]),
        ("topic", ["本当か", "C’est vrai ?"], ["topic1", "topic-c-est-vrai"]),
    ],
)
def test_a_value_is_called_by_itself_or_by_its_place(field, values, parts):
    assert names(vary={field: values}) == [f"{part}.1" for part in parts]


def test_a_value_that_is_added_at_the_end_changes_no_other_name():
    before, after = ({"topic": TOPICS[:n], "settings": {"rounds": [1, 2, 3][:n]}} for n in (1, 2))
    assert {*names(vary=before)} < {*names(vary=after)}


def test_a_name_that_would_be_too_long_ends_in_a_digest():
    found = names(vary={f"field_{n}": ["a value of words", "another of words"] for n in range(5)})
    assert (max(map(len, found)) <= 62, len({*found})) == (True, 32)


@pytest.mark.parametrize(
    ("parts", "refusal"),
    [
        ({"vary": {}}, "nothing varies"),
        ({"vary": {"model": "improviser"}}, "model has no list of values"),
        ({"vary": {"settings": {"rounds": []}}}, "settings.rounds has no list of values"),
        ({"vary": {"model": ["a", "a"]}}, "model lists a value twice"),
        ({"vary": {"seed": [1, 2]}, "repeats": 2}, "varies its seed or repeats"),
        ({"vary": {"seed": [1, 2, 3]}, "most": 2}, "this grid is 3 debates, and 2 is the most"),
    ],
)
def test_what_cannot_be_expanded_is_refused(parts, refusal):
    with pytest.raises(Unsuitable, match=refusal):
        expand(Grid(**parts))


def test_a_grid_that_is_too_large_says_how_to_allow_it():
    with pytest.raises(Unsuitable) as refused:
        expand(Grid(vary={"seed": [*range(300)]}))
    assert (refused.value.why, refused.value.fix) == ("seed × 300", "vary less, or allow it in the file: most = 300")


def test_no_file_allows_more_than_ten_thousand():
    with pytest.raises(Unsuitable) as refused:
        expand(Grid(vary={"seed": [*range(10_001)]}))
    assert refused.value.fix == "vary less"


def test_a_grid_is_described_by_what_varies():
    grid = Grid(vary={"topic": TOPICS, "settings": {"rounds": [1, 2, 3]}}, repeats=2)
    assert (described(grid), size_of(grid)) == ("topic × 2, settings.rounds × 3, repeats × 2", 12)
