"""What the suites work with: bad answers of every kind, private texts that must not leak, and finished debates.

Non-interference: two runs differ only in one private text, an answer that was sent back or a note; every prompt of
every seat that may not read it must be the same in both.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

from hustings.errors import SeatError, SeatFailed
from hustings.llm.improviser import Improviser, clock
from hustings.runs.registry import find_protocol
from hustings.runs.staging import Rehearsal, plan, rehearse
from hustings.script.calls import Call, Reply
from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.forms import schema_of
from hustings.script.prompt import prompt_of
from hustings.script.seats import Player
from hustings.transcript.models import SILENT_ROLES, Transcript

TOPIC = "Should a town close its centre to cars?"


USUAL = ("structured", "roundtable")
"""One debate on forms that list its claims, and one in plain words, from which they must be extracted."""


def record_of(protocol: str) -> Proceedings:
    """A fresh copy each time, as if read from its file: an audit that changes it does not affect others."""
    return Proceedings.model_validate_json(_record(protocol))


@cache
def _record(protocol: str) -> str:
    debate = among_strangers(plan(find_protocol(protocol), TOPIC))
    return rehearse(debate, lambda call: by_name(call, debate)).proceedings.model_dump_json()


def among_strangers(debate: DebateSpec) -> DebateSpec:
    """The same debate with invented names and models: seen in a prompt, they can only have come from this debate."""
    seats = tuple(replace(seat, name=f"Vask {n}") for n, seat in enumerate(debate.seats, 1))
    cast = {seat.id: replace(debate.cast[seat.id], model=f"acme/zephyr-{n}") for n, seat in enumerate(seats, 1)}
    return debate.model_copy(update={"seats": seats, "cast": cast})


def by_name(call: Call, debate: DebateSpec) -> Reply:
    """The improviser's words, preceded by the names of all seats."""
    names = ", ".join(f"{seat.title} ({seat.id})" for seat in debate.seats)
    reply = replace(Improviser()(call), model=debate.cast[call.seat.id].model)
    if call.brief.form.prose:
        return replace(reply, text=f"{names}: {reply.text}")

    def begun(schema: Mapping[str, Any], text: str) -> str:
        fixed = {"x-choice", "x-quote", "enum", "maxLength"} & set(schema)
        return text if fixed else f"{names}: {text}"

    return replace(reply, text=json.dumps(changed(schema_of(call.brief.form), json.loads(reply.text), begun)))


def identities(transcript: Transcript) -> set[str]:
    """Everything that tells who spoke for which side: ids, names and teams of the speakers, and all models."""
    speaking = [p for p in transcript.participants if p.role not in SILENT_ROLES]
    told = {name for p in speaking for name in (p.agent_id, p.display_name, p.team)}
    models = {p.model_name for p in transcript.participants}
    return {name for name in (*told, *models, *((m or "").rpartition("/")[2] for m in models)) if name}


Fault = Callable[[Call], Reply | SeatError]


def malformed(call: Call) -> Reply:
    """Half a JSON object where a form is due; only white space where plain words are."""
    return Reply(" \n\t" if call.brief.form.prose else '{"half": ', clock(call))


def late(call: Call) -> SeatError:
    return SeatFailed(f"{call.seat}: no answer in time")


def refused(call: Call) -> Reply:
    return Reply("I would rather not.", clock(call), fault="refused")


def empty(call: Call) -> Reply:
    return Reply("", clock(call), fault="empty")


def rule_breaking(call: Call) -> Reply:
    """Fits the form, but names unknown ids, quotes what nobody said, and is far too long."""
    words = Improviser().words(call)
    if call.brief.form.prose:
        return Reply(f"{words} " * 9, clock(call))
    spoilt = changed(schema_of(call.brief.form), json.loads(words), spoil)
    return Reply(json.dumps(spoilt), clock(call))


def spoil(schema: Mapping[str, Any], text: str) -> str:
    if "x-choice" in schema:
        return "NOBODY-99"
    if "x-quote" in schema:
        return "words that nobody at this table has ever said"
    return text if "enum" in schema else f"{text} " * (1 if "maxLength" in schema else 40)


