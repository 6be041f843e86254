"""Asks a person for a form, field by field: the rule beside each field, wrong answers explained and asked again."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from hustings.script.forms import rule_of

EDIT = ":e"
"""Typed instead of a text, it opens the editor."""
EXPECTED = frozenset({"question"})
"""Kinds of ids that each want an entry in a list, though the form does not require any."""


@dataclass(frozen=True)
class Person:
    """A person at a terminal. Reading raises EOFError if they leave, or KeyboardInterrupt with the line so far."""

    read: Callable[[str], str]
    """Shows a prompt, and returns a line."""
    tell: Callable[[str], None]
    edit: Callable[[str, Sequence[str]], str] | None
    """Opens an editor with a draft and remarks, and returns what was written; None if no editor is set up."""
    begin: Callable[[str], object] = lambda _: None
    """Puts words on the line that is read next."""
    reach: Callable[[str], object] = lambda _: None
    """Told which field is asked for next."""


@dataclass(frozen=True)
class FormAsker:
    """Asks one person for the values of one form."""

    person: Person
    choices: Mapping[str, Sequence[str]]
    """Allowed values of the marked fields, by kind."""
    about: Mapping[str, str]
    """What stands behind an id, in a few words."""

    def group(self, schema: Mapping[str, Any], before: Mapping[str, Any], place: str = "", nth: int = 1) -> Any:
        """All fields of an object. `before` holds the values of an earlier try, which Enter keeps."""
        found: dict[str, Any] = {}
        for name, field in schema["properties"].items():
            optional = name not in schema.get("required", ())
            title = f"{place} · {_spaced(name)}" if place else _spaced(name)
            value = self._value(_Field(title, field, before.get(name), optional=optional, nth=nth))
            if value is not None or not optional:
                found[name] = value
        return found

    def _value(self, asked: _Field) -> Any:
        field = asked.schema
        self.person.reach(asked.title)
        if "anyOf" in field:
            return self._perhaps(asked)
        if (kind := field.get("x-choice", "")) == "own" and self.choices.get("own"):
            return f"{self.choices['own'][0]}-{asked.nth}"
        if kind in self.choices:
            return self._choice(asked, self.choices[kind])
        if "enum" in field:
            return self._choice(asked, field["enum"])
        match field.get("type"):
            case "object":
                self.person.tell(_headed(asked))
                return self.group(field, cast("dict[str, Any]", asked.before or {}), asked.title)
            case "array":
                return self._list(asked)
            case "boolean":
                return self._choice(asked, ("yes", "no")) == "yes"
            case "integer" | "number":
                return self._number(asked)
            case _:
                return self._text(asked)

    def _perhaps(self, asked: _Field) -> Any:
        """A field that may be empty: Enter leaves it out."""
        options = [option for option in asked.schema["anyOf"] if option.get("type") != "null"]
        inner = {**options[0], **{name: text for name, text in asked.schema.items() if name == "description"}}
        nested = asked.with_schema(inner, optional=True)
        if inner.get("type") != "object":
            return self._value(nested)
        self.person.tell(_headed(asked))
        return self._value(nested) if self._agrees("Fill it in?", usual=asked.before is not None) else None

    # -- lists ---------------------------------------------------------------------------

    def _list(self, asked: _Field) -> list[Any]:
        field, item = asked.schema, asked.schema["items"]
        least, most = field.get("minItems", 0), field.get("maxItems", 100)
        kind = _kind_of(item)
        offered = self.choices.get(kind)
        if offered is not None and not offered:
            return []
        self.person.tell(_headed(asked))
        one, found = _singular(asked.title), self._kept(asked, item)
        while len(found) < most:
            unused = [name for name in offered or () if kind != "own" and name not in _named(found, item)]
            wanted = bool(unused) and (least > 0 or kind in EXPECTED)
            if len(found) >= least and not self._agrees(f"Add {'another' if found else 'one'}?", usual=wanted):
                return found
            found.append(self._entry(one, item, None, len(found) + 1, unused))
        return found

    def _kept(self, asked: _Field, item: Mapping[str, Any]) -> list[Any]:
        """Entries of an earlier try: each is kept, changed or removed."""
        found: list[Any] = []
        for value in cast("list[Any]", asked.before or []):
            self.person.tell(f"  {_shown(value)}")
            said = self.person.read("  Enter keeps it, c changes it, d deletes it: ").strip().lower()
            if said != "d":
                found.append(self._entry(_singular(asked.title), item, value, len(found) + 1) if said == "c" else value)
        return found

    def _entry(self, title: str, item: Mapping[str, Any], before: Any, nth: int, unused: Sequence[str] = ()) -> Any:
        place = f"{title} {nth}"
        if "properties" not in item:
            return self._value(_Field(place, item, before, nth=nth, usual=unused[0] if unused else ""))
        chosen = next((name for name, part in item["properties"].items() if "x-choice" in part), "")
        start = before if before is not None else {chosen: unused[0]} if unused else {}
        return self.group(item, start, place, nth)

    # -- single values -------------------------------------------------------------------

    def _choice(self, asked: _Field, offered: Sequence[Any]) -> Any:
        person, usual = self.person, asked.before if asked.before in offered else asked.usual
        person.tell(f"{asked.title}{_meant(asked.schema)}: choose one")
        for n, option in enumerate(offered, 1):
            about = f"  {self.about[option]}" if option in self.about else ""
            person.tell(f"  {n} {option}{about}")
        leaves = f" [{usual}]" if usual else " [none]" if asked.optional else ""
        while True:
            said = person.read(f"  number or name{leaves}> ").strip()
            if not said and (usual or asked.optional):
                return usual or None
            fitting = _fitting(said, offered)
            if len(fitting) == 1:
                return fitting[0]
            person.tell(f"  {said!r} is not among them: type a number from 1 to {len(offered)}, or a name.")

    def _number(self, asked: _Field) -> float | None:
        field, whole = asked.schema, asked.schema.get("type") == "integer"
        self.person.tell(f"{asked.title}: {rule_of(field)}")
        while True:
            said = self.person.read(f"  {_default(asked.before)}> ").strip()
            if not said and (asked.before is not None or asked.optional):
                return asked.before
            try:
                value = int(said) if whole else float(said)
            except ValueError:
                self.person.tell(f"  {said!r} is no {'whole number' if whole else 'number'}.")
                continue
            least, most = field.get("minimum", value), field.get("maximum", value)
            if least <= value <= most:
                return value
            self.person.tell(f"  It must be from {least} to {most}.")

    def _text(self, asked: _Field) -> str | None:
        field, person = asked.schema, self.person
        person.tell(f"{asked.title}: {rule_of(field)}")
        if asked.before:
            person.tell(f"  now: {asked.before}")
        while True:
            said = person.read(f"  {_default(asked.before)}> ").strip()
            if said == EDIT:
                said = self.edited(asked.before or "", [f"{asked.title}: {rule_of(field)}"])
            if not said and (asked.before or asked.optional):
                return asked.before or None
            if wrong := _length(said, field):
                person.tell(f"  {wrong}")
            else:
                return said

    def edited(self, draft: str, remarks: Sequence[str]) -> str:
        """What the person wrote in the editor. Without an editor it is empty, and the reason is told."""
        if self.person.edit is None:
            self.person.tell("  No editor is set up: set EDITOR, or type it here on one line.")
            return ""
        return self.person.edit(draft, remarks).strip()

    def _agrees(self, question: str, *, usual: bool) -> bool:
        said = self.person.read(f"  {question} {'[Y/n]' if usual else '[y/N]'} ").strip().lower()
        return usual if not said else said[0] == "y"


@dataclass(frozen=True)
class _Field:
    """A field that is asked for."""

    title: str
    schema: Mapping[str, Any]
    before: Any = None
    optional: bool = False
    nth: int = 1
    """Which entry of its list it belongs to."""
    usual: str = ""

    def with_schema(self, schema: Mapping[str, Any], *, optional: bool) -> _Field:
        return _Field(self.title, schema, self.before, optional, self.nth, self.usual)


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _singular(title: str) -> str:
    return title.removesuffix("s")


def _meant(field: Mapping[str, Any]) -> str:
    about = field.get("description", "")
    return f" ({about})" if about else ""


def _headed(asked: _Field) -> str:
    field = asked.schema
    least, most = field.get("minItems", 0), field.get("maxItems")
    many = "" if field.get("type") != "array" else f", {least} to {most}" if most else f", {least} or more"
    return f"\n{asked.title.capitalize()}{many}{_meant(field)}"


def _default(before: Any) -> str:
    return "" if before in (None, "") else "[Enter keeps it] "


def _fitting(said: str, offered: Sequence[Any]) -> list[Any]:
    """The option with that number or name, or those that begin with it."""
    if re.fullmatch(r"[0-9]{1,4}", said) and 1 <= int(said) <= len(offered):
        return [offered[int(said) - 1]]
    exact = [option for option in offered if str(option).casefold() == said.casefold()]
    return exact or [option for option in offered if said and str(option).casefold().startswith(said.casefold())]


def _length(text: str, field: Mapping[str, Any]) -> str:
    """What is wrong with the length of a text; empty if nothing is."""
    least, most = field.get("minLength", 0), field.get("maxLength")
    if not text and least:
        return f"This cannot be empty; {EDIT} opens your editor."
    if len(text) < least:
        return f"It has {len(text)} characters; {least} is the least."
    return f"It has {len(text)} characters; {most} is the most." if most and len(text) > most else ""


def _kind_of(item: Mapping[str, Any]) -> str:
    """Kind of the id that an entry of a list carries; empty if it carries none."""
    parts = (item, *item.get("properties", {}).values())
    return next((part["x-choice"] for part in parts if "x-choice" in part), "")


def _named(found: Sequence[Any], item: Mapping[str, Any]) -> set[str]:
    """Ids that the entries carry."""
    name = next((name for name, part in item.get("properties", {}).items() if "x-choice" in part), "")
    return {entry if isinstance(entry, str) else cast("dict[str, str]", entry).get(name, "") for entry in found}


def _shown(value: Any) -> str:
    parts = cast("dict[str, Any]", value).values() if isinstance(value, dict) else (value,)
    return " · ".join(str(part) for part in parts if isinstance(part, str | int) and str(part))
