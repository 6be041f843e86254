"""Text that could steer a page or a terminal is shown, and JSON keeps its values."""

import json

import pytest

from hustings.text.figures import as_json, escaped, on_one_line, visible

STEERING = ["\x1b", "\u202e", "\u2028", "\ufeff", "\x00", "\u200b", "\u00ad", "\u2060", "\ue000", "\U000f0000"]


@pytest.mark.parametrize("sign", STEERING)
def test_a_control_character_is_shown_by_its_number(sign):
    assert visible(f"a{sign}b") == f"a\\u{{{ord(sign):x}}}b"


def test_line_breaks_and_tabs_stay():
    assert visible("a\n\tb") == "a\n\tb"


def test_joiners_that_scripts_and_emoji_need_stay():
    assert visible(text := "می\u200cخواهم \U0001f468\u200d\U0001f469") == text


def test_on_one_line_every_gap_is_one_blank():
    assert on_one_line(" a\n\n b\tc\x1b ") == "a b c\\u{1b}"


@pytest.mark.parametrize("sign", STEERING)
def test_json_holds_no_control_character_and_parses_back_to_the_same_value(sign):
    value = {"said": f"ä{sign}"}
    written = as_json(value, indent=1)
    assert sign not in written
    assert json.loads(written) == value


def test_text_without_control_characters_is_left_as_it_is():
    assert escaped('"äöü"') == '"äöü"'