def changed(schema: Mapping[str, Any], value: Any, change: Callable[[Mapping[str, Any], str], str]) -> Any:
    """The same answer with every text in it changed."""
    if "anyOf" in schema and value is not None:
        schema = next(option for option in schema["anyOf"] if option["type"] != "null")
    match value:
        case dict():
            return {
                name: changed(schema["properties"][name], item, change)
                for name, item in cast("dict[str, Any]", value).items()
            }
        case list():
            return [changed(schema["items"], item, change) for item in cast("list[Any]", value)]
        case str():
            return change(schema, value)
        case _:
            return value


KINDS: Mapping[str, Fault] = {
    "malformed": malformed,
    "late": late,
    "refused": refused,
    "empty": empty,
    "rule_breaking": rule_breaking,
}


MARKERS = ("quartz", "velvet")
"""A word in the secret of each run; the improviser uses neither."""


@dataclass(frozen=True)
class Leak:
    """A prompt that differed although only a secret did."""

    secret: str
    prompt: str


@dataclass(frozen=True)
class _WithSecret:
    """The improviser, except at one call: there it adds a marker, or has an answer with it sent back."""

    seed: int
    address: str
    marker: str
    rejected: bool

    def __call__(self, call: Call) -> Reply:
        if call.address != self.address:
            return Improviser(self.seed)(call)
        if self.rejected:
            return Reply(f"I decline, because of {self.marker}", clock(call), fault="refused")
        words = Improviser(self.seed).words(call)
        if call.brief.form.prose:
            return Reply(f"{words} {self.marker}", clock(call))
        marked = changed(schema_of(call.brief.form), json.loads(words), self._with_marker)
        return Reply(json.dumps(marked), clock(call))

    def _with_marker(self, schema: Mapping[str, Any], text: str) -> str:
        fixed = {"x-choice", "x-quote", "enum"} & set(schema)
        return text if fixed else f"{text[: schema.get('maxLength', len(text) + 7) - 7]} {self.marker}"


def compared(debate: DebateSpec, seed: int) -> Iterator[Leak | None]:
    """Try one random secret of a debate: for every prompt that must not know it, yield the leak or None."""
    rng = random.Random(seed)  # noqa: S311 - random numbers, not secrets
    plain = rehearse(debate, Improviser(seed))
    calls = [call for wave in plain.waves for call in wave]
    thoughts = [call for call in calls if not call.on_record]
    rejected = bool(debate.retries) and (not thoughts or rng.random() < 0.5)
    pool = [call for call in calls if call.on_record] if rejected else thoughts
    if not pool:
        return
    secret = rng.choice(pool)
    runs = [rehearse(debate, _WithSecret(seed, secret.address, marker, rejected)) for marker in MARKERS]
    if all(_was_said(run, marker) for run, marker in zip(runs, MARKERS, strict=True)):
        return  # the script has it said on the record: then it is no secret
    readers = {secret.seat.id} if rejected else {secret.seat.id} | _readers(runs[0], MARKERS[0])
    for a, b in zip(*(_prompts(run) for run in runs), strict=True):
        if a[0].seat.id not in readers:
            yield None if (a[0].address, a[1]) == (b[0].address, b[1]) else Leak(secret.address, a[0].address)


def _was_said(run: Rehearsal, marker: str) -> bool:
    return any(marker in turn.said for turn in run.proceedings.transcript.turns)


def _readers(run: Rehearsal, marker: str) -> set[str]:
    """Seats that may read the notes with the secret."""
    holding = [note for note in run.proceedings.notes if marker in json.dumps(note.body)]
    return {seat for note in holding for seat in note.visible_to}


def _prompts(run: Rehearsal) -> list[tuple[Call, str]]:
    cast = run.debate.cast
    return [(call, prompt_of(call, cast.get(call.seat.id, Player())).text) for wave in run.waves for call in wave]
