"""A model that fills in any form with made-up text, for tests, rehearsals and estimates.

It keeps to the form, the choices offered and the allowance, so every script can go on.
At the same address it always says the same.
"""

from __future__ import annotations

import json
import random

from hustings.script.calls import Call, Reply
from hustings.script.forms import schema_of

from .fake_values import FakeValues


class Improviser:
    """Answers every call immediately, with the same answer for the same seed and address."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def __call__(self, call: Call) -> Reply:
        return Reply(self.words(call), clock(call), model="improviser")

    def words(self, call: Call) -> str:
        """Prose, or JSON that fits the form of the call."""
        rng = random.Random(f"{self.seed} {call.address}")
        tag, brief = call.address.split(" ", 1)[0], call.brief
        choices = {"seat": [seat.id for seat in call.context.seats], **brief.choices}
        # A form has up to a dozen texts, which share one allowance.
        length = 14 if brief.words is None else min(14, max(2, brief.words // 12))
        turns = [(turn.speaker_id, turn.said) for turn in call.knowledge.turns]
        laid = [(exhibit.name, exhibit.words) for group in brief.exhibits for exhibit in group]
        fake_values = FakeValues(rng, tag, choices, turns + laid, length)
        if not brief.form.prose:
            return json.dumps(fake_values.value(schema_of(brief.form)), ensure_ascii=False)
        most = 120 if brief.words is None else brief.words
        return fake_values.prose(rng.randint(max(1, most // 4), most))


def clock(call: Call) -> str:
    """A reproducible time stamp: one minute per wave, starting on the first of January."""
    minutes = int(call.address.split(".", 1)[0]) + 1
    return f"2026-01-{1 + minutes // 1440:02d}T{minutes // 60 % 24:02d}:{minutes % 60:02d}:00.000Z"
