"""Words are counted as a person counts them; where a script shows none, they are estimated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.text.words import called, count_words, shortened

TEXTS = st.text(max_size=80) | st.text(
    alphabet="ab1'’-._ \n*éहिन्दीกาที่ພາສາខ្មែរမြန်မာ私カなー々한국ا\u0301\u200d…", max_size=40
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("Nobody has paid yet.", 4),
        ("It's a well-known, twenty‑year-old trick", 5),
        ("**Bold** claims — (really) ...", 3),
        ("about 3.5 of 1,000 at 10:30", 5 + 1),
        ("end.Start", 2),
        ("# Title\n\n* one\n* two", 3),
        ("data_driven", 1),
        ("cafe\u0301 au lait", 3),
        ("हिन्दी भाषा", 2),
        ("لا أحد يدفع", 3),
        ("저는 동의합니다", 2),
        ("我同意。", 3),
        ("AI技术很好", 5),
        ("私は学校に行きます", 8),
        ("コーヒー", 2),
        ("ภาษาไทย", 2),
        ("ភាសាខ្មែរ", 2),
        ("🙂 👍🏽", 0),
    ],
)
def test_words_are_counted_as_a_person_counts_them(text: str, words: int) -> None:
    assert count_words(text) == words


def test_vowel_signs_and_tone_marks_are_no_letters() -> None:
    assert count_words("กกกก") == count_words("ก่ก่ก่ก่") == 1


@given(TEXTS, TEXTS)
def test_blanks_separate_so_counts_add_up(one: str, other: str) -> None:
    assert count_words(f"{one} {other}") == count_words(one) + count_words(other)


@given(TEXTS)
def test_only_a_text_without_letters_and_digits_has_no_words(text: str) -> None:
    assert (count_words(text) > 0) == any(sign.isalnum() for sign in text)


@given(TEXTS, TEXTS)
def test_a_longer_text_never_counts_less(text: str, more: str) -> None:
    assert count_words(text + more) >= count_words(text)


@given(TEXTS, st.integers(min_value=-2, max_value=12))
def test_a_shortened_text_keeps_to_its_allowance_and_uses_it_up(text: str, allowance: int) -> None:
    assert count_words(shortened(text, allowance)) == min(count_words(text), max(allowance, 0))


@given(TEXTS)
def test_a_text_within_its_allowance_is_left_alone(text: str) -> None:
    assert shortened(text, count_words(text)) == text


@pytest.mark.parametrize(
    ("text", "words", "short"),
    [
        ("We paid, and then (twice) again.", 2, "We paid…"),
        ("We paid, and then (twice) again.", 4, "We paid, and then…"),
        ("我同意这个观点。", 3, "我同意…"),
        ("ก่ก่ก่ก่กก", 1, "ก่ก่ก่ก่…"),
        ("We paid.", 0, "…"),
    ],
)
def test_the_ellipsis_follows_the_last_word(text: str, words: int, short: str) -> None:
    assert shortened(text, words) == short


@given(st.text(alphabet="ab1 '-_.,:\n", max_size=40))
def test_plain_letters_count_like_all_others(text: str) -> None:
    assert count_words(text) + 1 == count_words(f"{text} é")


@pytest.mark.parametrize(("name", "shown"), [("pro_2", "Pro 2"), ("con", "Con"), ("", "")])
def test_an_id_is_shown_as_a_name(name: str, shown: str) -> None:
    assert called(name) == shown
