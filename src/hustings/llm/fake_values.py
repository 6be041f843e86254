"""Made-up values for the schema of any form: meaningless texts, choices from those offered, quotes of what was said."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from hustings.text.quotes import is_quoted
from hustings.text.words import shortened


@dataclass(frozen=True)
class FakeValues:
    """Generates values. Choices and quotes come from the call; the rest is random."""

    rng: random.Random
    tag: str = ""
    """Appended to every made-up text, so that readers see where it came from."""
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    said: Sequence[tuple[str, str]] = ()
    """Speaker or exhibit name, and its words."""
    length: int = 14
    """Most words of a text inside a form."""
    draft: int = field(default=0, kw_only=True)
    """A later draft picks other options than the first."""
    answers: str = field(default="", kw_only=True)
    """Name of a speaker whom every made-up text answers."""
    document: str = field(default="", kw_only=True)
    """What a quote from the document is taken from."""

    def value(self, schema: Mapping[str, Any], place: int = 0, about: str = "") -> Any:
        """Generate a value. `place` is the position in a list; `about` the seat or item named beside the value."""
        if "anyOf" in schema:
            some = next(option for option in schema["anyOf"] if option["type"] != "null")
            nothing_to_choose = not self.choices.get(some.get("x-choice", ""), ["any"])
            return None if nothing_to_choose else self.value(some, place, about)
        if "enum" in schema:
            return self._in_turn(schema["enum"], place)
        if "const" in schema:
            return schema["const"]
        match schema.get("type"):
            case "object":
                return self._fields(schema["properties"], place, about)
            case "array":
                return self._list(schema, about)
            case "boolean":
                return self.rng.random() < 0.3
            case "integer":
                return self.rng.randint(*_bounds(schema, 10))
            case "number":
                low, high = _bounds(schema, 1)
                return min(max(round(self.rng.uniform(low, high), 2), low), high)
            case "string":
                return self._text(schema, place, about)
            case kind:
                raise NotImplementedError(f"cannot invent a {kind!r}: use texts, numbers, enums, lists and objects")

    def prose(self, words: int) -> str:
        """Meaningless sentences."""
        said: list[str] = []
        while len(said) < words:
            said += f"{self.rng.choice(WHO)} {self.rng.choice(DOES)} {self.rng.choice(WHY)}.".split()
        text = " ".join(said[: max(1, words - 1)]).rstrip(".")
        text = f"{self.answers}: {text}" if self.answers else text
        return f"{text} ({self.tag})" if self.tag and words > 1 else text

    def _fields(self, properties: Mapping[str, Mapping[str, Any]], place: int, about: str) -> dict[str, Any]:
        """Generate choices first, because a quote comes from the seat or item named beside it."""
        named = {name: self.value(field, place) for name, field in properties.items() if "x-choice" in field}
        about = next((named[n] for n, f in properties.items() if f.get("x-choice") in QUOTED), about)
        rest = {n: self.value(f, place, about) for n, f in properties.items() if n not in named}
        return {name: {**named, **rest}[name] for name in properties}

    def _list(self, schema: Mapping[str, Any], about: str) -> list[Any]:
        item, least, most = schema["items"], schema.get("minItems", 0), schema.get("maxItems")
        kinds = [f["x-choice"] for f in (item, *item.get("properties", {}).values()) if "x-choice" in f]
        each = [self.choices[kind] for kind in kinds if kind in ONE_BY_ONE and kind in self.choices]
        if each and "properties" in item:
            count = len(each[0][:most])
        elif all(self.choices.get(kind, ["any"]) for kind in kinds):
            count = self.rng.randint(least, least + 2 if most is None else min(most, least + 2))
            count = min(
                [count, *(len(self.choices[kind]) for kind in kinds if kind == "seat" and kind in self.choices)]
            )
        else:
            count = 0
        return [self.value(item, n, about) for n in range(count)]

    def _text(self, schema: Mapping[str, Any], place: int, about: str) -> str:
        if kind := schema.get("x-choice"):
            return self._choice(kind, place)
        if schema.get("x-quote") == "document":
            return self._quote([self.document], schema.get("maxLength", 200))
        if schema.get("x-quote") == "opposing":
            others = [words for by, words in self.said if by != about and by in self.choices.get("seat", ())]
            return self._quote(others, schema.get("maxLength", 200))
        if schema.get("x-quote"):
            said = [words for name, words in self.said if about in ("", name)] or [words for _, words in self.said]
            return self._quote(said, schema.get("maxLength", 200))
        text = self.prose(self._words())
        while len(text) < schema.get("minLength", 0):
            text += " " + self.prose(12)
        return text[: schema.get("maxLength")]

    def _words(self) -> int:
        """Length of a text inside a form."""
        return self.rng.randint(min(6, self.length), self.length)

    def _choice(self, kind: str, place: int) -> str:
        """Pick a choice. Successive places in a list get different choices."""
        offered = self.choices.get(kind) or ["nobody"]
        if kind == "own":
            return f"{offered[0]}-{place + 1}"
        return offered[place % len(offered)] if kind in ONE_BY_ONE else self._in_turn(offered, place)

    def _in_turn(self, options: Sequence[Any], place: int) -> Any:
        """Pick at random, but rotate through the options over the entries of a list."""
        if not self.tag:
            return self.rng.choice(options)
        start = random.Random(f"{self.tag} {options}{self.draft or ''}").randrange(len(options))
        return options[(start + place) % len(options)]

    def _quote(self, said: Sequence[str], most: int) -> str:
        """The beginning of the latest words."""
        return _beginning(said[-1], most) if said else "nobody has spoken yet"


@lru_cache(maxsize=256)
def _beginning(said: str, most: int) -> str:
    """Words with which a text begins and that may be quoted from it. Kept, because a form quotes a text many times."""
    short = shortened(said, 12).rstrip("…").strip()
    # Cut off there, the words may say something else than the sentence: then the whole of it is quoted.
    pieces = (piece[:most].strip() for piece in (short, FIRST_SENTENCE.split(said, 1)[0], said))
    return next((piece for piece in pieces if is_quoted(piece, [said])), short[:most].strip())


def _bounds(schema: Mapping[str, Any], span: int) -> tuple[Any, Any]:
    """Minimum and maximum; where the schema leaves them open, zero and `span` beyond."""
    low = schema.get("minimum", min(0, schema.get("maximum", 0)))
    return low, schema.get("maximum", max(low, 0) + span)


ONE_BY_ONE = ("claim", "question", "item")
"""Kinds of choices that are answered one by one, each in its own list entry."""
QUOTED = ("seat", "item", "claim", "argument")
"""Kinds of choices that can be quoted."""
NUMBERED = re.compile(r"(?m)^\[([A-Z]+-\d+)\] (.+)")
"""An argument as it is said: its id, and its claim."""
FIRST_SENTENCE = re.compile(r"(?<=[.!?])\s|\n")
WHO = (
    "A small team", "The team that pays", "The first version", "An honest estimate", "A careful reader",
    "The slower way", "Every exception", "What was measured last year",
)  # fmt: skip
DOES = (
    "gains more than it costs", "hides a second question", "holds only in calm weather", "carries the whole case",
    "asks for evidence", "is cheaper to undo than to argue about", "moves the risk elsewhere", "looks simple at first",
)  # fmt: skip
WHY = (
    "once the numbers are counted", "because people have to maintain it", "as long as there is time",
    "when the rules are written down first", "if the others are right", "before anything else is decided",
    "unless the question is put differently", "while the old way still works",
)  # fmt: skip
