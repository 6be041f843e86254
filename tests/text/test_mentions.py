"""Names are found as whole words, each with the sentence it first stands in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.text.names import is_one_line, mentions

NAMES = {"Ada": "pro_1", "pro_1": "pro_1", "Ada Byron": "con_2", "Bo": "con_1", "J. Li": "con_3", "王明": "pro_2"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("Nobody spoke.", []),
        ("I agree. Ada's claim holds! So be it.", [("pro_1", "Ada's claim holds!")]),
        ("Bo is right. Ada is not. Bo again.", [("con_1", "Bo is right."), ("pro_1", "Ada is not.")]),
        ("As pro_1 said, and ADA repeated", [("pro_1", "As pro_1 said, and ADA repeated")]),
        ("Ask Ada Byron.", [("con_2", "Ask Ada Byron.")]),
        ("Adamant bobbing, pro_12, Bob, Ada2.", []),
        ("pro_1: yes\nBo: no", [("pro_1", "pro_1: yes"), ("con_1", "Bo: no")]),
        ('He said "ask Bo." Then he left.', [("con_1", 'He said "ask Bo."')]),
        ("It cost 3.5 to ask Bo. Why?", [("con_1", "It cost 3.5 to ask Bo.")]),
        ("Yes. Let J. Li speak. No.", [("con_3", "Let J. Li speak.")]),
        ("我不同意。王明的观点是错的！对吗？", [("pro_2", "王明的观点是错的！")]),
        ("我同意Ada的观点。", [("pro_1", "我同意Ada的观点。")]),
        ("Ada는 틀렸다.", [("pro_1", "Ada는 틀렸다.")]),
        ("_Ada_ and **Bo**", [("pro_1", "_Ada_ and **Bo**"), ("con_1", "_Ada_ and **Bo**")]),
        ("Ada\u0301 is somebody else", []),
        ("Ada Byrons are many.", [("pro_1", "Ada Byrons are many.")]),
        ("\u0131t says pro_1.", [("pro_1", "\u0131t says pro_1.")]),
    ],
)
def test_seats_are_found_with_the_sentence_that_names_them(text: str, found: list[tuple[str, str]]) -> None:
    assert mentions(text, NAMES) == found


def test_a_table_without_names_is_never_mentioned() -> None:
    assert mentions("Ada spoke.", {}) == mentions("Ada spoke.", {" ": "pro_1"}) == []


def test_a_name_that_is_nowhere_in_the_text_is_not_found() -> None:
    assert mentions("Ada spoke.", {"Bo": "con_1"}) == []


@given(st.lists(st.sampled_from([*NAMES, "and", "is", "right.", "No!", "\n", "王", "Adam"])).map(" ".join))
def test_a_seat_is_found_once_and_its_sentence_stands_in_the_text(text: str) -> None:
    found = mentions(text, NAMES)
    assert len({seat for seat, _ in found}) == len(found)
    assert all(sentence and sentence in text for _, sentence in found)


@given(st.text(max_size=60), st.text(max_size=8))
def test_any_text_and_any_name_can_be_searched(text: str, name: str) -> None:
    assert len(mentions(text, {name: "seat"})) <= 1


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("Ada Lovelace", True),
        ("李", True),
        ("a\nb", False),
        ("a\u2028b", False),
        ("a\x1b[2J", False),
        ("a\u202eb", False),
        ("a\u2067b", False),
        ("\ud800", False),
        ("می\u200cخواهم", True),
    ],
)
def test_a_name_fits_on_one_line_and_turns_nothing_round(name, fits):
    assert is_one_line(name) == fits
