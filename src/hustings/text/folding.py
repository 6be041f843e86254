"""Text as the quote checker reads it: whole words, figures and signs, without typography.

What a printer, a converter or a keyboard changes is folded away. What changes the meaning is kept: every word, every
figure with its sign and decimals, powers, comparisons, currencies.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

from .turning_words import LENGTHS


class Folded:
    """The tokens of a text, and where each stands in it."""

    def __init__(self, text: str, decimal: str = "") -> None:
        self.text = text
        self.decimal = decimal
        self.words: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        for word, start, end in _tokens(text, decimal):
            if word in HUNDREDS and self.words and _is_percent(self.words[-2:], word):
                self.words[-1], self.ends[-1] = "%", end
                continue
            self.words.append(word)
            self.starts.append(start)
            self.ends.append(end)

    def __len__(self) -> int:
        return len(self.words)

    def raw(self, first: int, last: int) -> str:
        """The text from one token up to another, as it was written, in one line."""
        return " ".join(self.text[self.starts[first] : self.ends[last - 1]].split()) if first < last else ""

    def part(self, first: int, last: int) -> Folded:
        """Some of the tokens, without folding anew."""
        some = Folded("", self.decimal)
        some.text = self.text
        some.words, some.starts, some.ends = self.words[first:last], self.starts[first:last], self.ends[first:last]
        return some

    def gap(self, n: int) -> str:
        """What stands between a token and the one before it."""
        return self.text[self.ends[n - 1] if n else 0 : self.starts[n] if n < len(self) else len(self.text)]


class Text(Folded):
    """A source made ready for checking: folded once, kept as long as the source is in use."""

    def __init__(self, text: str) -> None:
        text = text.replace("\f", "\n")  # a page ends as a line does
        super().__init__(text, decimal_mark(text))
        numbers = count()
        self._codes: dict[str, str] = {}
        for word in self.words:
            if word not in self._codes:
                # With more words than there are characters the last ones share a code: `places` compares the words.
                self._codes[word] = chr(min(next(numbers), UNKNOWN - 1))
        self.coded = "".join(map(self._codes.__getitem__, self.words))
        self.counts = Counter(self.words)

    def code(self, words: Sequence[str]) -> str:
        """One character for each word, so that words are searched for as fast as letters."""
        return "".join(self._codes.get(word, chr(UNKNOWN)) for word in words)

    def places(self, words: Sequence[str]) -> Iterator[int]:
        """Where these very words stand, in tokens."""
        sought = self.code(words)
        place = self.coded.find(sought)
        while place >= 0:
            if len(self._codes) < UNKNOWN or self.words[place : place + len(words)] == words:
                yield place
            place = self.coded.find(sought, place + 1)


def decimal_mark(text: str) -> str:
    """The sign that sets decimals apart in a text, judged by its figures and words; empty if they do not tell.

    It decides whether 1,250 may be written 1250: in German that is one and a quarter.
    """
    points = len(POINT_DECIMAL.findall(text)) + bool(ENGLISH.search(text))
    commas = len(COMMA_DECIMAL.findall(text))
    return "" if points == commas else "." if points > commas else ","


def _is_percent(before: list[str], word: str) -> bool:
    """Whether words end in "per cent". Without a figure the French and Spanish ones may mean "for a hundred"."""
    return (before[-1], word) == ("per", "cent") or (before[-1] == HUNDREDS[word] and before[0][-1].isdigit())


def _tokens(text: str, decimal: str) -> Iterator[tuple[str, int, int]]:
    before = ""
    for match in TOKEN.finditer(text):
        kind, written, start, end = match.lastgroup, match.group(), match.start(), match.end()
        if kind == "word":
            if written.isascii() and written.isalnum():  # most words, and many times faster
                before = written.lower()
                yield "%" if before in PERCENT else before, start, end
            elif HAN[0] <= written <= HAN[1] and len(written) == 1:
                yield written, start, end
            else:
                for before, first, last in _word(written):
                    yield before, start + first, start + last
        elif kind == "number":
            yield written if written.isascii() and written.isdigit() else _figure(written, decimal), start, end
        elif kind == "sign":
            yield SIGNS.get(written, written), start, end
        elif kind == "power" or (kind == "mark" and written in {"²", "³"} and before in LENGTHS):
            yield _power(written), start, end
        elif kind == "percent":
            yield "%", start, end


def _word(written: str) -> Iterator[tuple[str, int, int]]:
    """A word; French ones that lost their vowel stand alone, so that "n'approuve" has its negation."""
    elided = ELIDED.match(written)
    cut = elided.end() if elided else 0
    for first, last in ((0, cut), (cut, len(written))):
        plain = LINE_BREAK.sub("", written[first:last]).translate(INVISIBLE)
        plain = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", plain).casefold())
        if plain:
            yield "%" if plain in PERCENT else plain, first, last


def _figure(written: str, decimal: str) -> str:
    """Thousands may be set apart or not; anything else is another figure."""
    sign = "-" if written[0] in DASHES else ""
    plain = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in written.lstrip(DASHES).lstrip())
    if SPACED.fullmatch(plain):
        plain = re.sub(r"[\u202f\u2009\u00a0’']", "", plain)
    if COMMA_GROUPS.fullmatch(plain) and (decimal == "." or plain.count(",") > 1):
        plain = plain.replace(",", "")
    elif POINT_GROUPS.fullmatch(plain) and (decimal == "," or plain.count(".") > 1):
        plain = plain.replace(".", "")
    return sign + plain


def _power(written: str) -> str:
    minus = "-" if "⁻" in written or "-" in written or "−" in written else ""
    return f"^{minus}" + "".join(str(unicodedata.digit(sign)) for sign in written if sign.isdigit())


UNKNOWN = 0x10FFFF
"""The code of a word that the source does not have."""

DASHES = "-‐‑‒–−"
SIGNS = dict.fromkeys(DASHES + "－", "-") | {"≦": "≤", "≧": "≥", "∼": "~", "＋": "+", "＜": "<", "＞": ">", "＝": "="}
HAN = "\u3400\u9fff"
PERCENT = frozenset({"percent", "prozent"})
HUNDREDS = {"cent": "pour", "ciento": "por"}
_SOFT = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
INVISIBLE = {
    **dict.fromkeys(map(ord, re.findall(f"[{_SOFT}*]", "".join(map(chr, range(0x10000)))))),
    **dict.fromkeys(map(ord, "’ʼ´`"), "'"),
}
_HYPHEN = "[-‐\u00ad\ufffe\u0002]"
LINE_BREAK = re.compile(rf"{_HYPHEN}[ \t]*\r?\n\s*|[\ufffe\u0002]\s*")
SPACED = re.compile(r"\d{1,3}(?:[\u202f\u2009\u00a0’']\d{3})+(?:[.,]\d+)?")
COMMA_GROUPS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
POINT_GROUPS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
COMMA_DECIMAL = re.compile(r"(?<![\d,.])\d+(?:\.\d{3})*,\d{1,2}(?![\d,])|(?<![\d,.])0,\d")
POINT_DECIMAL = re.compile(r"(?<![\d,.])\d+(?:,\d{3})*\.\d{1,2}(?![\d.])|(?<![\d,.])0\.\d")
ENGLISH = re.compile(r"\b(?:the|of|and|with)\b")

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff"
)
_MARKS = "".join(chr(n) for n in range(0x300, 0x3100) if unicodedata.category(chr(n)).startswith("M"))
_RAISED = "¹²³⁰⁴⁵⁶⁷⁸⁹"
_LETTER = rf"[^\W\d_{_RAISED}{_UNSPACED}]"
ELIDED = re.compile(r"(?:[cdjlmnst]|qu|lorsqu|puisqu|jusqu|quoiqu|presqu|quelqu)['’ʼ´`](?=[*\w])", re.IGNORECASE)

TOKEN = re.compile(
    rf"""
      (?P<percent>[%％])
    | (?P<word>{_LETTER}
        (?:{_LETTER}|\d|{_HYPHEN}[ \t]*\r?\n\s*(?={_LETTER})|[\ufffe\u0002]\s*(?={_LETTER})
          |[{_MARKS}{_SOFT}]|(?:['’ʼ]|(?<!['’])[´`])(?={_LETTER})|(?<=\b[cdjlmnstCDJLMNST])['’](?=[*_`<])|\*\*(?={_LETTER}))*
        |[{_UNSPACED}][{_MARKS}]*)
    | (?P<number>(?:(?<![\w)\]%])[{DASHES}](?=\d)|−\s(?=\d))?
        \d+(?:[.,:/’']\d+|[\u202f\u2009\u00a0]\d{{3}}(?!\d))*)
    | (?P<drop>\[\d{{1,3}}(?:\s*[,–-]\s*\d{{1,3}})*\](?=[\s.,;:)]|$)|(?<=[.,;:)”"])[{_RAISED}]+
        |^[ \t]*(?:>[ \t]?)+|[=<>+~-]{{3,}}|</?(?:b|i|em|strong|u|br)\s?/?>|\]\((?:https?:|[/\#.])[^()\s]*\))
    | (?P<mark>(?<=[^\W\d]{{4}})[{_RAISED}]+)
    | (?P<power>⁻?[{_RAISED}]+|\^[-−]?\d+)
    | (?P<sign>[{DASHES}](?=\d)|(?<=\d)[{DASHES}](?=\S)|[+<>≤≥≦≧=≠±×÷~∼≈≪≫¬∞√°‰$€£¥＋－＜＞＝])
    """,
    re.VERBOSE | re.MULTILINE,
)
