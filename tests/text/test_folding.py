"""Tokens leave typography behind and keep what changes the sense."""

import pytest

from hustings.text import folding
from hustings.text.folding import DASHES, Folded, Text, decimal_mark


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("It rose by 3.5 percent.", "."),
        ("Es waren 3,5 Prozent.", ","),
        ("Es waren 3,5 und 3.5 Prozent.", ""),
        ("1.250", ""),
        ("the 1,250", "."),
    ],
)
def test_the_decimal_sign_of_a_text_is_told_by_its_figures(text: str, mark: str) -> None:
    assert decimal_mark(text) == mark


@pytest.mark.parametrize(
    ("text", "decimal", "words"),
    [
        ("1,250 1.250", ".", ["1250", "1.250"]),
        ("1,250 1.250", ",", ["1,250", "1250"]),
        ("1,250 1.250", "", ["1,250", "1.250"]),
        ("1,250,000 1.250.000", "", ["1250000", "1250000"]),
        ("0,250 1’000", ".", ["0,250", "1000"]),
        ("−5 −\u20095 -5 5-10", "", ["-5", "-5", "-5", "5", "-", "10"]),
        ("٤٢ ４２", "", ["42", "42"]),
        ("10⁻² x^-3 Wort² Meter² Meter⁷ end.⁷", "", ["10", "^-2", "x", "^-3", "wort", "meter", "^2", "meter", "end"]),
        ("5 per cent, 5 pour cent, pour cent euros, 5 por ciento", "", [*"5%5%", "pour", "cent", "euros", *"5%"]),
        ("cent ciento", "", ["cent", "ciento"]),
        ("Pro\u00adzent per\u00adcent", "", ["%", "%"]),
        (
            "l’été n'*est* L'**or** d'e\u0302tre don`t",
            "",
            ["l'", "été", "n'", "est", "l'", "or", "d'", "être", "don't"],
        ),
        ("un\u200bsafe **un**safe \u00adx", "", ["unsafe", "unsafe", "x"]),
        ("ex-\nam\u00ad\r\nple", "", ["example"]),
        ("≦ ＜ ∼ =====", "", ["≤", "<", "~"]),
        ("[see](https://a/b) [text](#c)", "", ["see", "text"]),
        ("हिन्दी ไทย", "", ["हिन्दी", "ไ", "ท", "ย"]),
    ],
)
def test_tokens_keep_what_changes_the_sense(text: str, decimal: str, words: list[str]) -> None:
    assert Folded(text, decimal).words == words


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("0,1234", ","),
        ("0.1234", "."),
        ("1.250,5", ","),
        ("1,250.5", "."),
        ("1,250,5", ""),
        ("12,345", ""),
        ("12.345", ""),
        ("3.5.2026", ""),
        ("3,5,7", ""),
        ("3,55 3.5 3.5", "."),
        ("the 3,5", ""),
        ("of 1,250", "."),
        ("and 1,250", "."),
        ("with 1,250", "."),
        ("weather 1,250", ""),
        ("", ""),
    ],
)
def test_a_figure_of_groups_alone_tells_no_decimal_sign(text: str, mark: str) -> None:
    assert decimal_mark(text) == mark


@pytest.mark.parametrize(
    ("text", "decimal", "word"),
    [
        ("1,250.75", ".", "1250.75"),
        ("1.250,75", ",", "1250,75"),
        ("1,250,000.5", "", "1250000.5"),
        ("1.250.000,5", "", "1250000,5"),
        ("0,250,000", "", "0,250,000"),
        ("1,25", ".", "1,25"),
        ("1,2505", ".", "1,2505"),
        ("1234,250", ".", "1234,250"),
        ("1.25", ",", "1.25"),
        ("1\u202f000\u202f000", "", "1000000"),
        ("1\u2009000,5", "", "1000,5"),
        ("1\u00a0000.5", "", "1000.5"),
        ("1’000’000", "", "1000000"),
        ("1'000", "", "1000"),
        ("1'00", "", "1'00"),
        ("12:30", "", "12:30"),
        ("1/2", "", "1/2"),
        ("−1\u202f000", "", "-1000"),
        ("-1,250", ".", "-1250"),
        ("− 5", "", "-5"),
        ("٣,٥", "", "3,5"),
    ],
)
def test_a_figure_is_one_token(text: str, decimal: str, word: str) -> None:
    assert Folded(text, decimal).words == [word]


