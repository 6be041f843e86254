"""DT-T: times can be read, and do not run backwards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pydantic import AwareDatetime

from .index import Index, instant, rule
from .rulebook import Found, quoted


@rule("DT-T001", "error", "not an RFC 3339 time with offset")
def unreadable(index: Index) -> Iterator[Found]:
    if instant(index.document["created_at"]) is None:
        yield Found("/created_at", quoted(index.document["created_at"]))
    for part in (*index.attempts, *index.interventions, *index.events):
        if part.time is None:
            yield Found(part.at("timestamp"), quoted(part.body["timestamp"]))


@rule("DT-T002", "error", "attempts of the turn go back in time")
def back_in_turn(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        if any(after < before for before, after in pairwise(turn.times)):
            yield Found(turn.at())


@rule("DT-T003", "warning", "the turn ends before the one ahead of it")
def back_in_round(index: Index) -> Iterator[Found]:
    for round_ in index.rounds:
        timed = [turn for turn in round_.turns if turn.times]
        for before, turn in pairwise(timed):
            parallel = round_.body.get("transcript_visibility") == "isolated"
            if not parallel and turn.times[-1] < before.times[-1]:
                yield Found(turn.at())


@rule("DT-T004", "error", "the turn begins before the rounds ahead of it have ended")
def overlaps(index: Index) -> Iterator[Found]:
    ended: AwareDatetime | None = None
    for round_ in index.rounds:
        for turn in round_.turns:
            if ended is not None and turn.times and min(turn.times) < ended:
                yield Found(turn.at())
        times = [time for turn in round_.turns for time in turn.times]
        ended = max(times if ended is None else [ended, *times], default=None)


@rule("DT-T005", "warning", "created_at lies inside the debate, it is the time of its start")
def created_inside(index: Index) -> Iterator[Found]:
    created = instant(index.document["created_at"])
    times = [attempt.time for attempt in index.attempts if attempt.time is not None]
    if created is not None and times and min(times) < created < max(times):
        yield Found("/created_at", quoted(index.document["created_at"]))
