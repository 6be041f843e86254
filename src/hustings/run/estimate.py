"""What a debate would take, before any call: its script is played with imagined answers, and the prompts are counted.

The expected comes from a few plays by chance. The bounds come from plays that pull the script to its ends; at the worst
every answer fills its room and is sent back as often as allowed. A provider's own faults come on top: caps stop those.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import add
from typing import Literal

from pydantic import BaseModel, computed_field

from hustings.core.debate import Proceedings
from hustings.core.transcript import Transcript
from hustings.llm.endpoints import ACTORS, PROVIDERS, on_loopback
from hustings.llm.environment import Environment, layered
from hustings.llm.model import Usage
from hustings.llm.prices import price
from hustings.llm.voices import NOBODY, Voice, voice_of

from .commission import Commission
from .counting import Asked, Figures, Spare, as_expected
from .imagined import Habits
from .judging import JudgingWish, commission_control, commission_judging
from .plays import Ends, Play, ends_of, ends_of_audits, likely
from .staging import slug
from .wish import Wish, commissioned, flags_for, laid

Audit = Literal["control", "judging"]
Paid = Literal["free", "priced", "unknown", "person"]
"""Whether nothing is paid, or a price is known, or none; a person is waited for."""
EXPECTED = "Expected: answers as long as asked for, nothing read from a cache, no hidden thoughts."
AT_WORST = "At worst: every answer fills its room and is sent back as often as it may be; whoever can be chosen is."
USUAL = Habits()
NOTHING = Spare()
MOST_TOKENS = 1_000_000_000
"""A control counts no further."""


class SeatEstimate(BaseModel, frozen=True):
    seat: str
    model: str
    paid: Paid
    expected: Figures
    worst: Figures | None = None


class Step(BaseModel, frozen=True):
    """A kind of question, and how often it is put."""

    name: str
    calls: int


class Part(BaseModel, frozen=True):
    """A debate, its control, or its judging."""

    script: str
    steps: tuple[Step, ...]
    rounds: int
    waves: int
    """Calls of one wave run at the same time."""
    seats: tuple[SeatEstimate, ...]
    least_calls: int | None = None
    """Of a debate that is played to its end, no answer sent back; None: not looked for."""
    worst: Figures | None = None
    """Of all together; where a seat is chosen, not every one can have its worst."""
    seconds: float | None = None
    """None: nobody knows how fast its models are."""

    @computed_field
    @property
    def expected(self) -> Figures:
        return total(row.expected for row in self.seats if row.paid != "person")


class Estimate(BaseModel, frozen=True):
    parts: tuple[Part, ...]
    cap: int | None = None
    """Most it may cost in millionths of a dollar, all parts together."""

    @computed_field
    @property
    def expected(self) -> Figures:
        return total(part.expected for part in self.parts)

    @computed_field
    @property
    def worst(self) -> Figures | None:
        found = [part.worst for part in self.parts if part.worst]
        return total(found) if len(found) == len(self.parts) else None

    @computed_field
    @property
    def least_calls(self) -> int | None:
        found = [part.least_calls for part in self.parts if part.least_calls is not None]
        return sum(found) if len(found) == len(self.parts) else None

    @computed_field
    @property
    def seconds(self) -> float | None:
        known = [part.seconds for part in self.parts if part.seconds is not None]
        return sum(known) if len(known) == len(self.parts) else None

    @property
    def free(self) -> bool:
        return all(row.paid in {"free", "person"} for part in self.parts for row in part.seats)


def total(some: Iterable[Figures]) -> Figures:
    return reduce(add, some, Figures())


def estimate(
    commission: Commission,
    *,
    bounds: bool = True,
    habits: Habits = USUAL,
    paces: Mapping[str, float] | None = None,
) -> Estimate:
    """Of one run. `paces` are tokens a second by model. Without bounds it is several times as fast."""
    play = likely(commission, habits)
    ends = ends_of(commission, play) if bounds else None
    return Estimate(parts=(_part(commission, play, paces or {}, ends),), cap=commission.caps.money)


def estimate_all(
    commission: Commission,
    environment: Mapping[str, str],
    wish: JudgingWish,
    *,
    audits: Sequence[Audit] = ("judging",),
    bounds: bool = True,
    habits: Habits = USUAL,
    paces: Mapping[str, float] | None = None,
) -> Estimate:
    """Of a debate and what follows it in the same command: the audits are of the imagined debate."""
    play, paces = likely(commission, habits), paces or {}
    ends = ends_of(commission, play) if bounds else None
    parts = [_part(commission, play, paces, ends)]
    expected, worst = parts[0].expected, parts[0].worst
    for script in audits:
        follow = partial(_audit, script, commission, wish, with_keys(environment))
        audit = follow(play.proceedings, expected.tokens)
        usual = likely(audit, habits)
        if ends is None or worst is None:
            parts.append(_part(audit, usual, paces, None))
            continue
        long, short = follow(ends.longest.proceedings, worst.tokens), follow(ends.shortest.proceedings, 0)
        parts.append(_part(audit, usual, paces, ends_of_audits(long, short, usual), ends.spare))
    return Estimate(parts=tuple(parts), cap=commission.caps.money)


def estimate_audits(
    old: Commission,
    judged: Proceedings,
    environment: Mapping[str, str],
    wish: JudgingWish,
    *,
    audits: Sequence[Audit] = ("judging",),
    tokens: int,
) -> Estimate:
    """Of what follows a debate that is over, and took so many tokens."""
    parts: list[Part] = []
    for script in audits:
        audit = _audit(script, old, wish, with_keys(environment), judged, tokens)
        usual = likely(audit, USUAL)
        parts.append(_part(audit, usual, {}, ends_of_audits(audit, audit, usual)))
    return Estimate(parts=tuple(parts), cap=wish.caps.money)


def _audit(
    script: Audit, old: Commission, wish: JudgingWish, known: Mapping[str, str], judged: Proceedings, tokens: int
) -> Commission:
    if script == "control":
        return commission_control(old, judged, wish, known, min(tokens, MOST_TOKENS))
    return commission_judging(old, judged, wish, known)


def _part(
    commission: Commission, play: Play, paces: Mapping[str, float], ends: Ends | None, spare: Spare = NOTHING
) -> Part:
    debate, nothing = commission.debate, Figures()
    expected = _by_seat((one, as_expected(one)) for one in play.asked)
    worst = ends.worst(commission, spare) if ends else None
    rows = [
        SeatEstimate(
            seat=seat.id,
            model=debate.cast[seat.id].model,
            paid=paid_for(commission.model_specs.get(seat.id)),
            expected=expected.get(seat.id, nothing),
            worst=worst.seats.get(seat.id, nothing) if worst else None,
        )
        for seat in debate.seats
        if seat.id in expected or (worst and seat.id in worst.seats)
    ]
    steps = Counter(re.sub(r"\s*\d+$", "", one.call.brief.name) for one in play.asked)
    return Part(
        script=debate.protocol,
        steps=tuple(Step(name=name, calls=calls) for name, calls in steps.items()),
        rounds=len(play.proceedings.transcript.rounds),
        waves=len(play.waves),
        seats=tuple(rows),
        least_calls=ends.shortest.calls if ends else None,
        worst=worst and worst.whole,
        seconds=_seconds(play, paces),
    )


def _by_seat(figures: Iterable[tuple[Asked, Figures]]) -> dict[str, Figures]:
    rows: dict[str, Figures] = {}
    for one, taken in figures:
        seat = one.call.seat.id
        rows[seat] = rows.get(seat, Figures()) + taken
    return rows


def paid_for(voice: Voice | None) -> Paid:
    if voice is None:
        return "person"
    if price(voice, Usage(input=1, output=1)) is None:
        return "unknown"
    return "free" if voice.free or voice.provider in ACTORS else "priced"


# -- time ----------------------------------------------------------------------------------


def paces_of(transcripts: Iterable[Transcript]) -> dict[str, float]:
    """Tokens that each model wrote in a second of waiting, in debates that were held."""
    tokens, seconds = Counter[str](), dict[str, float]()
    for transcript in transcripts:
        models = {one.agent_id: one.model_name or "" for one in transcript.participants}
        for turn in transcript.turns:
            for attempt in turn.attempts:
                known = attempt.diagnostics
                if known and known.token_usage_completion and known.latency_ms:
                    model = models.get(turn.speaker_id, "")
                    tokens[model] += known.token_usage_completion
                    seconds[model] = seconds.get(model, 0.0) + known.latency_ms / 1000
    return {model: tokens[model] / waited for model, waited in seconds.items() if model and waited > 0}


def _seconds(play: Play, paces: Mapping[str, float]) -> float | None:
    """Wave by wave, each as slow as its slowest answer; unknown if one is."""
    models = {one.voice.label for one in play.asked if one.voice and one.costs}
    if any(one.voice is None for one in play.asked) or not models <= paces.keys():
        return None
    taken = [
        max(
            (as_expected(one).tokens_out / paces[one.voice.label] for one in wave if one.voice and one.costs),
            default=0.0,
        )
        for wave in play.waves
    ]
    return round(sum(taken), 1)


# -- without keys --------------------------------------------------------------------------


def sketch(wish: Wish, environment: Mapping[str, str]) -> Commission:
    """A commission to estimate and not to carry out: nobody needs a key yet, and a price may be unknown."""
    debate = laid(wish)
    voices: dict[str, Voice] = {}
    for seat, flag in zip(debate.seats, flags_for(debate, wish).values(), strict=True):
        # A server of one's own needs no key: that is said of all, and then only of those that are one.
        asked = (flag or NOBODY).model_copy(update={"local": True})
        voice = voice_of(seat, environment, flag=asked)
        local = voice.provider in ACTORS or on_loopback(voice.base_url)
        voices[seat.id] = voice.model_copy(update={"local": local})
    return commissioned(wish, debate, voices, f"estimate-{slug(wish.topic)[:40].strip('-')}")


def with_keys(environment: Mapping[str, str]) -> Environment:
    """As if every customary key were there: an estimate sends nothing."""
    known = layered(environment)
    return replace(
        known, process={**{name: "none" for one in PROVIDERS.values() for name in one.keys}, **known.process}
    )