@pytest.mark.parametrize("dash", DASHES)
def test_every_dash_before_a_figure_is_its_sign(dash: str) -> None:
    assert Folded(f"{dash}5").words == ["-5"]
    assert Folded(f"4{dash}5").words == ["4", "-", "5"]
    assert Folded(f"word{dash}5").words == ["word", "-", "5"]
    assert Folded(f"word {dash} word").words == ["word", "word"]


def test_a_dash_of_another_kind_is_no_sign() -> None:
    assert Folded("4X5 X5").words == ["4", "x5", "x5"]


@pytest.mark.parametrize(
    ("sign", "word"),
    [
        *zip("－≦≧∼＋＜＞＝", "-≤≥~+<>=", strict=True),
        *((sign, sign) for sign in "+<>≤≥=≠±×÷~≈≪≫¬∞√°‰$€£¥"),
    ],
)
def test_a_sign_that_changes_a_statement_is_a_token(sign: str, word: str) -> None:
    assert Folded(f"a {sign} b").words == ["a", word, "b"]


@pytest.mark.parametrize("letter", "!?,.;:()[]{}*_#|\"'“”„«»—&@…•§")
def test_typography_is_no_token(letter: str) -> None:
    assert Folded(f"a {letter} b").words == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10¹²³⁰⁴⁵⁶⁷⁸⁹", ["10", "^1230456789"]),
        ("x² y³ ⁻¹", ["x", "^2", "y", "^3", "^-1"]),
        ("10^6 10^-6 10^−6", ["10", "^6", "10", "^-6", "10", "^-6"]),
        ("word² meter³ Meter¹ miles²", ["word", "meter", "^3", "meter", "miles", "^2"]),
        ("été² mètres²", ["été", "^2", "mètres", "^2"]),
        ("abc² abcd²", ["abc", "^2", "abcd"]),
        ("done.² (so)³ so,¹ so”¹", ["done", "so", "so", "so"]),
    ],
)
def test_a_raised_figure_is_a_power_or_a_reference(text: str, words: list[str]) -> None:
    assert Folded(text).words == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("so [12] it", ["so", "it"]),
        ("so [1, 2] it", ["so", "it"]),
        ("so [1–3]. it", ["so", "it"]),
        ("so [1-3], it", ["so", "it"]),
        ("so [1234] it", ["so", "1234", "it"]),
        ("so [12]it", ["so", "12", "it"]),
        ("> so\n>> it\n > is", ["so", "it", "is"]),
        ("a > b", ["a", ">", "b"]),
        ("so <b>it</b> <em>is</em><br/> <br />", ["so", "it", "is"]),
        ("so <strong>it</strong> <u>is</u> <i>x</i>", ["so", "it", "is", "x"]),
        ("so <x> it", ["so", "<", "x", ">", "it"]),
        ("so === --- +++ ~~~ it", ["so", "it"]),
        ("so == it", ["so", "=", "=", "it"]),
        ("[it](http://a.b/c) [is](/d) [so](./e)", ["it", "is", "so"]),
        ("[it](x)", ["it", "x"]),
    ],
)
def test_notes_marks_and_addresses_of_links_are_dropped(text: str, words: list[str]) -> None:
    assert Folded(text).words == words


@pytest.mark.parametrize(
    "soft", ["\u00ad", "\u200b", "\u200d", "\u200f", "\u202a", "\u202e", "\u2060", "\u2069", "\ufeff"]
)
def test_what_cannot_be_seen_parts_no_word(soft: str) -> None:
    assert Folded(f"un{soft}safe").words == ["unsafe"]


@pytest.mark.parametrize("mark", "'’ʼ´`")
def test_every_apostrophe_is_the_same(mark: str) -> None:
    assert Folded(f"don{mark}t l{mark}an").words[0] == "don't"
    assert Folded(f"qu{mark}il").words == (["qu'", "il"])


@pytest.mark.parametrize(
    "start",
    ["c", "d", "j", "l", "m", "n", "s", "t", "qu", "lorsqu", "puisqu", "jusqu", "quoiqu", "presqu", "quelqu", "N"],
)
def test_french_words_that_lost_their_vowel_stand_alone(start: str) -> None:
    assert Folded(f"{start}’avait").words == [f"{start.lower()}'", "avait"]


def test_other_words_with_an_apostrophe_are_one() -> None:
    assert Folded("aujourd’hui o’clock").words == ["aujourd'hui", "o'clock"]


