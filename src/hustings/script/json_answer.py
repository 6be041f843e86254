"""Takes the JSON object of an answer out of whatever stands around it, and reads it as it stands: no value is guessed.

Models put prose, code blocks, thinking and the marks of their chat template around an object, and write JSON that is
nearly right: trailing commas, comments, raw line breaks, Python's literals. All this has one meaning, so it is read.
What could mean two things (a quotation mark inside a text, a missing bracket) is a fault. Everything runs in linear
time and without recursion, since an answer may be 400,000 characters of anything.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from math import isinf
from typing import Any, Literal, cast

from .reply_marks import last_end_of_thinking, without_thinking

DEEPEST = 32
"""Levels of nesting; forms have five at most."""
MOST_BRACES = 40
"""Braces with a key behind them that are looked at; what a reply with more of them means, nobody can tell."""
MOST_VALUES = 3_000
"""Of one object; a filled form has a few hundred."""
LONGEST_NUMBER = 300
"""Characters."""


@dataclass(frozen=True)
class FoundObject:
    """One whole object of a reply."""

    values: dict[str, Any]
    last: bool
    """Nothing but marks stands after it."""
    half_characters: int = 0
    """Halves of surrogate pairs that were left out of its texts."""


@dataclass(frozen=True)
class Defect:
    """Why an object that begins in a reply can't be read."""

    kind: Literal["cut", "fault", "deep", "many", "twice"]
    near: str = ""
    """What stands before the fault, or the key that stands twice."""


@dataclass(frozen=True)
class ReplyContent:
    """What a reply holds: whole objects, and what is wrong with the first that is not whole."""

    objects: tuple[FoundObject, ...] = ()
    defect: Defect | None = None


def find_objects(reply: str) -> ReplyContent:
    """Find every JSON object that stands in a reply by itself, outside of the model's thinking."""
    text = without_thinking(reply)
    if text is None:
        return ReplyContent(defect=Defect("cut"))
    # Servers that cut off the start of a reply leave the end of the thinking alone. A text inside of an answer may
    # quote such a tag, so it counts only if one whole object follows it and ends the reply.
    if not text.startswith(_STARTS) and (tag := last_end_of_thinking(text)):
        final = _scan(text[tag:])
        if len(final.objects) == 1 and final.objects[0].last and final.defect is None:
            return final
    return _scan(_quoted_object(text) or text)


def _quoted_object(text: str) -> str:
    """The object inside of a reply that is one JSON text; empty if there is no such object."""
    text = text.strip()
    if not (text.startswith('"') and text.endswith('"')):
        return ""
    try:
        inner = _DECODER.decode(text)
    except ValueError:
        return ""
    return str(inner) if str(inner).lstrip().startswith("{") else ""


# -- objects -------------------------------------------------------------------------------

_STARTS = ("{", "[", '"', "```", "~~~")
_AFTER = re.compile(r"[\s\ufeff\u200b-\u200d\u2060`~\]]*+(?:<[^<>]{1,40}>[\s`~]*+)*+\Z")
"""Closing fences and tags, end tokens, the bracket of a list of one."""
_DECODER = json.JSONDecoder(strict=False)
_DOUBLE = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_SINGLE = r"'[^'\\]*+(?:\\.[^'\\]*+)*+'"
_BEGINS = re.compile(rf"\{{(?=\s*+(?:(?:{_DOUBLE}|{_SINGLE})\s*+:|//|/\*|#))", re.DOTALL)
_BEGINS_LAST = re.compile(r"\{\s*+\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\\?(?:\"\s*+)?\Z", re.DOTALL)
"""An object that is cut within its first key. Like `_BEGINS` it is linear: a search from one brace ends at the next
quotation mark, before the next brace that could begin an object."""


def _scan(text: str) -> ReplyContent:
    objects: list[FoundObject] = []
    defect: Defect | None = None
    at = 0
    for _ in range(MOST_BRACES):
        begins = _BEGINS.search(text, at)
        if begins is None:
            break
        reading = _Reading(text, begins.start())
        try:
            objects.append(reading.read())
        except _Unreadable as error:
            if defect is None or (error.defect and error.defect.kind == "cut"):
                defect = error.defect or defect
            if defect and defect.kind in {"deep", "many"}:
                break
        at = reading.at
    if not objects and defect is None:
        if _BEGINS_LAST.search(text):
            defect = Defect("cut")
        elif _EMPTY.match(text):
            objects.append(FoundObject({}, last=True))
    return ReplyContent(tuple(objects), defect)


_EMPTY = re.compile(r"(?:[`~]{3}\w{0,20}\s)?\s*+\{\s*+\}\s*+[`~]{0,3}\s*+\Z")
_BLANK = re.compile(r"[\s\ufeff\u200b]*+")
_TEXT: dict[str, re.Pattern[str]] = {'"': re.compile(_DOUBLE, re.DOTALL), "'": re.compile(_SINGLE, re.DOTALL)}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_OCTAL = re.compile(r"[+-]?0\d")
_WORD = re.compile(r"[A-Za-z]+|\.\.\.+|…+")
_LITERALS: dict[str, object] = {
    **dict.fromkeys(("true", "True"), True),
    **dict.fromkeys(("false", "False"), False),
    **dict.fromkeys(("null", "None", "NaN", "nan", "undefined"), None),
}
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|U(00[01][0-9a-fA-F]{5})|(.))",
    re.DOTALL,
)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}
_SIGNS = frozenset("{}[]\"',")
"""The signs of JSON that are neither space nor comment."""
_HALVES = re.compile("[\ud800-\udfff]")


