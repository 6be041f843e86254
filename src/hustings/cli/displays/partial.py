"""An answer that is still coming, as words: of JSON that is not complete, what is there already.

More of an answer never changes what was read of the part before: it only adds to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hustings.core.words import count_words

KEPT = 12_000
"""Characters that are kept, at least; nobody reads further back while somebody speaks."""
LONGEST_HEAD = 200
"""Characters of a first line that may announce JSON."""
DEEPEST = 8
"""Levels that are indented; what lies deeper stands below them."""
LONGEST_BARE = 40
"""Characters of a number or of a word like `true`."""
BARE = {"true": "yes", "false": "no", "null": "none"}
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def readable(text: str) -> str:
    """Plain words as they are, JSON in lines as `core.forms.in_lines` would write it, as far as it has come."""
    along = Along()
    along.feed(text)
    return along.text


class Along:
    """Reads along, piece by piece. What lies far back is forgotten, but for how many words it had."""

    def __init__(self) -> None:
        self._head = ""
        """What came before it was clear whether these are plain words."""
        self._reader: _Reader | None = None
        self._plain = False
        self._parts: list[str] = []
        self._forgotten = 0

    def feed(self, piece: str) -> None:
        if self._reader:
            self._reader.read(piece)
        elif self._plain:
            self._parts.append(piece)
        else:
            self._decide(self._head + piece)

    def _decide(self, head: str) -> None:
        start = head.lstrip()
        fence, newline, inside = start.partition("\n")
        if fence.startswith("`"):
            if len(head) < LONGEST_HEAD and not (newline and inside.strip()):
                self._head = head
                return
            if fence.startswith("```") and inside.lstrip()[:1] in {"{", "["}:
                start = inside.lstrip()
        self._head = "" if start else head[:LONGEST_HEAD]
        if start[:1] in {"{", "["}:
            self._reader = _Reader(self._parts)
            self._reader.read(start)
        elif start:
            self._plain = True
            self._parts.append(start)

    @property
    def text(self) -> str:
        """The words so far, or the last of them."""
        whole = "".join(self._parts)
        if len(whole) > 2 * KEPT:
            last = len(whole) - KEPT
            cut = max(whole.rfind(" ", 0, last), whole.rfind("\n", 0, last)) + 1 or last
            self._forgotten += count_words(whole[:cut])
            whole = whole[cut:]
        self._parts[:] = [whole]
        return whole

    @property
    def count(self) -> int:
        shown = count_words(self.text)
        return self._forgotten + shown

    @property
    def whole(self) -> bool:
        """Whether a JSON answer has come to its end; of plain words nobody can tell."""
        return self._reader is not None and self._reader.over


@dataclass
class _Level:
    is_list: bool
    depth: int
    inline: bool
    """Whether what comes first stands on the line that is begun."""
    of_field: bool
    empty: bool = True


@dataclass
class _Reader:
    """One sign after the other; strings, words and brackets open and close, everything else is passed over."""

    words: list[str]
    levels: list[_Level] = field(default_factory=list[_Level])
    over: bool = False
    _in_string: bool = False
    _is_name: bool = False
    _escape: str = ""
    _high: str = ""
    _bare: str = ""
    _after_name: bool = False

    def read(self, text: str) -> None:
        for sign in text:
            if self.over:
                break
            if self._in_string:
                self._inside(sign)
            else:
                self._between(sign)

    # -- between strings -----------------------------------------------------------------

    def _between(self, sign: str) -> None:
        if sign in '{}[],:" \n\r\t':
            self._end_bare()
        match sign:
            case "{" | "[":
                self._open(is_list=sign == "[")
            case "}" | "]":
                self._close()
            case '"':
                self._in_string = True
                self._is_name = not self.levels[-1].is_list and not self._after_name
                self._begin_name() if self._is_name else self._begin_value()
            case ":":
                self._after_name = not self.levels[-1].is_list
            case ",":
                self._after_name = False
            case " " | "\n" | "\r" | "\t":
                pass
            case _:
                self._bare = (self._bare + sign)[:LONGEST_BARE]

    def _open(self, *, is_list: bool) -> None:
        if not self.levels:
            self.levels.append(_Level(is_list, 0, inline=True, of_field=True))
            return
        here = self.levels[-1]
        if here.is_list:
            self._begin_item()
        here.empty = False
        self.levels.append(_Level(is_list, here.depth + 1, inline=here.is_list, of_field=not here.is_list))
        self._after_name = False

    def _close(self) -> None:
        level = self.levels.pop()
        if level.empty and self.levels:
            self.words.append(" none" if level.of_field else "none")
        self._after_name = False
        self.over = not self.levels

    def _begin_name(self) -> None:
        self._new_line()

    def _begin_item(self) -> None:
        self._new_line()
        self.words.append("- ")

    def _begin_value(self) -> None:
        if self.levels[-1].is_list:
            self._begin_item()
        else:
            self.words.append(" ")

    def _new_line(self) -> None:
        level = self.levels[-1]
        if not (level.empty and level.inline):
            self.words.append("\n" + "  " * min(level.depth, DEEPEST))
        level.empty = False

    def _end_bare(self) -> None:
        if self._bare:
            self._begin_value()
            self.words.append(BARE.get(self._bare, self._bare))
        self._bare = ""

    # -- inside a string -----------------------------------------------------------------

    def _inside(self, sign: str) -> None:
        if self._escape:
            self._escape += sign
            self._unescape()
        elif sign == "\\":
            self._escape = sign
        elif sign == '"':
            self._say("")
            self._in_string = False
            if self._is_name:
                self.words.append(":")
        else:
            self._say(sign)

    def _unescape(self) -> None:
        kind, code = self._escape[1], self._escape[2:]
        if kind != "u":
            self._escape = ""
            self._say(ESCAPES.get(kind, kind))
        elif len(code) == 4:
            self._escape = ""
            try:
                self._say(chr(int(code, 16)))
            except ValueError:  # no such letter: it is shown as it came
                self._say(f"\\u{code}")

    def _say(self, sign: str) -> None:
        """A letter beyond the first 65,536 comes in two halves; the first waits for the second."""
        if self._high:
            joined = "\udc00" <= sign <= "\udfff"
            sign, self._high = self._high + sign, ""
            if joined:
                sign = sign.encode("utf-16", "surrogatepass").decode("utf-16")
        elif "\ud800" <= sign <= "\udbff":
            self._high = sign
            return
        self.words.append(sign.replace("_", " ") if self._is_name else sign)
