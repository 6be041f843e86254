"""JSON objects in a reply: what stands around them is passed over, and what is wrong with one is named."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.script.json_answer import (
    DEEPEST,
    LONGEST_NUMBER,
    MOST_BRACES,
    MOST_VALUES,
    Defect,
    find_objects,
)


def values_in(reply):
    content = find_objects(reply)
    assert content.defect is None
    return [each.values for each in content.objects]


def value_of(source):
    """The value that stands under a key of the only object."""
    (values,) = values_in(f'{{"a": {source}}}')
    return values["a"]


def defect_in(reply):
    """The kind of a defect that leaves no object."""
    content = find_objects(reply)
    assert content.objects == ()
    return content.defect and content.defect.kind


# -- what stands around an object --------------------------------------------------------


@pytest.mark.parametrize("reply", ["", "plain words", "{...}", "{like these}", "a set {1, 2}", '{"asked"}', "[1, 2]"])
def test_braces_without_a_key_are_no_object(reply):
    assert values_in(reply) == []


@pytest.mark.parametrize("reply", ["{}", " {\n} ", "```json\n{}\n```"])
def test_empty_braces_alone_are_an_empty_object(reply):
    assert values_in(reply) == [{}]


def test_empty_braces_in_prose_are_no_object():
    assert values_in("I leave {} open.") == []


def test_every_object_of_a_reply_is_found():
    assert values_in('First {"a": 1}, then {"b": 2}.') == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize("end", ["", "\n```", "]", "</answer>", "<|im_end|>\n</s>"])
def test_an_object_before_nothing_but_marks_is_the_last(end):
    assert find_objects(f'{{"a": 1}}{end}').objects[0].last


def test_an_object_before_words_is_not_the_last():
    assert not find_objects('{"a": 1} as you asked').objects[0].last


def test_thinking_that_never_ends_is_a_cut_reply():
    assert defect_in('<think>{"a": 1}') == "cut"


def test_an_object_in_thinking_is_not_found():
    assert values_in('<think>{"a": 1}</think>{"a": 2}') == [{"a": 2}]


def test_an_end_of_thinking_without_its_beginning_counts_if_one_object_follows():
    assert values_in('I try {"a": 1}.\n</think>\n{"a": 2}') == [{"a": 2}]


@pytest.mark.parametrize("rest", ["", "no object", '{"b": 2} and more', '{"b": 2} {"b": 3}'])
def test_another_end_of_thinking_is_a_part_of_the_reply(rest):
    assert {"a": 1} in values_in(f'I send {{"a": 1}}, without </think> {rest}')


def test_an_object_that_was_sent_as_one_text_is_found():
    assert values_in(r'"{\"a\": \"b\"}"') == [{"a": "b"}]


def test_a_text_without_an_object_holds_none():
    assert values_in(r'"a \"word\""') == []


def test_quotation_marks_around_a_reply_that_is_no_text_are_passed_over():
    assert values_in('"mine": {"a": "b"} is "it"') == [{"a": "b"}]


# -- nearly right ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        '{"a": [1, 2,], }',
        "{'a': [1, 2]}",
        '{ // mine\n"a": [1, 2]}',
        '{ # mine\n"a": [1, 2]}',
        '{ /* "a": {3} */ "a": [1, 2]}',
        '{"a": [1, // one\n2]}',
        '{"a":\ufeff[1\u200b,\r\n2]}',
    ],
)
def test_what_has_one_meaning_is_read(reply):
    assert values_in(reply) == [{"a": [1, 2]}]


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("True", True),
        ("false", False),
        ("None", None),
        ("NaN", None),
        ("undefined", None),
        ("+1", 1),
        ("-2", -2),
        (".5", 0.5),
        ("1.", 1.0),
        ("2e3", 2000.0),
        ("0", 0),
    ],
)
def test_numbers_and_literals_are_read_as_they_stand(source, value):
    assert (value_of(source), type(value_of(source))) == (value, type(value))


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (r'"\ud83d\ude00"', "😀"),
        (r'"\x41\u0042\U00000043"', "ABC"),
        (r"'\ud83d\ude00 it\'s'", "😀 it's"),
        (r'"\U0001fffff"', "\U0001ffff" + "f"),
        (r'"\d\n"', "\\d\n"),
        (r'"\U001fffff"', "\\U001fffff"),
    ],
)
def test_escapes_stand_for_their_signs_and_unknown_ones_stay(source, value):
    assert value_of(source) == value


def test_half_a_character_is_left_out_and_counted():
    (found,) = find_objects(r'{"a": "x\ud83d", "b": "\ude00y"}').objects
    assert (found.values, found.half_characters) == ({"a": "x", "b": "y"}, 2)


def test_dots_in_a_list_are_a_text_of_dots():
    assert value_of("[1, ..., …]") == [1, "...", "…"]


def test_a_key_that_says_the_same_twice_is_read_once():
    assert values_in('{"a": 1, "a": 1}') == [{"a": 1}]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=9))
def test_strict_json_is_read_as_any_reader_reads_it(value):
    assert value_of(json.dumps(value)) == value


# -- what can't be read ------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        '{"a',
        '{"a"',
        '{"a": 1, "b"',
        '{"a":',
        '{"a": "b',
        "{'a': 'b",
        '{"a": tru',
        '{"a": 1',
        '{"a": [1',
        '{"a": 1, // and',
        '{"a": 1, # and',
        '{"a": 1, /* and',
        "{ // mine",
    ],
)
def test_an_object_that_stops_before_its_end_is_cut(reply):
    assert defect_in(reply) == "cut"


@pytest.mark.parametrize(
    "reply",
    [
        '{"a": "say "no" now"}',
        '{"a": 1 "b": 2}',
        '{"a": [1 2]}',
        '{"a": 1]',
        '{"a": 1, b: 2}',
        '{"a": 1, "b"; 2}',
        '{"a": ...}',
        '{"a": maybe}',
        '{"a": 007}',
        '{"a": 1e999}',
        f'{{"a": {"1" * (LONGEST_NUMBER + 1)}}}',
        '{"a": ?}',
    ],
)
def test_what_could_mean_two_things_is_a_fault(reply):
    assert defect_in(reply) == "fault"


def test_a_fault_is_told_with_what_stands_before_it():
    assert find_objects('{"a": 1 "b": 2}').defect == Defect("fault", '{"a": 1 ')


@pytest.mark.parametrize("second", ["2", "1.0", "true"])
def test_a_key_that_says_two_things_is_told(second):
    assert find_objects(f'{{"a": 1, "a": {second}}}').defect == Defect("twice", "a")


def test_a_key_may_hold_but_one_object():
    assert find_objects('{"a": 1, "a": {}}').defect == Defect("twice", "a")


@pytest.mark.parametrize("key", ["{ // mine\n b: 1}", "{ # mine\n 1}", '{ /* x */ "a" 1}'])
def test_braces_whose_comment_hides_no_key_are_no_object(key):
    assert find_objects(f'{key} {{"a": 1}}').defect is None


def nested(levels):
    return '{"a":' * levels + "1" + "}" * levels


def test_an_object_may_be_as_deep_as_the_limit():
    assert len(values_in(nested(DEEPEST))) == 1


def test_an_object_below_the_limit_is_too_deep():
    assert defect_in(nested(DEEPEST + 1)) == "deep"


def test_an_object_may_have_as_many_values_as_the_limit():
    assert len(value_of(f"[{'1,' * (MOST_VALUES - 1)}]")) == MOST_VALUES - 1


def test_an_object_with_more_values_is_too_large():
    assert defect_in(f'{{"a": [{"1," * MOST_VALUES}]}}') == "many"


def test_no_object_is_looked_for_behind_one_that_is_too_large():
    assert defect_in(f'{nested(DEEPEST + 1)} {{"a": 1}}') == "deep"


def test_an_object_behind_a_fault_is_found():
    content = find_objects('{"a": 1 2} {"a": 1}')
    assert ([each.values for each in content.objects], content.defect.kind) == ([{"a": 1}], "fault")


def test_of_two_faults_the_first_is_told():
    assert find_objects('{"a": 1 2} {"b": 1 2}').defect.near.endswith('{"a": 1 ')


def test_that_a_reply_is_cut_is_told_before_any_fault():
    assert defect_in('{"a": 1 2} {"b": ') == "cut"


def test_no_more_objects_are_read_than_the_limit():
    assert len(values_in('{"a": 1} ' * (MOST_BRACES + 1))) == MOST_BRACES