@pytest.mark.parametrize("end", ["-\n", "- \t\n  ", "‐\r\n", "\u00ad\n", "\ufffe", "\u0002 ", "\ufffe\n"])
def test_a_word_that_a_line_parts_is_whole(end: str) -> None:
    assert Folded(f"exam{end}ple").words == ["example"]
    assert Folded(f"exam{end}5").words != ["exam5"]


@pytest.mark.parametrize(
    "text", ["ไทย", "ລາວ", "မြန်", "ខ្មែ", "々〇", "かな", "カナ", "ㇰㇱ", "中文", "豈更", "ｶﾅ", "𠀀𠀁"]
)
def test_writing_without_spaces_is_read_letter_by_letter(text: str) -> None:
    assert len(Folded(text)) > 1


@pytest.mark.parametrize(
    "text", ["हिन्दी", "עִבְרִית", "русский", "ελληνικά", "한국어", "e\u0301te\u0301", "e\u0300te\u0300", "x9y"]
)
def test_a_word_of_letters_and_marks_is_one(text: str) -> None:
    assert len(Folded(text)) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5 %", ["5", "%"]),
        ("5％", ["5", "%"]),
        ("Percent PROZENT", ["%", "%"]),
        ("per cent", ["%"]),
        ("5 pour cent", ["5", "%"]),
        ("x pour cent", ["x", "pour", "cent"]),
        ("5 por ciento", ["5", "%"]),
        ("5 por cent", ["5", "por", "cent"]),
        ("5 per ciento", ["5", "per", "ciento"]),
        ("per 5 cent", ["per", "5", "cent"]),
        ("pour cent", ["pour", "cent"]),
    ],
)
def test_percent_is_a_sign_or_words(text: str, words: list[str]) -> None:
    assert Folded(text).words == words


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "The  5 per cent\nL’été, 中文 x² 4–5 ５％.",
            ["The", "5", "per cent", "L’", "été", "中", "文", "x", "²", "4", "–", "5", "５", "％"],
        ),
        ("in 1\u202f000 ex-\nample don`t", ["in", "1\u202f000", "ex-\nample", "don`t"]),
    ],
)
def test_every_token_knows_where_it_stands(text: str, parts: list[str]) -> None:
    read = Folded(text)
    assert [text[start:end] for start, end in zip(read.starts, read.ends, strict=True)] == parts


def test_what_was_written_is_told_in_one_line() -> None:
    read = Folded("“One,\n two – three!”")
    assert [read.raw(0, 3), read.raw(1, 2), read.raw(1, 1), read.raw(2, 1)] == ["One, two – three", "two", "", ""]
    assert [read.gap(n) for n in range(4)] == ["“", ",\n ", " – ", "!”"]


def test_a_part_keeps_its_place_and_its_decimal_sign() -> None:
    part = Folded("one 1,5 two three", ",").part(1, 3)
    assert (part.words, part.raw(0, 2), part.gap(1), part.decimal, len(part)) == (
        ["1,5", "two"],
        "1,5 two",
        " ",
        ",",
        2,
    )


def test_words_are_found_at_every_place_even_where_they_overlap() -> None:
    read = Text("a b a b a")
    assert list(read.places(["a", "b", "a"])) == [0, 2]
    assert list(read.places(["b"])) == [1, 3]
    assert list(read.places(["a", "c"])) == []
    assert (read.coded, read.code(["b", "a", "c"])) == ("\0\1\0\1\0", "\1\0\U0010ffff")


@pytest.mark.parametrize(
    ("text", "words"),
    [("É È Ａ", ["é", "è", "a"]), ("中X", ["中", "x"]), ("Xé", ["xé"]), ("⁻X", ["x"]), ("5 X", ["5", "x"])],
)
def test_a_letter_is_a_letter_wherever_it_stands(text: str, words: list[str]) -> None:
    assert Folded(text).words == words


def test_without_a_word_about_it_no_sign_sets_decimals_apart() -> None:
    assert Folded("one").decimal == ""


def test_a_word_that_a_text_does_not_have_is_like_none_of_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "UNKNOWN", 3)
    read = Text("pumps and valves need new seals today")
    assert read.code(["elsewhere"]) not in read.coded


def test_the_end_of_a_page_is_the_end_of_a_line() -> None:
    assert Text("one\ftwo").text == "one\ntwo"
