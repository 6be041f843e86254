"""Holds a very small model to short answers that can be right: what is in the prompt's words goes into the grammar too.

A model of 135 million weights writes no id and no quotation down correctly. So choices become
enumerations, quotations the beginnings of real turns, lists as long as they must be. The engine
knows nothing of it, and checks the answers as strictly as ever.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hustings.llm.model import LlmRequest, LlmResponse, Model, OnText
from hustings.script.prompt import Prompt
from tests.rig.provider_answers import EMPTY, OFFER, OWN

LONGEST = 32
"""Characters of a text on a form, of letters alone: in escapes such a model never comes to an end."""
QUOTED = 5
"""Words of a quotation."""
FENCED = re.compile(r"<<(\w+) ([^>:]+): ([^>]*)>>\n(.*?)\n<<end \1>>", re.DOTALL)
TURN = re.compile(r"r\d+\.t\d+")


@dataclass(frozen=True)
class Guided:
    """A model behind the port, asked with a narrower schema."""

    model: Model

    async def answer(self, request: LlmRequest, on_text: OnText) -> LlmResponse:
        prompt = request.prompt
        if prompt.schema is not None:
            prompt = replace(prompt, schema=_Guide.of(prompt).narrowed(prompt.schema))
        return await self.model.answer(replace(request, prompt=prompt), on_text)


@dataclass(frozen=True)
class _Guide:
    choices: Mapping[str, Sequence[str]]
    """Field to what it may say, own ids included."""
    said: Sequence[tuple[str, str]]
    """Speaker, or name of what is laid before the seat, and words, in order."""

    @classmethod
    def of(cls, prompt: Prompt) -> "_Guide":
        choices = {name: several.split(", ") if several else [one] for name, several, one in OFFER.findall(prompt.tail)}
        choices |= {name: [] for name in EMPTY.findall(prompt.tail)}
        own = {name: [f"{prefix}-{n}" for n in range(1, 6)] for name, prefix in OWN.findall(prompt.tail)}
        fenced = [
            (name, what, words) for _, name, what, words in FENCED.findall("".join(prompt.waves)) if words.strip()
        ]
        said = [(what.split(",")[0] if TURN.fullmatch(name) else name, words) for name, what, words in fenced]
        return cls(choices | own, said)

    def words_of(self, about: str) -> str:
        """What a speaker said last, or the argument of that id; otherwise what was said last."""
        if mine := [words for who, words in self.said if who == about]:
            return mine[-1]
        numbered = re.compile(rf"\[{re.escape(about)}\] *(\S.*)")
        found = [made[1] for _, words in self.said if about and (made := numbered.search(words))]
        return found[0] if found else self.said[-1][1]

    def narrowed(self, schema: Mapping[str, Any], name: str = "", about: str = "") -> dict[str, Any]:
        match schema:
            case {"anyOf": options}:
                return {"anyOf": [self.narrowed(option, name, about) for option in options]}
            case {"type": "object"}:
                return self._object(schema, about)
            case {"type": "array"}:
                return self._list(schema, name)
            case {"type": "string", "x-choice": _} if self.choices.get(name):
                return {"enum": list(self.choices[name])}
            case {"type": "string", "x-quote": _} if self.said:
                return {"enum": [beginning(self.words_of(about))]}
            case {"type": "string"} if "enum" not in schema:
                return {"type": "string", "pattern": f"^[A-Za-z ,.]{{{schema.get('minLength', 1)},{LONGEST}}}$"}
            case _:
                return dict(schema)

    def _object(self, schema: Mapping[str, Any], subject: str = "", **fixed: Any) -> dict[str, Any]:
        fields = {name: self.narrowed(field, name, subject) for name, field in schema["properties"].items()}
        return {
            "type": "object",
            "properties": fields | fixed,
            "required": list(fields),
            "additionalProperties": False,
        }

    def _list(self, schema: Mapping[str, Any], name: str) -> dict[str, Any]:
        """One item for each choice, as far as there are any; otherwise as few as will do."""
        item, least = schema["items"], schema.get("minItems", 0)
        key = next((field for field, about in item.get("properties", {}).items() if "x-choice" in about), None)
        if key is None:
            few = max(least, 1)
            return {"type": "array", "items": self.narrowed(item, name), "minItems": least, "maxItems": few}
        wanted = self.choices.get(key, ())
        if item["properties"][key]["x-choice"] == "own":
            wanted = wanted[: max(least, 1)]
        return {"type": "array", "prefixItems": [self._item(item, key, n, value) for n, value in enumerate(wanted)]}

    def _item(self, item: Mapping[str, Any], key: str, nth: int, value: str) -> dict[str, Any]:
        """About one choice: in that speaker's words, and on this side or the other in turn."""
        fields = item["properties"]
        sides = {
            name: {"enum": [field["enum"][nth % 2]]}
            for name, field in fields.items()
            if len(field.get("enum", ())) == 2
        }
        sides |= {"says": {"enum": [("yes", "no")[nth % 2]]}} if "says" in fields else {}
        return self._object(item, value, **{key: {"enum": [value]}}, **sides)


def beginning(words: str) -> str:
    return " ".join(words.split()[:QUOTED])
