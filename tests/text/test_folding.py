"""Tokens leave typography behind and keep what changes the sense."""

import pytest

from hustings.text.folding import Folded, decimal_mark


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