class _Unreadable(Exception):
    def __init__(self, defect: Defect | None) -> None:
        self.defect = defect


class _Reading:
    """Reads one object, from its brace on. Where it stops, `at` is the place."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at: int = at
        self.half_characters = self.values = 0

    def read(self) -> FoundObject:
        outermost: dict[str, Any] = {}
        open_containers: list[dict[str, Any] | list[Any]] = [outermost]
        self.at += 1
        while open_containers:
            container, key = open_containers[-1], ""
            sign = self._next_sign()
            if sign == ("}" if isinstance(container, dict) else "]"):
                self.at += 1
                open_containers.pop()
                if open_containers:
                    self._go_past_comma(open_containers[-1])
                continue
            if isinstance(container, dict):
                key = self._key(sign, first=container is outermost and not container)
                sign = self._next_sign()
            value = self._value(sign, within_list=isinstance(container, list))
            if isinstance(container, list):
                container.append(value)
            else:
                _enter(container, key, value)
            if not isinstance(value, dict | list):
                self._go_past_comma(container)
            elif len(open_containers) == DEEPEST:
                raise _Unreadable(Defect("deep"))
            else:
                open_containers.append(cast("Any", value))
        return FoundObject(outermost, _AFTER.match(self.text, self.at) is not None, self.half_characters)

    def _value(self, sign: str, *, within_list: bool) -> object:
        self.values += 1
        if self.values > MOST_VALUES:
            raise _Unreadable(Defect("many"))
        if sign in _TEXT:
            return self._string(sign)
        if sign in "{[":
            self.at += 1
            return {} if sign == "{" else []
        return self._number_or_literal(within_list=within_list)

    def _next_sign(self) -> str:
        """Go to the next sign that is neither space nor comment."""
        text = self.text
        while True:
            sign = text[self.at : self.at + 1]
            if sign in _SIGNS:
                return sign
            if not sign:
                raise _Unreadable(Defect("cut"))
            if sign.isspace() or sign in "\ufeff\u200b":
                self._go_past_blanks()
            elif sign == "#" or text.startswith("//", self.at):
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
            elif text.startswith("/*", self.at):
                end = text.find("*/", self.at + 2)
                self.at = len(text) if end < 0 else end + 2
            else:
                return sign

    def _go_past_blanks(self) -> None:
        blanks = _BLANK.match(self.text, self.at)
        self.at = blanks.end() if blanks else self.at

    def _go_past_comma(self, container: object) -> None:
        sign = self._next_sign()
        if sign == ",":
            self.at += 1
        elif sign != ("}" if isinstance(container, dict) else "]"):
            raise self._fault()

    def _key(self, sign: str, *, first: bool) -> str:
        if sign not in _TEXT:
            raise _Unreadable(None) if first else self._fault()
        key = self._string(sign)
        self._go_past_blanks()
        if not self.text.startswith(":", self.at):
            cut = self.at == len(self.text)
            raise _Unreadable(Defect("cut")) if cut else _Unreadable(None) if first else self._fault()
        self.at += 1
        return key

    def _string(self, sign: str) -> str:
        match = _TEXT[sign].match(self.text, self.at)
        if match is None:
            raise _Unreadable(Defect("cut"))
        self.at = match.end()
        words = match[0][1:-1]
        if "\\" in words:
            words = _unescape(words, sign)
        if not words.isascii():
            words, halves = _HALVES.subn("", words)
            self.half_characters += halves
        return words

    def _number_or_literal(self, *, within_list: bool) -> object:
        """A number or a literal as it stands. Dots in a list, left from an example, are a text of dots."""
        if number := _NUMBER.match(self.text, self.at):
            digits = number[0]
            if len(digits) > LONGEST_NUMBER or _OCTAL.match(digits):
                raise self._fault()
            value = int(digits) if digits.lstrip("+-").isdigit() else float(digits)
            if isinf(value):
                raise self._fault()
            self.at = number.end()
            return value
        word = _WORD.match(self.text, self.at)
        if word is not None and word[0] in _LITERALS:
            self.at = word.end()
            return _LITERALS[word[0]]
        if word is not None and within_list and word[0][0] in ".…":
            self.at = word.end()
            return word[0]
        raise _Unreadable(Defect("cut")) if word is not None and word.end() == len(self.text) else self._fault()

    def _fault(self) -> _Unreadable:
        return _Unreadable(Defect("fault", self.text[max(0, self.at - 30) : self.at]))


def _enter(values: dict[str, Any], key: str, value: object) -> None:
    """A key that stands twice is taken only if it says the same twice."""
    if key in values and (isinstance(value, dict | list) or repr(values[key]) != repr(value)):
        raise _Unreadable(Defect("twice", key))
    values[key] = value


def _unescape(words: str, sign: str) -> str:
    if sign == '"':
        try:
            return str(_DECODER.decode(f'"{words}"'))
        except ValueError:
            pass  # an escape that JSON has not: what it stands for is read below, or it stays as it is
    return _ESCAPE.sub(_unescaped, words)


def _unescaped(escape: re.Match[str]) -> str:
    high, low, four, two, eight, sign = escape.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
    code = four or two or eight
    if code:
        return chr(int(code, 16)) if int(code, 16) < 0x110000 else escape[0]
    return _ESCAPED.get(sign, escape[0])
