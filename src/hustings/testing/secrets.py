"""Tests for leaks between seats: what a seat may not read must not change one byte of its prompt.

Non-interference: two runs differ only in one private text, an answer that was sent back or a note; every prompt of
every seat that may not read it must be the same in both.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hustings.llm.improviser import Improviser, clock
from hustings.runs.rehearsal import Rehearsal, rehearse
from hustings.script.calls import Call, Reply
from hustings.script.debate import DebateSpec
from hustings.script.forms import schema_of
from hustings.script.prompt import prompt_of
from hustings.script.seats import Player

from .bad_answers import changed

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
