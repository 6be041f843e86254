"""DT-I: an intervention aims at something that exists, in order, and is followed there and not before."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from .index import Index, IndexedAttempt, IndexedEvent, IndexedTurn, rule
from .rulebook import Found, quoted


@rule("DT-I001", "error", "the target round does not exist")
def unknown_round(index: Index) -> Iterator[Found]:
    for entry in index.interventions:
        number = entry.body.get("round_index")
        if number is not None and number not in index.round_of:
            yield Found(entry.at("round_index"), quoted(number))


@rule("DT-I002", "error", "the target turn or attempt does not exist")
def unknown_turn(index: Index) -> Iterator[Found]:
    for entry in index.interventions:
        turn_id, attempt = entry.body.get("turn_id"), entry.body.get("attempt_index")
        turn = _target(entry, index)
        if turn_id is not None and turn is None:
            yield Found(entry.at("turn_id"), quoted(turn_id))
        if attempt is not None and turn is not None and not 0 <= attempt < len(turn.attempts):
            yield Found(entry.at("attempt_index"), f"{attempt} of {len(turn.attempts)} attempts")


@rule("DT-I003", "error", "the target turn is of another round or speaker")
def other_turn(index: Index) -> Iterator[Found]:
    for entry in index.interventions:
        if (turn := _target(entry, index)) is None:
            continue
        number, speaker = entry.body.get("round_index"), entry.body.get("speaker_id")
        if number in index.round_of and number != turn.round["round_index"]:
            yield Found(entry.at("round_index"), f"{number}, the turn is of {turn.round['round_index']}")
        if speaker in index.participants and speaker != turn.speaker:
            yield Found(entry.at("speaker_id"), f"{quoted(speaker)}, the turn is of {quoted(turn.speaker)}")


@rule("DT-I004", "error", "interventions go back in time")
def goes_back(index: Index) -> Iterator[Found]:
    for before, entry in pairwise(index.interventions):
        if before.time is not None and entry.time is not None and entry.time < before.time:
            yield Found(entry.at("timestamp"), quoted(entry.body["timestamp"]))


@rule("DT-I005", "error", "the attempt follows an intervention that does not exist")
def unknown_intervention(index: Index) -> Iterator[Found]:
    for attempt in _followers(index):
        if unknown := [name for name in attempt.applied if name not in index.intervention_of]:
            yield Found(attempt.at("interventions_applied"), quoted(unknown[0]))


@rule("DT-I006", "error", "the attempt follows an intervention that was not meant for it")
def off_target(index: Index) -> Iterator[Found]:
    for attempt, entry in _followed(index):
        if _misses(entry, attempt, index):
            yield Found(attempt.at("interventions_applied"), quoted(entry.body["intervention_id"]))


@rule("DT-I007", "error", "the attempt follows an intervention before it was issued")
def too_early(index: Index) -> Iterator[Found]:
    for attempt, entry in _followed(index):
        if attempt.time is not None and entry.time is not None and attempt.time < entry.time:
            yield Found(attempt.at("interventions_applied"), quoted(entry.body["intervention_id"]))


@rule("DT-I008", "warning", "no attempt follows the intervention")
def ignored(index: Index) -> Iterator[Found]:
    followed = {name for attempt in index.attempts for name in attempt.applied}
    for entry in index.interventions:
        if index.in_loop and entry.body["intervention_id"] not in followed:
            yield Found(entry.pointer, quoted(entry.body["intervention_id"]))


@rule("DT-I009", "warning", "interventions go back to an earlier target")
def target_goes_back(index: Index) -> Iterator[Found]:
    reached = (-1, -1)
    for entry in index.interventions:
        turn, round_ = _target(entry, index), index.round_of.get(entry.body.get("round_index"))
        if turn is not None:
            place = turn.place
        elif entry.body.get("turn_id") is None and round_ is not None:
            # A round is neither before nor after the turns in it.
            place = (round_.position, reached[1] if round_.position == reached[0] else -1)
        else:
            continue
        if place < reached:
            yield Found(entry.pointer)
        reached = max(reached, place)


@rule("DT-I010", "error", "the attempt lists an intervention twice")
def listed_twice(index: Index) -> Iterator[Found]:
    for attempt in index.attempts:
        if len(set(attempt.applied)) != len(attempt.applied):
            yield Found(attempt.at("interventions_applied"))


def _target(entry: IndexedEvent, index: Index) -> IndexedTurn | None:
    return index.turn_of.get(entry.body.get("turn_id"))


def _followers(index: Index) -> tuple[IndexedAttempt, ...]:
    """Attempts that may follow interventions."""
    return index.attempts if index.in_loop else ()


def _followed(index: Index) -> Iterator[tuple[IndexedAttempt, IndexedEvent]]:
    """Each attempt with each existing intervention that it follows."""
    for attempt in _followers(index):
        for name in dict.fromkeys(attempt.applied):
            if name in index.intervention_of:
                yield attempt, index.intervention_of[name]


def _misses(entry: IndexedEvent, attempt: IndexedAttempt, index: Index) -> bool:
    """Whether the target exists and the attempt is not in it."""
    match entry.body["scope"]:
        case "round":
            number = entry.body["round_index"]
            return number in index.round_of and number != index.rounds[attempt.place[0]].number
        case "turn":
            return _target(entry, index) is not None and entry.body["turn_id"] != attempt.turn["turn_id"]
        case "attempt":
            same = entry.body["turn_id"] == attempt.turn["turn_id"]
            return _target(entry, index) is not None and not (
                same and entry.body["attempt_index"] == attempt.body["attempt_index"]
            )
        case _:
            return False
