"""A script played with imagined answers: as it is likely to go, and pulled to its ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hustings.core.calls import Call, Reply
from hustings.core.debate import Proceedings

from .commission import Commission
from .counting import Asked, Figures, Rooms, Spare, at_worst, dearest, most_read
from .imagined import Habits, Imagined, Leaning
from .rehearse import rehearse

PULLS: Mapping[str, tuple[Any, ...]] = {
    "lists": ("most", "least", "late"),
    "choice": (0, -1),
    "numbers": ("lowest", "highest"),
    "words": (12, 0),
}
"""Ends to which a script is pulled, one after the other; of fewer words nobody could quote enough."""
TERSE = Habits(text=2)


@dataclass(frozen=True)
class Play:
    """What was asked in a play, and what remains of it; without what a fork takes over."""

    waves: tuple[tuple[Asked, ...], ...]
    proceedings: Proceedings

    @property
    def asked(self) -> list[Asked]:
        return [one for wave in self.waves for one in wave]

    @property
    def calls(self) -> int:
        """Those that are made: people are waited for."""
        return sum(one.voice is not None for one in self.asked)


def play(commission: Commission, habits: Habits, leaning: Leaning, seed: int = 0) -> Play:
    debate, voices = commission.debate, commission.model_specs
    actor, texts = Imagined(habits, leaning, seed), dict[str, str]()

    def answer(call: Call) -> Reply:
        reply, voice = actor(call), voices.get(call.seat.id)
        if call.brief.form.prose and voice and voice.max_tokens:
            reply = replace(reply, text=reply.text[: 4 * voice.max_tokens])
        texts[call.address] = reply.text
        return reply

    played = rehearse(debate, answer)
    waves = [
        tuple(
            Asked(call, debate.cast[call.seat.id], voices.get(call.seat.id), texts[call.address])
            for call in wave
            if not commission.ancestors(call)
        )
        for wave in played.waves
    ]
    return Play(tuple(wave for wave in waves if wave), played.proceedings)


def likely(commission: Commission, habits: Habits) -> Play:
    """Of three plays by chance the one between the others; two will do where both have as many calls.

    An audit asks about a debate that is over, and is much the same whatever is answered.
    """
    if commission.debate.judged:
        return play(commission, habits, Leaning())
    plays = [play(commission, habits, Leaning(), seed) for seed in range(2)]
    if plays[0].calls == plays[1].calls:
        return plays[0]
    return sorted([*plays, play(commission, habits, Leaning(), 2)], key=lambda one: one.calls)[1]


@dataclass(frozen=True)
class Ends:
    """How long and how short a script can be, and who can be chosen for what, in the plays that were tried."""

    longest: Play
    shortest: Play
    """That came to its end."""
    chosen: Mapping[str, frozenset[str]]
    """Kinds of questions that are put to whomever somebody chooses, and the seats that were."""

    @property
    def spare(self) -> Spare:
        # Names drawn by lot may be longer than those that were said.
        rooms = Rooms(self.longest.asked)
        turns = [2 * rooms.of_words([turn]) for turn in self.longest.proceedings.transcript.turns]
        return Spare(max(turns, default=0), sum(turns))

    def worst(self, commission: Commission, spare: Spare) -> Worst:
        """Every question at the most."""
        # An imagined answer may be sent back as well: further attempts are counted with the first.
        first = [one for one in self.longest.asked if not one.call.complaints]
        rooms = Rooms(
            [replace(one, voice=commission.model_specs.get(seat)) for one in first for seat in self._seats(one)]
        )
        rows, whole = dict[str, Figures](), Figures()
        for one in first:
            read, most = most_read(one, rooms, spare), list[Figures]()
            for seat in self._seats(one):
                voice = commission.model_specs.get(seat)
                taken = at_worst(one.call, voice, read, commission.debate.retries)
                rows[seat] = rows.get(seat, Figures()) + taken
                most += [taken] if voice else []
            whole += dearest(most)
        return Worst(rows, whole)

    def _seats(self, one: Asked) -> list[str]:
        return sorted(self.chosen.get(one.call.brief.name, ())) or [one.call.seat.id]


@dataclass(frozen=True)
class Worst:
    """What each seat could have to take, and all together: whoever is chosen, others are not."""

    seats: Mapping[str, Figures]
    whole: Figures


def ends_of(commission: Commission, usual: Play) -> Ends:
    """Pulled to one end after the other, keeping whatever made it longer."""
    if commission.debate.judged:
        return ends_of_audits(commission, commission, usual)
    leaning = Leaning(*(ends[0] for ends in PULLS.values()))
    longest = play(commission, TERSE, leaning)
    plays = [longest]
    for name, (_, *others) in PULLS.items():
        for pulled in [replace(leaning, **{name: end}) for end in others]:
            plays.append(play(commission, TERSE, pulled))
            if plays[-1].calls > longest.calls:
                longest, leaning = plays[-1], pulled
    return _between(plays, usual)


def ends_of_audits(long: Commission, short: Commission, usual: Play) -> Ends:
    """Of the audit of a long debate and of a short one: what is asked there depends on how much is listed, only."""
    plays = play(long, TERSE, Leaning("most", 0, bare=True)), play(short, TERSE, Leaning("least", 0, bare=True))
    return _between(plays, usual)


def _between(plays: Sequence[Play], usual: Play) -> Ends:
    """Of plays with as many calls, the one in which more is listed counts as the longer."""
    first, *_, last = sorted(plays, key=lambda one: (one.calls, sum(len(asked.text) for asked in one.asked)))
    longest = usual if usual.calls > last.calls else last
    ended = [one for one in (first, usual, last) if one.proceedings.ending.kind == "played"]
    return Ends(longest, min(ended or [first], key=lambda one: one.calls), _chosen([*plays, usual]))


def _chosen(plays: Sequence[Play]) -> dict[str, frozenset[str]]:
    """Questions that went to other seats in another play, although they were as many."""
    found: dict[str, dict[int, set[frozenset[tuple[str, int]]]]] = {}
    seats: dict[str, set[str]] = {}
    for one in plays:
        asked = Counter((asked.call.brief.name, asked.call.seat.id) for asked in one.asked)
        for kind in {kind for kind, _ in asked}:
            shares = {seat: count for (what, seat), count in asked.items() if what == kind}
            found.setdefault(kind, {}).setdefault(sum(shares.values()), set()).add(frozenset(shares.items()))
            seats.setdefault(kind, set()).update(shares)
    return {kind: frozenset(seats[kind]) for kind, ways in found.items() if any(len(way) > 1 for way in ways.values())}
