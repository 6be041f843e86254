"""Good answers of the pretend provider: they fit the form, the choices and the word limit of a prompt.

The marks of a form are not sent, so the choices are read back from the prompt, as a model would read them.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, cast

from hustings.llm.fake_values import NUMBERED, ONE_BY_ONE, FakeValues

MOST_WORDS = 120
"""Of a speech, however long it may be: short answers keep prompts short and benchmarks fast."""
Json = Mapping[str, Any]


def good_answer(request: Json, name: str, seed: int) -> str:
    """A usable answer: always the same to the same question, whatever run it is asked in."""
    asked = PromptFacts(text_of(request))
    address = ADDRESS.search(name)
    call = name[address.start() :] if address else name
    digest = sha256(f"{seed}\n{call}\n{asked.text}".encode("utf-8", "surrogatepass")).hexdigest()
    rng = random.Random(digest)
    tag = address.group().strip() if address else digest[:6]
    schema = schema_in(request)
    if schema is None:
        most = min(asked.words or MOST_WORDS, MOST_WORDS)
        return FakeValues(rng, tag).prose(rng.randint(max(1, most // 4), most))
    choices: dict[str, Sequence[str]] = {}
    schema = remarked(schema, asked, choices)
    # A form holds up to a dozen texts, and they share one word limit.
    length = 14 if asked.words is None else min(14, max(2, asked.words // 12))
    fake_values = FakeValues(rng, tag, choices, [*asked.arguments, *asked.said], length)
    return json.dumps(fake_values.value(schema), ensure_ascii=False)


def text_of(request: Json) -> str:
    """All that a model would read, in order."""
    return "".join(_text(message.get("content")) for message in request.get("messages", ()))


def _text(content: Any) -> str:
    match content:
        case str():
            return content
        case list():
            return "".join(str(part.get("text", "")) for part in cast("list[Json]", content))
        case _:
            return ""


def schema_in(request: Json) -> Json | None:
    wanted: Json = request.get("response_format") or {}
    form: Json = wanted.get("json_schema") or {}
    return form.get("schema")


@dataclass(frozen=True)
class PromptFacts:
    """A prompt parsed back into what was said, what is offered, and how long the answer may be."""

    given: str

    @cached_property
    def text(self) -> str:
        """The prompt with fence marks that are the same in every run."""
        mark = MARK.search(self.given)
        return re.sub(rf"{mark[1]}([0-9a-f]{{10}}(?=>>| ))?", "\0", self.given) if mark else self.given

    @cached_property
    def fenced(self) -> tuple[Sequence[tuple[str, str]], str]:
        """Texts between marks, each with its label; and all text outside of them."""
        first, *rest = self.text.split("<<\0 ")
        inside: list[tuple[str, str]] = []
        outside = [first]
        for piece in rest:
            block, end, after = piece.partition("\n<<end \0>>\n")
            label, _, words = block.partition(">>\n")
            inside += [(label, words)] if end else []
            outside.append(after if end else piece)
        return inside, "".join(outside)

    @cached_property
    def said(self) -> Sequence[tuple[str, str]]:
        """What each speaker said last, and the exhibits, the latest at the end."""
        latest: dict[str, str] = {}
        for label, words in self.fenced[0]:
            if found := SPEAKER.match(label) or EXHIBIT.match(label):
                latest.pop(found[1], None)
                latest[found[1]] = words
        return [*latest.items()]

    @cached_property
    def arguments(self) -> Sequence[tuple[str, str]]:
        """Each numbered argument, as its author first made it."""
        every = [found for _, words in self.fenced[0] for found in NUMBERED.findall(words)]
        return [*dict(reversed(every)).items()]

    @cached_property
    def task(self) -> str:
        outside = self.fenced[1]
        return outside[max(0, outside.rfind(TASK)) :]

    @cached_property
    def words(self) -> int | None:
        found = ALLOWANCE.search(self.task)
        return int(found[1]) if found else None

    @cached_property
    def seats(self) -> frozenset[str]:
        _, _, table = self.fenced[1].partition("\nAt the table:\n")
        return frozenset(SEAT.findall(table.partition("\n\n")[0]))

    @cached_property
    def offers(self) -> Mapping[str, Sequence[str]]:
        """Choices, by the name of the field."""
        return {name: several.split(", ") if several else [one] for name, several, one in OFFER.findall(self.task)}

    @cached_property
    def empty(self) -> frozenset[str]:
        """Fields that have nothing to name: an empty list, or null."""
        return frozenset(EMPTY.findall(self.task))

    @cached_property
    def own(self) -> Mapping[str, str]:
        """The prefix of ids that the answer makes up, by the name of the field."""
        return dict(OWN.findall(self.task))

    def kind_of(self, name: str, told: str, *, listed: bool) -> str:
        """Kind of the choices: `FakeValues` treats seats, and items that are answered one by one, differently."""
        offered = self.offers[name]
        if name == "about" and "questioned" in told:
            return "question"
        if name == "argument":
            return name
        if offered and self.seats.issuperset(offered):
            return "seat"
        if offered and dict(self.said).keys() >= set(offered) and name != "target":
            return "item"
        return name if name in ONE_BY_ONE or not (listed and offered) else "claim"


def remarked(schema: Json, asked: PromptFacts, choices: dict[str, Sequence[str]], *, listed: bool = False) -> Json:
    """The schema with its marks put back; collects the choices on the way."""
    if "properties" in schema:
        fields = cast("Mapping[str, Json]", schema["properties"])
        made = {name: _field(name, each, asked, choices, listed=listed) for name, each in fields.items()}
        return {**schema, "properties": made}
    if "items" in schema:
        return {**schema, "items": remarked(schema["items"], asked, choices, listed=True)}
    if "anyOf" in schema:
        return {**schema, "anyOf": [remarked(option, asked, choices, listed=listed) for option in schema["anyOf"]]}
    return measured(schema)


def _field(name: str, schema: Json, asked: PromptFacts, choices: dict[str, Sequence[str]], *, listed: bool) -> Json:
    if name in asked.empty:
        kind = {"x-choice": NOTHING, "type": "string"}
        choices[NOTHING] = ()
        return {**schema, "maxItems": 0} if "anyOf" not in schema else {"anyOf": [kind, {"type": "null"}]}
    if "anyOf" in schema:
        return {**schema, "anyOf": [_field(name, each, asked, choices, listed=listed) for each in schema["anyOf"]]}
    texts = schema["items"] if schema.get("type") == "array" else schema
    if texts.get("type") != "string" or "enum" in texts:
        return remarked(schema, asked, choices, listed=listed)
    if name in asked.own:
        mark: Json = {"x-choice": "own"}
        choices["own"] = [asked.own[name]]
    elif name in asked.offers:
        kind = asked.kind_of(name, schema.get("description", ""), listed=listed)
        # A form may name things of several kinds, all of them exhibits.
        kind = name if kind == "item" and choices.get(kind, asked.offers[name]) != asked.offers[name] else kind
        mark = {"x-choice": kind}
        choices[kind] = asked.offers[name]
    elif "the opposing words" in schema.get("description", ""):
        mark = {"x-quote": "opposing"}
    elif "quote" in name or VERBATIM.search(schema.get("description", "")):
        mark = {"x-quote": True}
    else:
        mark = {}
    made = {**measured(texts), **mark}
    if texts is schema:
        return made
    asks = {"minItems": 1} if schema.get("description", "").startswith("questions") else {}
    return {**schema, **asks, "items": made}


def measured(schema: Json) -> Json:
    """Take lengths from the description, where they are sent if a provider knows no such limit."""
    return {**schema, **{key: int(value) for key, value in LENGTH.findall(schema.get("description", ""))}}


ADDRESS = re.compile(r"\d{3,}\.\d+ ")
"""Start of that part of a call's name which is the same in every run."""
TASK = "\nYour task: "
MARK = re.compile(r"<<([0-9a-f]{10}) \.\.\.>>")
SPEAKER = re.compile(r"r\d+\.t\d+: ([^,]+)")
EXHIBIT = re.compile(r"(?!note by |r\d+\.t\d+:)([^:]+): ")
SEAT = re.compile(r"^- ([^:\n]+): ", re.MULTILINE)
ALLOWANCE = re.compile(r"\bLength: up to (\d+) words\b")
OFFER = re.compile(
    r"(?m)^ *(\w+): (?:a list of [^:\n]*?, each )?(?:one of ([^:\n]+?)|(?!text|null)([\w.-]+))(?: or null)?(?:: |\.$)"
)
EMPTY = re.compile(r"(?m)^ *(\w+): (?:an empty list|null)\.$")
OWN = re.compile(r'(?m)^ *(\w+): "(\S+)-1", ')
VERBATIM = re.compile(r"\bword for word\b|\bwords\b.*\bexactly\b")
NOTHING = "nothing"
LENGTH = re.compile(r"\b((?:min|max)Length)=(\d+)")
